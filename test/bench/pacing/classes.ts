// Classes of limits, with shapes of each. The policy was tuned on seeds 1 to 599 and 3001 to 3012, never on
// those of the bench: rules were taken out by what they buy on 7001 to 7032.
import { rateOf, serverOf } from './named.ts'
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

/** Is the load of `npm run bench -- pacing-http` in virtual time. */
export const FAST = { medianMs: 150, refusalMs: 4, jitterMs: 3 }

const NAMED: Readonly<Record<string, server.Refusal>> = {
  seconds: server.retryAfter,
  RateLimit: server.ietfFields,
  'X-RateLimit': server.xReset,
  Reset: server.xReset,
  'always 0': server.alwaysRetryAfter(0),
  'always 1': server.alwaysRetryAfter(1),
  'always 5': server.alwaysRetryAfter(5),
}

/** What its name says after the first comma: fast answers, and of those perhaps fewer than of others. */
function loadOf(name: string): Shape['load'] {
  const [calls] = /(?<=, )\d+(?= calls)/.exec(name) ?? []
  return name.endsWith(', fast') ? { ...FAST, ...(calls !== undefined && { calls: Number(calls) }) } : {}
}

const shape = (
  name: string,
  perSecond: number,
  make: Shape['make'],
  changes: Partial<Shape> = {},
): Shape => ({ name, make, sustained: () => perSecond, known: perSecond, load: loadOf(name), ...changes })

/** The shape that a name describes: its rules, what a refusal says, and the load. */
function named(name: string, refusal?: server.Refusal): Shape {
  const [rules = '', ...words] = name.split(', ')
  const said = refusal ?? words.flatMap((word) => NAMED[word] ?? [])[0]
  return shape(name, rateOf(rules), () => serverOf(rules, said))
}

/** Has no rate that a user could state. */
function unknown(...words: Parameters<typeof shape>): Shape {
  const { known: _, ...rest } = shape(...words)
  return rest
}

const atOnce = (count: number): Shape =>
  unknown(`at once ${count}`, 0, () => server.concurrent(count), {
    sustained: (_, meanAnswerMs) => (count * 1000) / meanAnswerMs,
  })

/** Becomes another limit after 100 seconds: is the mean rate of both. */
function changed(name: string, before: string, after: string): Shape {
  const [first, second] = [rateOf(before), rateOf(after)]
  return unknown(name, first, () => server.changing(serverOf(before), serverOf(after), 100_000), {
    sustained: (calls) => (calls <= 100 * first ? first : calls / (100 + (calls - 100 * first) / second)),
  })
}

const policy = (field: string) => ({ 'ratelimit-policy': field })
const swinging = (): server.Server =>
  server.swinging(serverOf('token bucket 6/s b6'), serverOf('token bucket 2/s b2'), 20_000)
const blocked = (): server.Server => server.blocking(server.sliding(20, 5), 5000)
const pods: Shape['make'] = (random) =>
  server.pods([serverOf('token bucket 4/s b4'), serverOf('token bucket 4/s b4')], random)

/** Is what 64 calls in flight reach, the most that `auto` sends: a run without trouble. */
const free = (name: string, make: Shape['make']): Shape =>
  unknown(name, 0, make, { sustained: (_, meanAnswerMs) => 64_000 / meanAnswerMs })
const failing = (status: number, share: number): Shape =>
  free(`${100 * share} % of ${status}`, (random) => server.failing(server.limited([]), status, share, random))

const shapes = (names: string, refusal?: server.Refusal): Shape[] =>
  names.split('; ').map((name) => named(name, refusal))

/** A class by its name and its goals: the least share, and the most 429s. */
const classOf = (
  name: string,
  share: number,
  refused: number,
  of: readonly Shape[],
  goals: Partial<LimitClass['goal']> = {},
): LimitClass => ({ name, goal: { share, refused, ...goals }, shapes: of })

