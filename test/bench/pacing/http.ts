// `npm run bench -- pacing-http [WORD..]`: the built program against the sandbox over HTTP, in real time, beside its goals.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Summary } from '../../../src/domain/summary.ts'
import { sandboxConfigSchema } from '../../../src/sandbox/config.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { projectRoot } from '../../support/program.ts'

/** Runs side by side: more would be slowed by two cores. */
const SIDE_BY_SIDE = 3

interface Shape {
  readonly name: string
  readonly rule: object
  readonly perSecond: number
  readonly retryAfter?: string
  readonly headers?: readonly string[]
  readonly rate?: string
  readonly calls: number
  /** Share of the limit at least and 429s at most, both in %. */
  readonly goal: readonly [share: number, refused: number]
  /** Starts so many milliseconds after a turn of the window of the clock. */
  readonly phase?: readonly [ms: number, windowMs: number]
}

const tokens = (limit: number, burst: number) => ({ kind: 'token-bucket', limit, window: '1s', burst })
const fixed = { kind: 'fixed-window', limit: 20, window: '2s' }
const sliding = { kind: 'sliding-window', limit: 20, window: '2s' }
const six = { kind: 'fixed-window', limit: 60, window: '6s' }
const UNKNOWN = [92, 2] as const
const KNOWN = [98, 0.2] as const

const shapes: readonly Shape[] = [
  ...[0, 1500, 3000, 4500].map((ms): Shape => ({
    name: `fixed window 60/6s, ${ms / 1000} s into it`,
    rule: six,
    perSecond: 10,
    calls: 400,
    goal: [90, 1.5],
    phase: [ms, 6000],
  })),
  {
    name: '20/s b2, Retry-After',
    rule: tokens(20, 2),
    perSecond: 20,
    retryAfter: 'seconds',
    calls: 400,
    goal: [75, 2],
  },
  { name: 'token bucket 10/s b10, 400', rule: tokens(10, 10), perSecond: 10, calls: 400, goal: [98.8, 2] },
  { name: 'token bucket 10/s b10', rule: tokens(10, 10), perSecond: 10, calls: 600, goal: UNKNOWN },
  {
    name: 'token bucket, Retry-After',
    rule: tokens(10, 10),
    perSecond: 10,
    retryAfter: 'seconds',
    calls: 600,
    goal: UNKNOWN,
  },
  {
    name: 'token bucket, --rate 10/s',
    rule: tokens(10, 10),
    perSecond: 10,
    rate: '10/s',
    calls: 600,
    goal: KNOWN,
  },
  { name: 'fixed window 20/2s', rule: fixed, perSecond: 10, calls: 600, goal: UNKNOWN },
  {
    name: 'fixed window, Retry-After',
    rule: fixed,
    perSecond: 10,
    retryAfter: 'seconds',
    calls: 600,
    goal: UNKNOWN,
  },
  {
    name: 'fixed window, RateLimit-Policy',
    rule: fixed,
    perSecond: 10,
    headers: ['ietf'],
    calls: 600,
    goal: KNOWN,
  },
  { name: 'sliding window 20/2s', rule: sliding, perSecond: 10, calls: 600, goal: UNKNOWN },
  {
    name: 'sliding window, X-RateLimit',
    rule: sliding,
    perSecond: 10,
    retryAfter: 'seconds',
    headers: ['x-ratelimit'],
    calls: 600,
    goal: UNKNOWN,
  },
  {
    name: 'sliding window, --rate 10/s',
    rule: sliding,
    perSecond: 10,
    rate: '10/s',
    calls: 600,
    goal: KNOWN,
  },
]

const folder = mkdtempSync(join(tmpdir(), 'assist-harness-pacing-'))

/** Threads of five. */
function writeSet(calls: number): string {
  const path = join(folder, `set-${calls}.csv`)
  const rows = Array.from({ length: calls }, (_, place) => `t${Math.floor(place / 5)},Question ${place}?`)
  writeFileSync(path, `thread,message\n${rows.join('\n')}\n`)
  return path
}

/** A process takes about so long to its first call. */
const START_MS = 300

async function measure(shape: Shape): Promise<string> {
  const {
    name,
    rule,
    retryAfter = 'none',
    headers = [],
    rate = 'auto',
    calls,
    perSecond,
    goal,
    phase,
  } = shape
  const config = sandboxConfigSchema.parse({
    rateLimit: { rules: [rule], retryAfter, headers: [...headers] },
    latency: { kind: 'lognormal', median: '150ms', p95: '400ms' },
  })
  const sandbox = await startSandbox({ config })
  const out = join(folder, name.replaceAll(/\W+/g, '-'))
  if (phase !== undefined) {
    const [ms, windowMs] = phase
    await sleep((((ms - START_MS - Date.now()) % windowMs) + windowMs) % windowMs)
  }
  const words = ['run', writeSet(calls), '--base-url', sandbox.url, '--rate', rate, '--out', out]
  const child = spawn(process.execPath, [join(projectRoot, 'dist/cli/main.js'), ...words], {
    cwd: folder,
    env: { ...process.env, ASSIST_API_KEY: sandbox.apiKey },
    stdio: 'ignore',
  })
  await once(child, 'close')
  await sandbox.close()
  const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary
  const seconds = (Date.parse(summary.run.endedAt ?? '') - Date.parse(summary.run.startedAt)) / 1000
  const share = (calls / perSecond / seconds) * 100
  const refused = (summary.pacing.rate429 ?? Number.NaN) * 100
  const isReached = share >= goal[0] && refused <= goal[1]
  return [
    name.padEnd(36),
    `${summary.turns.answered}/${calls}`.padStart(9),
    seconds.toFixed(1).padStart(9),
    share.toFixed(1).padStart(9),
    refused.toFixed(2).padStart(9),
    `${goal[0]} / ${goal[1]}`.padStart(13),
    isReached ? '  reached' : '  below',
  ].join('')
}

const chosen = process.argv.slice(2)
const waiting = shapes.filter(({ name }) => chosen.every((word) => name.includes(word)))
try {
  console.log(`${'limiter'.padEnd(36)} answered  seconds  share %   429s %  goal (% / %)`)
  const work = async (): Promise<void> => {
    for (let shape = waiting.shift(); shape !== undefined; shape = waiting.shift())
      console.log(await measure(shape))
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
