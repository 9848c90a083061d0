// `npm run bench -- pacing-http [WORD..]`: the built program against the sandbox over HTTP in real time,
// beside its goals.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { Summary } from '../../../src/domain/summary.ts'
import { sandboxConfigSchema } from '../../../src/sandbox/config.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { type GoalName, goalOf, isReached } from '../goals.ts'
import { BENCH_ENV, inFolder, measure, row, writeQuestions } from '../measured.ts'

const CALLS = 400
/** Concurrent runs. More would slow each other down on two cores. */
const SIDE_BY_SIDE = 3

type Rule = NonNullable<z.input<typeof sandboxConfigSchema>['rateLimit']>['rules'][number]

interface Further {
  readonly rate?: string
  /** `always 1`: each 429 names a second, whatever is left of the window. */
  readonly retryAfter?: 'seconds' | 'always 1'
  /** Starts that many milliseconds after the start of a window. */
  readonly phase?: number
}

const tokens = { kind: 'token-bucket', limit: 10, window: '1s', burst: 10 } as const
const six = { kind: 'fixed-window', limit: 60, window: '6s' } as const
const twenty = { kind: 'fixed-window', limit: 100, window: '20s' } as const

/** Each with its rule, the rate that it sustains, and the goal of its share. */
const SHAPES: readonly (readonly [name: string, Rule, perSecond: number, GoalName, Further?])[] = [
  ...[0, 5, 10, 15].map(
    (s) => [`window 100/20s, ${s} s into it`, twenty, 5, 'ofTheClock', { phase: 1000 * s }] as const,
  ),
  ...[0, 10].map((s) => {
    const further = { phase: 1000 * s, retryAfter: 'always 1' } as const
    return [
      `60/20s, Retry-After: 1, ${s} s into it`,
      { ...twenty, limit: 60 },
      3,
      'ofTheClock',
      further,
    ] as const
  }),
  ...[0, 1.5, 3, 4.5].map(
    (s) => [`window 60/6s, ${s} s into it`, six, 10, 'fixedWindow', { phase: 1000 * s }] as const,
  ),
  ['20/s b2, Retry-After', { ...tokens, limit: 20, burst: 2 }, 20, 'smallBurst', { retryAfter: 'seconds' }],
  ['token bucket 10/s b10', tokens, 10, 'bucket'],
  ['token bucket, --rate 10/s', tokens, 10, 'statedRate', { rate: '10/s' }],
]

/** Approximate time of a process to its first call. */
const START_MS = 300

/** Passes all on, and names a second at each 429. Returns its address, and how to close it. */
async function misleading(base: string) {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming
    const sent = request(new URL(url, base), { method, headers }, (reply) => {
      const named = reply.statusCode === 429 ? { 'retry-after': '1' } : {}
      reply.pipe(outgoing.writeHead(reply.statusCode ?? 502, { ...reply.headers, ...named }))
    })
    incoming.pipe(sent)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

async function play(folder: string, shape: (typeof SHAPES)[number]): Promise<void> {
  const [name, rule, perSecond, goal, { rate = 'auto', retryAfter = 'none', phase } = {}] = shape
  const config = sandboxConfigSchema.parse({
    organizations: { acme: { keys: [{ key: BENCH_ENV.ASSIST_API_KEY }] } },
    rateLimit: { rules: [rule], retryAfter: retryAfter === 'always 1' ? 'none' : retryAfter },
    latency: { kind: 'lognormal', median: '150ms', p95: '400ms' },
  })
  const sandbox = await startSandbox({ config })
  const desk = retryAfter === 'always 1' ? await misleading(sandbox.url) : undefined
  const out = join(folder, name.replaceAll(/\W+/g, '-'))
  const windowMs = 1000 * Number.parseInt(rule.window)
  if (phase !== undefined) await sleep((((phase - START_MS - Date.now()) % windowMs) + windowMs) % windowMs)
  const set = writeQuestions(folder, CALLS, 5)
  const words = ['run', set, '--base-url', desk?.url ?? sandbox.url, '--rate', rate, '--out', out]
  await measure(folder, words, [0, 1, 4])
  desk?.close()
  await sandbox.close()
  const { run, turns, pacing } = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary
  const took = (Date.parse(run.endedAt ?? '') - Date.parse(run.startedAt)) / 1000
  const [share, refused] = [(CALLS / perSecond / took) * 100, (pacing.rate429 ?? Number.NaN) * 100]
  const isGood = isReached(goal, share) && isReached('refused', refused)
  const figures = [took.toFixed(1), share.toFixed(1), refused.toFixed(2)]
  row(name, `${turns.answered}/${CALLS}`, ...figures, goalOf(goal), isGood ? 'reached' : 'missed')
}

const chosen = process.argv.slice(2)
const waiting = SHAPES.filter(([name]) => chosen.every((word) => name.includes(word)))
row('limiter', 'answered', 'seconds', 'share %', '429s %', 'goals', '')
await inFolder(async (folder) => {
  const work = async (): Promise<void> => {
    for (let shape = waiting.shift(); shape !== undefined; shape = waiting.shift()) await play(folder, shape)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
})
