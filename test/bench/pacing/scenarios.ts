// Limits of endpoints, in classes. Hidden ones check the policy and are not used for tuning; but "sliding log 8/1s" and "sliding log
// 60/60s, always 5" were traced during tuning, and the figures of all were seen.
import * as server from './servers.ts'

export type ScenarioClass =
  | 'single window, log, counter'
  | 'windows up to 2 s'
  | 'bucket, GCRA, two-tier'
  | 'concurrency'
  | 'honest Retry-After or Reset'
  | 'RateLimit-Policy'
  | 'misleading Retry-After'
  | 'competition'
  | 'limit step'
  | 'GCRA without burst'

export interface Scenario {
  readonly name: string
  readonly kind: ScenarioClass
  readonly make: (random: () => number) => server.Server
  /** The sustained rate in calls per second, for that many calls. */
  readonly sustained: (calls: number, meanAnswerMs: number) => number
  /** The `--rate` of a user who knows the limit. */
  readonly known?: number
  readonly hidden?: boolean
}

const { limited, fixed, sliding, bucket, cells, slidingCounter } = server

const at = (
  kind: ScenarioClass,
  name: string,
  perSecond: number,
  make: Scenario['make'],
  more: Partial<Scenario> = {},
): Scenario => ({ name, kind, make, sustained: () => perSecond, known: perSecond, ...more })

const WINDOW = 'single window, log, counter'
const SHORT = 'windows up to 2 s'
const BUCKET = 'bucket, GCRA, two-tier'
const HONEST = 'honest Retry-After or Reset'
const MISLEADING = 'misleading Retry-After'

const atOnce = (most: number): Partial<Scenario> => ({
  sustained: (_, meanAnswerMs) => (most * 1000) / meanAnswerMs,
})
const unknown = (scenario: Scenario): Scenario => {
  const { known: _, ...rest } = scenario
  return rest
}
/** The mean rate if the limit changes after that many seconds. */
const stepped = (before: number, after: number, seconds: number): Partial<Scenario> => ({
  sustained: (calls) => {
    const first = before * seconds
    return calls <= first ? before : calls / (seconds + (calls - first) / after)
  },
})
const policyHeader = (field: string) => ({ 'ratelimit-policy': field })

export const scenarios: readonly Scenario[] = [
  at(WINDOW, 'fixed 60/60s', 1, () => limited([fixed(60, 60)])),
  at(WINDOW, 'fixed 300/60s', 5, () => limited([fixed(300, 60)])),
  at(WINDOW, 'sliding log 300/60s', 5, () => limited([sliding(300, 60)])),
  at(WINDOW, 'sliding log 60/60s', 1, () => limited([sliding(60, 60)])),
  at(WINDOW, 'log 60/60s, rejects consume', 1, () => server.slidingWithRejects(60, 60)),
  at(WINDOW, 'sliding counter 300/60s', 5, () => limited([slidingCounter(300, 60)])),
  at(WINDOW, 'fixed 90/30s', 3, () => limited([fixed(90, 30)]), { hidden: true }),
  at(WINDOW, 'sliding log 40/10s', 4, () => limited([sliding(40, 10)]), { hidden: true }),
  // The 20th second is hard to hit: its log opens while the probe at 15 s is still being refused, and 30 s is next.
  at(WINDOW, 'sliding log 100/20s', 5, () => limited([sliding(100, 20)]), { hidden: true }),
  at(WINDOW, 'fixed 1000/3600s', 1000 / 3600, () => limited([fixed(1000, 3600)]), { hidden: true }),
  at(SHORT, 'fixed 10/1s', 10, () => limited([fixed(10, 1)])),
  at(SHORT, 'fixed 20/2s', 10, () => limited([fixed(20, 2)])),
  at(SHORT, 'sliding log 8/1s', 8, () => limited([sliding(8, 1)]), { hidden: true }),
  at(BUCKET, 'token bucket 1/s b20', 1, () => limited([bucket(1, 20)])),
  at(BUCKET, 'token bucket 5/s b10', 5, () => limited([bucket(5, 10)])),
  at(BUCKET, 'GCRA 8/s b4', 8, () => limited([cells(8, 4)])),
  at(BUCKET, '10/s + 200/min', 200 / 60, () => limited([fixed(10, 1), fixed(200, 60)])),
  at(BUCKET, '5/s + 100/min', 100 / 60, () => limited([fixed(5, 1), fixed(100, 60)]), { hidden: true }),
  at(BUCKET, 'token bucket 3/s b60', 3, () => limited([bucket(3, 60)]), { hidden: true }),
  unknown(at('concurrency', 'at once 10', 0, () => server.concurrent(10), atOnce(10))),
  unknown(at('concurrency', 'at once 4', 0, () => server.concurrent(4), atOnce(4))),
  unknown(at('concurrency', 'at once 20', 0, () => server.concurrent(20), { ...atOnce(20), hidden: true })),
  at(HONEST, 'fixed 60/60s, seconds', 1, () => limited([fixed(60, 60)], server.retryAfter)),
  at(HONEST, 'fixed 300/60s, seconds', 5, () => limited([fixed(300, 60)], server.retryAfter)),
  at(HONEST, 'token bucket 5/s, seconds', 5, () => limited([bucket(5, 10)], server.retryAfter)),
  at(HONEST, 'fixed 60/60s, RateLimit', 1, () => limited([fixed(60, 60)], server.ietfFields)),
  at(HONEST, 'fixed 300/60s, X-RateLimit', 5, () => limited([fixed(300, 60)], server.xReset), {
    hidden: true,
  }),
  at('RateLimit-Policy', '"a";q=60;w=60', 1, () =>
    limited([fixed(60, 60)], server.silent, policyHeader('"a";q=60;w=60')),
  ),
  at('RateLimit-Policy', '10;w=1, 200;w=60', 200 / 60, () =>
    limited([fixed(10, 1), fixed(200, 60)], server.silent, policyHeader('10;w=1, 200;w=60')),
  ),
  at(MISLEADING, 'fixed 60/60s, always 0', 1, () => limited([fixed(60, 60)], server.alwaysRetryAfter(0))),
  at(MISLEADING, 'fixed 300/60s, always 1', 5, () => limited([fixed(300, 60)], server.alwaysRetryAfter(1))),
  at(MISLEADING, 'token bucket 5/s, always 60', 5, () =>
    limited([bucket(5, 10)], server.alwaysRetryAfter(60)),
  ),
  at(
    MISLEADING,
    'sliding log 60/60s, always 5',
    1,
    () => limited([sliding(60, 60)], server.alwaysRetryAfter(5)),
    {
      hidden: true,
    },
  ),
  at('competition', 'fixed 300/60s, 50 % others', 2.5, (random) =>
    server.shared(limited([fixed(300, 60)]), 2.5, random),
  ),
  at('competition', 'token bucket 5/s, 25 % others', 3.75, (random) =>
    server.shared(limited([bucket(5, 10)]), 1.25, random),
  ),
  at(
    'limit step',
    'token bucket 5/s, doubled',
    5,
    () => server.changing(limited([bucket(5, 10)]), limited([bucket(10, 20)]), 100_000),
    stepped(5, 10, 100),
  ),
  at(
    'limit step',
    'sliding log 300/60s, halved',
    5,
    () => server.changing(limited([sliding(300, 60)]), limited([sliding(150, 60)]), 100_000),
    stepped(5, 2.5, 100),
  ),
  at('GCRA without burst', 'GCRA 8/s b1', 8, () => limited([cells(8, 1)])),
].map((scenario) => (scenario.kind === 'limit step' ? unknown(scenario) : scenario))
