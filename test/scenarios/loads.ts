// Protects a load test: what it offers, its verdict, and how it ends.
import { step, type Scenario, type SandboxConfig } from './play.ts'

const ONE = 'message\nHow do I set up the VPN?\n'
/** Answers 37 of 100 calls. */
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
    name: 'a load test without thresholds is done, not passed, even if 63 % of its turns are not answered (0)',
    set: ONE,
    sandbox: LIMITED,
    steps: [
      step(OFFER, 0, {
        says: /^! Done · 63.0 % of the questions were not answered \(rate limited 63\);\s+no\s+threshold\s+was\s+given$/m,
        json: { verdict: 'done', exitCode: 0, ...REFUSED },
      }),
      step('report out --threshold rate429<=70% --json', 0, {
        json: { verdict: 'passed', exitCode: 0, ...REFUSED },
      }),
      step('report out --threshold rate429<=50% --json', 1, {
        json: { verdict: 'failed', exitCode: 1, ...REFUSED },
      }),
    ],
    ledger: 'calls 100, counted 37, answered 37, rate_limited 63',
  },
  {
    name: 'a load test offers what its timetable says, and drops threads beyond --max-in-flight',
    set: ONE,
    sandbox: { latency: { kind: 'constant', delay: '5s' } },
    steps: [
      step(
        'load set.csv --stages 1s:0/s --arrival-rate 20/s --max-in-flight 1 --max-calls 5 --out out --json',
        0,
        {
          says: /^! Done · 90.0 % of the conversations were dropped; no threshold was given$/m,
          json: { verdict: 'done', 'offered.threads': 10, 'dropped.threads': 9, 'turns.answered': 1 },
        },
      ),
    ],
    ledger: 'calls 1, counted 1, answered 1',
  },
  {
    name: 'an unreachable endpoint makes the load test incomplete (4), and fails no gate',
    set: ONE,
    account: [],
    steps: [
      step('load set.csv --base-url http://127.0.0.1:9 --arrival-rate 20/s --duration 1s --out out', 4, {
        says: /^! Incomplete · no call of 20 got an HTTP status \(ECONNREFUSED\): the endpoint is\s+unreachable or down/m,
      }),
    ],
  },
  {
    name: 'an unknown key ends a load test at its first answer (3), a used-up budget at its last call (4)',
    set: ONE,
    account: ['key', 'budget'],
    steps: [
      step('load set.csv --arrival-rate 1/s --duration 1m --out key', 3, {
        env: { ASSIST_API_KEY: 'not-the-key-0123456789' },
        holds: { 'key/run.json': { state: 'incomplete' } },
      }),
      step('load set.csv --arrival-rate 10/s --duration 1m --max-calls 3 --out budget', 4, {
        holds: { 'budget/run.json': { state: 'incomplete' }, 'budget/load.json': { 'offered.rate': 10 } },
      }),
    ],
    ledger: 'calls 4, counted 3, answered 3, unauthorized 1',
  },
  {
    name: 'Ctrl-C (130) ends a load test, and calls in flight are recorded',
    set: ONE,
    sandbox: { latency: { kind: 'constant', delay: '2s' } },
    steps: [
      step('load set.csv --arrival-rate 10/s --duration 1m --out out', 130, {
        stop: { after: 3, by: ['SIGINT'] },
        holds: { 'out/run.json': { state: 'interrupted' }, 'out/load.json': { 'quota.possible': 0 } },
      }),
    ],
  },
]
