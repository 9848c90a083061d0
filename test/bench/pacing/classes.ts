// Classes of limits, with shapes of each. The policy was tuned on seeds 1 to 599 and 3001 to 3012, never on
// those of the bench: rules were taken out by what they buy on 7001 to 7032.
import type { Load } from './simulate.ts'
import * as server from './servers.ts'

export interface Shape {
  readonly name: string
  readonly make: (random: () => number) => server.Server
  /** Gives the sustained rate in calls per second, for that many calls. */
  readonly sustained: (calls: number, meanAnswerMs: number) => number
  /** Is the `--rate` of a user who knows the limit. */
  readonly known?: number
  readonly load: Partial<Load> & { readonly jitterMs?: number }
}

export interface LimitClass {
  readonly name: string
  /** Are percentages; `p95` is a multiple of the time of a call sent alone. */
  readonly goal: {
    readonly share: number
    readonly refused: number
    readonly lost?: number
    readonly p95?: number
  }
  readonly shapes: readonly Shape[]
}

const { limited, fixed, sliding, bucket, cells, slidingCounter, silent, retryAfter, alwaysRetryAfter } =
  server

/** Is the load of `npm run bench -- pacing-http` in virtual time. */
export const FAST = { medianMs: 150, refusalMs: 4, jitterMs: 3 }

const shape = (
  name: string,
  perSecond: number,
  make: Shape['make'],
  { load = {}, ...changes }: Partial<Shape> = {},
): Shape => ({ name, make, sustained: () => perSecond, known: perSecond, load, ...changes })

const fast = (name: string, perSecond: number, make: Shape['make'], calls?: number): Shape =>
  shape(`${name}, fast`, perSecond, make, { load: { ...FAST, ...(calls !== undefined && { calls }) } })

/** Has no rate that a user could state. */
const unknown = (shapeOfLimit: Shape): Shape => {
  const { known: _, ...rest } = shapeOfLimit
  return rest
}

const atOnce = (count: number): Shape =>
  unknown(
    shape(`at once ${count}`, 0, () => server.concurrent(count), {
      sustained: (_, meanAnswerMs) => (count * 1000) / meanAnswerMs,
    }),
  )

/** Is the mean rate if the limit changes after that many seconds. */
const stepped =
  (before: number, after: number, seconds: number): Shape['sustained'] =>
  (calls) => {
    const first = before * seconds
    return calls <= first ? before : calls / (seconds + (calls - first) / after)
  }

const policyHeader = (field: string) => ({ 'ratelimit-policy': field })
const tokens = (perSecond: number, burst: number) => limited([bucket(perSecond, burst)])
/** Is what 64 calls in flight reach, the most that `auto` sends: a run without trouble. */
const free: Partial<Shape> = { sustained: (_, meanAnswerMs) => 64_000 / meanAnswerMs }

const GOAL = { share: 90, refused: 2 }

