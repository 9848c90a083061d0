// `npm run bench -- pacing-http`: the built program against the sandbox over HTTP, in real time, 600 calls at about 10/s.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Summary } from '../../../src/domain/summary.ts'
import { sandboxConfigSchema } from '../../../src/sandbox/config.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { projectRoot } from '../../support/program.ts'

const CALLS = 600
const PER_SECOND = 10
/** Runs side by side: more would be slowed by two cores. */
const SIDE_BY_SIDE = 3

interface Shape {
  readonly name: string
  readonly rules: readonly object[]
  readonly retryAfter?: string
  readonly headers?: readonly string[]
  readonly rate?: string
}

const bucket = { kind: 'token-bucket', limit: PER_SECOND, window: '1s', burst: 10 }
const fixed = { kind: 'fixed-window', limit: PER_SECOND * 2, window: '2s' }
const sliding = { kind: 'sliding-window', limit: PER_SECOND * 2, window: '2s' }
const shapes: readonly Shape[] = [
  { name: 'token bucket 10/s b10', rules: [bucket], retryAfter: 'none' },
  { name: 'token bucket, Retry-After', rules: [bucket], retryAfter: 'seconds' },
  { name: 'token bucket, --rate 10/s', rules: [bucket], retryAfter: 'none', rate: '10/s' },
  { name: 'fixed window 20/2s', rules: [fixed], retryAfter: 'none' },
  { name: 'fixed window, Retry-After', rules: [fixed], retryAfter: 'seconds' },
  { name: 'fixed window, RateLimit-Policy', rules: [fixed], retryAfter: 'none', headers: ['ietf'] },
  { name: 'sliding window 20/2s', rules: [sliding], retryAfter: 'none' },
  { name: 'sliding window, X-RateLimit', rules: [sliding], retryAfter: 'seconds', headers: ['x-ratelimit'] },
  { name: 'sliding window, --rate 10/s', rules: [sliding], retryAfter: 'none', rate: '10/s' },
]

const folder = mkdtempSync(join(tmpdir(), 'assist-harness-pacing-'))
const set = join(folder, 'set.csv')
// Threads of 2 to 8 turns, as in the simulator.
const rows = Array.from({ length: CALLS }, (_, place) => `t${Math.floor(place / 5)},Question ${place}?`)
writeFileSync(set, `thread,message\n${rows.join('\n')}\n`)

async function measure({ name, rules, retryAfter, headers = [], rate = 'auto' }: Shape): Promise<string> {
  const config = sandboxConfigSchema.parse({
    rateLimit: { rules, retryAfter, headers: [...headers] },
    latency: { kind: 'lognormal', median: '500ms', p95: '1500ms' },
  })
  const sandbox = await startSandbox({ config })
  const out = join(folder, name.replaceAll(/\W+/g, '-'))
  const child = spawn(
    process.execPath,
    [
      join(projectRoot, 'dist/cli/main.js'),
      'run',
      set,
      '--base-url',
      sandbox.url,
      '--rate',
      rate,
      '--out',
      out,
    ],
    { cwd: folder, env: { ...process.env, ASSIST_API_KEY: sandbox.apiKey }, stdio: 'ignore' },
  )
  await once(child, 'close')
  await sandbox.close()
  const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary
  const seconds = (Date.parse(summary.run.endedAt ?? '') - Date.parse(summary.run.startedAt)) / 1000
  const share = (CALLS / PER_SECOND / seconds) * 100
  const refused = (summary.pacing.rate429 ?? Number.NaN) * 100
  return [
    name.padEnd(32),
    `${summary.turns.answered}/${CALLS}`.padStart(9),
    seconds.toFixed(1).padStart(9),
    share.toFixed(0).padStart(9),
    refused.toFixed(2).padStart(9),
  ].join('')
}

try {
  console.log(
    `${'limiter'.padEnd(32)} answered  seconds  share %   429s %   (${CALLS} calls, ${PER_SECOND}/s)`,
  )
  const waiting = [...shapes]
  const work = async (): Promise<void> => {
    for (let shape = waiting.shift(); shape !== undefined; shape = waiting.shift())
      console.log(await measure(shape))
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
