// What a load test says of what it offered, and how it ends.
import type { Scenario, SandboxConfig } from './play.ts'

const ONE = 'message\nHow do I set up the VPN?\n'
/** Of 100 calls 37 are answered. */
const LIMITED: SandboxConfig = {
  rateLimit: { rules: [{ kind: 'token-bucket', limit: 1, window: '20m', burst: 37 }] },
}
const OFFER = 'load set.csv --arrival-rate 100/s --duration 1s --out out --json'

const REFUSED = {
  'offered.threads': 100,
  'turns.answered': 37,
  'turns.rate_limited': 63,
  'pacing.rate429': 0.63,
  'quota.certain': 37,
  'quota.notCounted': 63,
} as const

export const LOADS: readonly Scenario[] = [
  {
    name: 'a load test without thresholds is done, not passed, though 63 % of its turns were not answered (0)',
    set: ONE,
    sandbox: LIMITED,
    steps: [
      {
        run: OFFER,
        code: 0,
        says: /^✓ Done · 63 % of the questions were not answered; no threshold was given$/m,
        json: { verdict: 'done', exitCode: 0, ...REFUSED },
      },
      {
        run: 'report out --threshold rate429<=70% --json',
        code: 0,
        json: { verdict: 'passed', exitCode: 0, ...REFUSED },
      },
      {
        run: 'report out --threshold rate429<=50% --json',
        code: 1,
        json: { verdict: 'failed', exitCode: 1, ...REFUSED },
      },
    ],
    ledger: 'calls 100, counted 37, answered 37, rate_limited 63',
  },
  {
    name: 'a load test offers what its timetable says, and a thread for which there is no room is dropped',
    set: ONE,
    sandbox: { latency: { kind: 'constant', delay: '5s' } },
    steps: [
      {
        run: 'load set.csv --stages 1s:0/s --arrival-rate 20/s --max-in-flight 1 --max-calls 5 --out out --json',
        code: 0,
        json: { verdict: 'done', 'offered.threads': 10, 'dropped.threads': 9, 'turns.answered': 1 },
      },
    ],
    ledger: 'calls 1, counted 1, answered 1',
  },
  {
    name: 'options of load that version 0.1 had are unknown (2)',
    set: ONE,
    steps: ['--retry-429', '--abort-on errors>10%', '--warm-up 1s', '--graceful-stop 1s', '--closed 2'].map(
      (option) => ({
        run: `load set.csv --arrival-rate 5/s --duration 1s ${option}`,
        code: 2,
        error: `unknown option ${option.split(' ')[0]}`,
        written: [],
      }),
    ),
    account: [],
  },
]