export const classes: readonly LimitClass[] = [
  {
    name: 'single window, log, counter',
    goal: { share: 95, refused: 2 },
    shapes: [
      shape('fixed 60/60s', 1, () => limited([fixed(60, 60)])),
      shape('fixed 300/60s', 5, () => limited([fixed(300, 60)])),
      shape('sliding log 300/60s', 5, () => limited([sliding(300, 60)])),
      shape('sliding log 60/60s', 1, () => limited([sliding(60, 60)])),
      shape('log 60/60s, rejects consume', 1, () => server.slidingWithRejects(60, 60)),
      shape('sliding counter 300/60s', 5, () => limited([slidingCounter(300, 60)])),
      shape('fixed 90/30s', 3, () => limited([fixed(90, 30)])),
      shape('sliding log 40/10s', 4, () => limited([sliding(40, 10)])),
      // Its log opens while the probe at 15 s is still being refused, and 30 s is next.
      shape('sliding log 100/20s', 5, () => limited([sliding(100, 20)])),
      shape('fixed 1000/3600s', 1000 / 3600, () => limited([fixed(1000, 3600)])),
    ],
  },
  {
    name: 'window of the clock, 100/20s',
    goal: { share: 85, refused: 2 },
    shapes: [
      shape('fixed 100/20s', 5, () => limited([fixed(100, 20)])),
      fast('fixed 100/20s', 5, () => limited([fixed(100, 20)])),
      fast('fixed 100/20s, 400 calls', 5, () => limited([fixed(100, 20)]), 400),
    ],
  },
  {
    name: 'windows up to 6 s',
    goal: GOAL,
    shapes: [
      shape('fixed 10/1s', 10, () => limited([fixed(10, 1)])),
      shape('fixed 20/2s', 10, () => limited([fixed(20, 2)])),
      shape('sliding log 8/1s', 8, () => limited([sliding(8, 1)])),
      fast('fixed 60/6s, 400 calls', 10, () => limited([fixed(60, 6)]), 400),
      fast('fixed 20/2s', 10, () => limited([fixed(20, 2)])),
      fast('sliding 20/2s', 10, () => limited([sliding(20, 2)])),
      fast('sliding 20/2s, Reset', 10, () => limited([sliding(20, 2)], server.xReset)),
    ],
  },
  {
    name: 'bucket, GCRA, two-tier',
    goal: { share: 95, refused: 2 },
    shapes: [
      shape('token bucket 1/s b20', 1, () => tokens(1, 20)),
      shape('token bucket 5/s b10', 5, () => tokens(5, 10)),
      shape('GCRA 8/s b4', 8, () => limited([cells(8, 4)])),
      shape('10/s + 200/min', 200 / 60, () => limited([fixed(10, 1), fixed(200, 60)])),
      shape('5/s + 100/min', 100 / 60, () => limited([fixed(5, 1), fixed(100, 60)])),
      shape('token bucket 3/s b60', 3, () => tokens(3, 60)),
      // The policy of one end user: the limit itself is not stated.
      shape('"u";q=5;w=60;pk=.. of 5/s', 5, () =>
        limited([bucket(5, 10)], silent, policyHeader('"u";q=5;w=60;pk=:dXNlcg==:')),
      ),
      fast('token bucket 10/s b10, 600 calls', 10, () => tokens(10, 10), 600),
    ],
  },
  {
    name: 'calls in flight',
    goal: { share: 95, refused: 1.5 },
    shapes: [atOnce(10), atOnce(4), atOnce(20)],
  },
  {
    name: 'honest Retry-After or Reset',
    goal: { share: 95, refused: 1.5 },
    shapes: [
      shape('fixed 60/60s, seconds', 1, () => limited([fixed(60, 60)], retryAfter)),
      shape('fixed 300/60s, seconds', 5, () => limited([fixed(300, 60)], retryAfter)),
      shape('token bucket 5/s, seconds', 5, () => limited([bucket(5, 10)], retryAfter)),
      shape('fixed 60/60s, RateLimit', 1, () => limited([fixed(60, 60)], server.ietfFields)),
      shape('fixed 300/60s, X-RateLimit', 5, () => limited([fixed(300, 60)], server.xReset)),
    ],
  },
  {
    name: 'whole seconds at 10/s',
    goal: GOAL,
    shapes: [
      shape('fixed 10/1s, seconds', 10, () => limited([fixed(10, 1)], retryAfter)),
      shape('token bucket 10/s b10, seconds', 10, () => limited([bucket(10, 10)], retryAfter)),
      fast('20/s b2, seconds, 400 calls', 20, () => limited([bucket(20, 2)], retryAfter), 400),
    ],
  },
  {
    name: 'RateLimit-Policy',
    goal: { share: 98, refused: 0.1 },
    shapes: [
      shape('"a";q=60;w=60', 1, () => limited([fixed(60, 60)], silent, policyHeader('"a";q=60;w=60'))),
      shape('10;w=1, 200;w=60', 200 / 60, () =>
        limited([fixed(10, 1), fixed(200, 60)], silent, policyHeader('10;w=1, 200;w=60')),
      ),
    ],
  },
  {
    name: 'misleading Retry-After',
    goal: { share: 93, refused: 2 },
    shapes: [
      shape('fixed 60/60s, always 0', 1, () => limited([fixed(60, 60)], alwaysRetryAfter(0))),
      shape('fixed 300/60s, always 1', 5, () => limited([fixed(300, 60)], alwaysRetryAfter(1))),
      shape('sliding log 60/60s, always 5', 1, () => limited([sliding(60, 60)], alwaysRetryAfter(5))),
    ],
  },
  {
    name: 'Retry-After: 1 always, 60/20s',
    goal: { share: 85, refused: 2 },
    shapes: [
      shape('fixed 60/20s', 3, () => limited([fixed(60, 20)], alwaysRetryAfter(1))),
      fast('fixed 60/20s', 3, () => limited([fixed(60, 20)], alwaysRetryAfter(1))),
      fast('fixed 60/20s, 400 calls', 3, () => limited([fixed(60, 20)], alwaysRetryAfter(1)), 400),
    ],
  },
  {
    name: 'Retry-After: 60 always, bucket',
    goal: GOAL,
    shapes: [
      shape('token bucket 5/s b10', 5, () => limited([bucket(5, 10)], alwaysRetryAfter(60))),
      shape('token bucket 2/s b5', 2, () => limited([bucket(2, 5)], alwaysRetryAfter(60))),
    ],
  },
  {
    name: 'other traffic, steady',
    goal: { share: 95, refused: 5 },
    shapes: [
      shape('fixed 300/60s, 50 % others', 2.5, (random) =>
        server.shared(limited([fixed(300, 60)]), 2.5, random),
      ),
      shape('token bucket 5/s, 25 % others', 3.75, (random) => server.shared(tokens(5, 10), 1.25, random)),
    ],
  },
  {
    name: 'impolite neighbours',
    goal: { share: 90, refused: 5 },
    shapes: [
      // Half of the limit is the fair share: they would send 4/s, and do not slow down.
      unknown(
        shape('token bucket 5/s, 8 in flight', 2.5, (random) =>
          server.crowded(tokens(5, 10), 8, 2000, random),
        ),
      ),
    ],
  },
  {
    name: 'limit changes once',
    goal: GOAL,
    shapes: [
      unknown(
        shape('token bucket 5/s, doubled', 5, () => server.changing(tokens(5, 10), tokens(10, 20), 100_000), {
          sustained: stepped(5, 10, 100),
        }),
      ),
      unknown(
        shape(
          'fixed 300/60s, doubled',
          5,
          () => server.changing(limited([fixed(300, 60)]), limited([fixed(600, 60)]), 100_000),
          { sustained: stepped(5, 10, 100) },
        ),
      ),
      unknown(
        shape(
          'sliding log 300/60s, halved',
          5,
          () => server.changing(limited([sliding(300, 60)]), limited([sliding(150, 60)]), 100_000),
          { sustained: stepped(5, 2.5, 100) },
        ),
      ),
    ],
  },
  {
    name: 'limit swings, 6/s and 2/s',
    goal: GOAL,
    shapes: [
      unknown(shape('each 20 s', 4, () => server.swinging(tokens(6, 6), tokens(2, 2), 20_000))),
      unknown(
        shape('each 20 s, fast', 4, () => server.swinging(tokens(6, 6), tokens(2, 2), 20_000), {
          load: FAST,
        }),
      ),
    ],
  },
  {
    name: 'blocked for 5 s, 20 per 5 s',
    goal: GOAL,
    shapes: [
      shape('blocked', 4, () => server.blocking(20, 5, 5000)),
      fast('blocked', 4, () => server.blocking(20, 5, 5000)),
    ],
  },
  {
    name: 'two pods of 4/s, by connection',
    goal: GOAL,
    shapes: [
      shape('pods', 8, (random) => server.pods([tokens(4, 4), tokens(4, 4)], random)),
      fast('pods', 8, (random) => server.pods([tokens(4, 4), tokens(4, 4)], random)),
    ],
  },
  {
    name: 'GCRA without burst, 8/s',
    goal: GOAL,
    shapes: [
      shape('GCRA 8/s b1', 8, () => limited([cells(8, 1)])),
      fast('GCRA 8/s b1', 8, () => limited([cells(8, 1)])),
    ],
  },
  {
    name: 'leaky queue 4/s that says 503',
    goal: { ...GOAL, lost: 0.5 },
    shapes: [
      shape('queue of 8', 4, () => server.leakyQueue(4, 8)),
      fast('queue of 8', 4, () => server.leakyQueue(4, 8)),
      fast('queue of 30', 4, () => server.leakyQueue(4, 30)),
    ],
  },
  {
    name: 'own queue: 4 workers of 0.5 s',
    goal: { share: 90, refused: 0, p95: 4 },
    shapes: [
      unknown(shape('4 workers', 8, () => server.workers(4), { load: { medianMs: 500, sigma: 0.1 } })),
      unknown(
        shape('4 workers, lognormal', 8, () => server.workers(4), { load: { medianMs: 418, sigma: 0.6 } }),
      ),
    ],
  },
  {
    // What is no limit: it must not slow the run down for long.
    name: 'no limit, in trouble',
    goal: { share: 90, refused: 100 },
    shapes: [
      unknown(shape('no trouble', 0, () => limited([]), free)),
      unknown(
        shape('down for 20 s', 0, () => server.down(limited([]), 10_000, 30_000), {
          sustained: (calls, meanAnswerMs) => calls / ((calls * meanAnswerMs) / 64_000 + 20),
        }),
      ),
      unknown(shape('5 % of 500', 0, (random) => server.failing(limited([]), 500, 0.05, random), free)),
      unknown(shape('2 % of 503', 0, (random) => server.failing(limited([]), 503, 0.02, random), free)),
      unknown(shape('10 % of 503', 0, (random) => server.failing(limited([]), 503, 0.1, random), free)),
      unknown(
        shape('answers three times slower', 0, () => server.slower(3, 10_000), {
          sustained: (_, meanAnswerMs) => 25_600 / meanAnswerMs,
        }),
      ),
    ],
  },
]