export const classes: readonly LimitClass[] = [
  classOf('single window, log, counter', 95, 2, [
    ...shapes('fixed 60/60s; fixed 300/60s; sliding log 300/60s; sliding log 60/60s'),
    shape('log 60/60s, rejects consume', 1, () => server.slidingWithRejects(60, 60)),
    ...shapes('sliding counter 300/60s; fixed 90/30s; sliding log 40/10s'),
    // Its log opens while the probe at 15 s is still being refused, and 30 s is next.
    named('sliding log 100/20s'),
    named('fixed 1000/3600s'),
  ]),
  classOf('window of the clock, 100/20s', 85, 2, [
    ...shapes('fixed 100/20s; fixed 100/20s, fast; fixed 100/20s, 400 calls, fast'),
  ]),
  classOf('windows up to 6 s', 90, 2, [
    ...shapes('fixed 10/1s; fixed 20/2s; sliding log 8/1s; fixed 60/6s, 400 calls, fast'),
    ...shapes('fixed 20/2s, fast; sliding 20/2s, fast; sliding 20/2s, Reset, fast'),
  ]),
  classOf('bucket, GCRA, two-tier', 95, 2, [
    ...shapes('token bucket 1/s b20; token bucket 5/s b10; GCRA 8/s b4; 10/s + 200/min; 5/s + 100/min'),
    named('token bucket 3/s b60'),
    // The policy of one end user: the limit itself is not stated.
    shape('"u";q=5;w=60;pk=.. of 5/s', 5, () =>
      serverOf('token bucket 5/s b10', server.silent, policy('"u";q=5;w=60;pk=:dXNlcg==:')),
    ),
    named('token bucket 10/s b10, 600 calls, fast'),
  ]),
  classOf('calls in flight', 95, 1.5, [atOnce(10), atOnce(4), atOnce(20)]),
  classOf('honest Retry-After or Reset', 95, 1.5, [
    ...shapes('fixed 60/60s, seconds; fixed 300/60s, seconds; token bucket 5/s, seconds'),
    ...shapes('fixed 60/60s, RateLimit; fixed 300/60s, X-RateLimit'),
  ]),
  classOf('whole seconds at 10/s', 90, 2, [
    ...shapes('fixed 10/1s, seconds; token bucket 10/s b10, seconds; 20/s b2, seconds, 400 calls, fast'),
  ]),
  classOf('RateLimit-Policy', 98, 0.1, [
    shape('"a";q=60;w=60', 1, () => serverOf('fixed 60/60s', server.silent, policy('"a";q=60;w=60'))),
    shape('10;w=1, 200;w=60', 200 / 60, () =>
      serverOf('10/s + 200/min', server.silent, policy('10;w=1, 200;w=60')),
    ),
  ]),
  classOf('misleading Retry-After', 93, 2, [
    ...shapes('fixed 60/60s, always 0; fixed 300/60s, always 1; sliding log 60/60s, always 5'),
  ]),
  classOf('Retry-After: 1 always, 60/20s', 85, 2, [
    ...shapes('fixed 60/20s; fixed 60/20s, fast; fixed 60/20s, 400 calls, fast', server.alwaysRetryAfter(1)),
  ]),
  classOf('Retry-After: 60 always, bucket', 90, 2, [
    ...shapes('token bucket 5/s b10; token bucket 2/s b5', server.alwaysRetryAfter(60)),
  ]),
  classOf('other traffic, steady', 95, 5, [
    shape('fixed 300/60s, 50 % others', 2.5, (random) =>
      server.shared(serverOf('fixed 300/60s'), 2.5, random),
    ),
    shape('token bucket 5/s, 25 % others', 3.75, (random) =>
      server.shared(serverOf('token bucket 5/s'), 1.25, random),
    ),
  ]),
  classOf('impolite neighbours', 90, 5, [
    // Half of the limit is the fair share: they would send 4/s, and do not slow down.
    unknown('token bucket 5/s, 8 in flight', 2.5, (random) =>
      server.crowded(serverOf('token bucket 5/s'), 8, 2000, random),
    ),
  ]),
  classOf('limit changes once', 90, 2, [
    changed('token bucket 5/s, doubled', 'token bucket 5/s b10', 'token bucket 10/s b20'),
    changed('fixed 300/60s, doubled', 'fixed 300/60s', 'fixed 600/60s'),
    changed('sliding log 300/60s, halved', 'sliding log 300/60s', 'sliding log 150/60s'),
  ]),
  classOf('limit swings, 6/s and 2/s', 90, 2, [
    unknown('each 20 s', 4, swinging),
    unknown('each 20 s, fast', 4, swinging),
  ]),
  classOf('blocked for 5 s, 20 per 5 s', 90, 2, [
    shape('blocked', 4, blocked),
    shape('blocked, fast', 4, blocked),
  ]),
  classOf('two pods of 4/s, by connection', 90, 2, [shape('pods', 8, pods), shape('pods, fast', 8, pods)]),
  classOf('GCRA without burst, 8/s', 90, 2, shapes('GCRA 8/s b1; GCRA 8/s b1, fast')),
  classOf(
    'leaky queue that says 503',
    90,
    2,
    [
      shape('queue of 8', 4, () => server.leakyQueue(4, 8)),
      shape('queue of 8, fast', 4, () => server.leakyQueue(4, 8)),
      shape('queue of 30, fast', 4, () => server.leakyQueue(4, 30)),
      shape('queue of 10 at 2/s', 2, () => server.leakyQueue(2, 10)),
    ],
    { lost: 0.5 },
  ),
  classOf(
    'own queue: 4 workers of 0.5 s',
    90,
    0,
    [
      unknown('4 workers', 8, () => server.workers(4), { load: { medianMs: 500, sigma: 0.1 } }),
      unknown('4 workers, lognormal', 8, () => server.workers(4), { load: { medianMs: 418, sigma: 0.6 } }),
    ],
    { p95: 4 },
  ),
  // What is no limit: it must not slow the run down for long.
  classOf('no limit, in trouble', 90, 100, [
    free('no trouble', () => server.limited([])),
    unknown('down for 20 s', 0, () => server.down(server.limited([]), 10_000, 30_000), {
      sustained: (calls, meanAnswerMs) => calls / ((calls * meanAnswerMs) / 64_000 + 20),
    }),
    failing(500, 0.05),
    failing(503, 0.02),
    failing(503, 0.1),
    unknown(
      'answers three times slower',
      0,
      () => server.changing(server.slower(1), server.slower(3), 10_000),
      { sustained: (_, meanAnswerMs) => 25_600 / meanAnswerMs },
    ),
  ]),
]
