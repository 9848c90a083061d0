// `npm run bench -- pacing-http [WORD..]`: the built program against the sandbox over HTTP in real time,
// beside its goals.
import { readFileSync } from 'node:fs'
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
  readonly retryAfter?: 'seconds'
  /** Starts that many milliseconds after the start of a window of six seconds. */
  readonly phase?: number
}

const tokens = { kind: 'token-bucket', limit: 10, window: '1s', burst: 10 } as const
const six = { kind: 'fixed-window', limit: 60, window: '6s' } as const

/** Each with its rule, the rate that it sustains, and the goal of its share. */
const SHAPES: readonly (readonly [name: string, Rule, perSecond: number, GoalName, Further?])[] = [
  ...[0, 1500, 3000, 4500].map(
    (phase) => [`fixed window 60/6s, ${phase / 1000} s into it`, six, 10, 'fixedWindow', { phase }] as const,
  ),
  ['20/s b2, Retry-After', { ...tokens, limit: 20, burst: 2 }, 20, 'smallBurst', { retryAfter: 'seconds' }],
  ['token bucket 10/s b10', tokens, 10, 'bucket'],
  ['token bucket, --rate 10/s', tokens, 10, 'statedRate', { rate: '10/s' }],
  ['window 100/20s of the clock', { ...six, limit: 100, window: '20s' }, 5, 'ofTheClock'],
]

/** Approximate time of a process to its first call. */
const START_MS = 300

async function play(folder: string, shape: (typeof SHAPES)[number]): Promise<void> {
  const [name, rule, perSecond, goal, { rate = 'auto', retryAfter = 'none', phase } = {}] = shape
  const config = sandboxConfigSchema.parse({
    organizations: { acme: { keys: [{ key: BENCH_ENV.ASSIST_API_KEY }] } },
    rateLimit: { rules: [rule], retryAfter },
    latency: { kind: 'lognormal', median: '150ms', p95: '400ms' },
  })
  const sandbox = await startSandbox({ config })
  const out = join(folder, name.replaceAll(/\W+/g, '-'))
  if (phase !== undefined) await sleep((((phase - START_MS - Date.now()) % 6000) + 6000) % 6000)
  const set = writeQuestions(folder, CALLS, 5)
  const words = ['run', set, '--base-url', sandbox.url, '--rate', rate, '--out', out]
  await measure(folder, words, [0, 1, 4])
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
