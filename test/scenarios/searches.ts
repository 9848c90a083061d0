// Protects `load --find-limit`: its bounds, and how it ends without a known limit.
import { expect } from 'vitest'
import { step, type Scenario } from './play.ts'
import { SMALL } from './sets.ts'

const SEARCH = 'load set.csv --find-limit'
/** Reached after ten calls at any rate, and not reset within the time of a test. */
const WINDOW = {
  rules: [{ kind: 'sliding-window' as const, limit: 10, window: '1h' }],
  retryAfter: 'none' as const,
}
const reason = (pattern: RegExp): unknown => expect.stringMatching(pattern)
const atMost = (most: number): unknown => expect.toSatisfy((value: number) => value <= most)

export const SEARCHES: readonly Scenario[] = [
  {
    name: 'load --find-limit: if no call of its budget is refused, the limit is not reached (0)',
    set: SMALL,
    steps: [
      step(`${SEARCH} --max-calls 20 --out out`, 0, {
        says: [
          /^ +Limit +unknown +not reached: none of 20 calls was refused$/m,
          // It recommends no rate.
          /^(?![^]*To use it)/,
        ],
        holds: {
          'out/limit.json': {
            verdict: 'unmet',
            'finding.kind': 'none-met',
            'calls.sent': 20,
            'calls.refused': 0,
            'quota.certain': 20,
          },
        },
      }),
    ],
    ledger: 'calls 20, counted 20, answered 20',
  },
  {
    name: 'load --find-limit: calls or time are used up before the limit is known (4)',
    set: SMALL,
    sandbox: { latency: { kind: 'constant', delay: '30ms' }, rateLimit: WINDOW },
    account: ['budget', 'time'],
    steps: (
      [
        ['--max-calls 16 --out budget', 16, /call budget of 16 is used up \(--max-calls\)/],
        ['--duration 1s --out time', 50, /time is up after 1 s \(--duration\)/],
      ] as const
    ).map(([words, most, said]) =>
      step(`${SEARCH} ${words}`, 4, {
        holds: {
          [`${words.split(' ').at(-1)}/limit.json`]: {
            verdict: 'unknown',
            reason: reason(said),
            'calls.sent': atMost(most),
          },
        },
      }),
    ),
  },
  {
    name: 'load --find-limit: an unknown key ends it (3)',
    set: SMALL,
    env: { ASSIST_API_KEY: 'not-the-key-0123456789' },
    steps: [
      step(`${SEARCH} --out out`, 3, {
        holds: {
          'out/limit.json': {
            exitCode: 3,
            'calls.accepted': 0,
            'calls.sent': atMost(29),
            reason: reason(/rejected the key/),
          },
        },
      }),
    ],
  },
  {
    name: 'load --find-limit: nothing but failures ends it soon (4)',
    set: SMALL,
    sandbox: { faults: [{ kind: 'server-error', status: 503 }] },
    steps: [
      step(`${SEARCH} --out out`, 4, {
        holds: {
          'out/limit.json': {
            exitCode: 4,
            'calls.accepted': 0,
            'calls.sent': atMost(29),
            reason: reason(/only failures .*503 /),
          },
        },
      }),
    ],
  },
  ...(
    [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const
  ).map(([signal, code]): Scenario => ({
    name: `load --find-limit: ${signal} (${code}) loses no counted call`,
    set: SMALL,
    steps: [
      step(`${SEARCH} --out out`, code, {
        stop: { after: 5, by: [signal] },
        holds: { 'out/limit.json': { state: 'interrupted', 'calls.lost': 0 } },
      }),
    ],
  })),
  {
    name: 'load --find-limit: options from the config file',
    set: SMALL,
    account: ['search'],
    files: { 'search.yaml': 'findLimit: true\nmaxInFlight: 3\n' },
    steps: [
      step('load set.csv --config search.yaml --max-calls 2 --out search', 0, {
        holds: {
          'search/run.json': {
            kind: 'search',
            findLimit: { budget: 2, maxMs: 600_000, maxInFlight: 3, maxPerSecond: 50 },
          },
        },
      }),
    ],
  },
]
