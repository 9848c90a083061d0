// Protects `estimate`, which needs no key and no call, and the share of the allowance in every command.
import { step, type Scenario } from './play.ts'
import { LONG, LONG_CONVERSATION } from './sets.ts'

const TWO = 'thread,message,tags\na,Where?,x\na,And then?,x\n,Who?,y\n'

export const ESTIMATES: readonly Scenario[] = [
  {
    name: 'estimate: calls at best and at worst, without a key and without a call; the worst run stays within',
    set: LONG,
    sandbox: { faults: [{ kind: 'server-error', when: { message: 'Where does' } }] },
    steps: [
      step('estimate set.csv --json', 0, {
        env: { ASSIST_API_KEY: '' },
        json: { 'calls.base': 6, 'calls.worst': 12 },
        written: [],
      }),
      step('run set.csv --out out', 1, {
        figures: 'failed; answered 5, server_error 1; grounded 5 of 5; errors 500 1; certain 10, possible 2',
      }),
    ],
    ledger: 'calls 12, counted 12, answered 10, faulted 2',
    conversations: [LONG_CONVERSATION, LONG_CONVERSATION],
  },
  {
    name: 'estimate: selection, repeats, budget and --on-ambiguous count as in a run',
    set: TWO,
    account: [],
    steps: [
      step('estimate set.csv --tag x --repeat 3 --json', 0, { json: { 'calls.base': 6, 'calls.worst': 12 } }),
      step('estimate set.csv --max-calls 2 --on-ambiguous fail --json', 0, {
        json: { 'calls.base': 2, 'calls.worst': 2, maxCalls: 2 },
      }),
      // Two conversations in three shards.
      step('estimate set.csv --shard 3/3 --json', 0, {
        json: { questions: 0, 'calls.base': 0, 'calls.worst': 0, messages: [] },
        says: [
          /^Estimate: set\.csv +0 questions in 0 conversations$/m,
          /^ {2}Calls +0 +at most 0; a 429 does not count$/m,
        ],
      }),
    ],
  },
  {
    name: 'estimate: targets without keys and several sets, each separately; options of run are accepted',
    set: TWO,
    account: [],
    env: { ASSIST_BASE_URL: '', ASSIST_API_KEY: '' },
    files: {
      'other.csv': 'message\nWhy?\n',
      'faulty.csv': 'id,message\na,\na,x\na,y\n',
      'two.yaml': `quota: 1000
targets:
  a: { baseUrl: https://a.example.com, rate: 60/min }
  b: { baseUrl: https://b.example.com, onAmbiguous: fail, quota: 30 }
`,
    },
    steps: [
      step(
        `estimate set.csv other.csv --config two.yaml --target a --target b --json --timeout 5s --threshold 'errors<=1%' --out nowhere`,
        0,
        {
          json: {
            '0.target': 'a',
            '0.calls.worst': 8,
            '0.quota.calls': 1000,
            '0.quota.period': 'month',
            '1.target': 'b',
            '1.calls.worst': 4,
            '1.quota.calls': 30,
            '1.files.0.path': 'set.csv',
            '1.files.0.calls.base': 3,
            '1.files.1.path': 'other.csv',
            '1.files.1.calls.base': 1,
            '1.nightly.base': 122,
          },
          says: /^Estimate: set\.csv, other\.csv · b +4 questions in 3 conversations$/m,
          written: [],
        },
      ),
      ...['estimate faulty.csv', 'run faulty.csv --sandbox'].map((run) =>
        step(run, 2, {
          says: /^faulty\.csv:2: the row has no message; write the question, or clear the whole row\n(?:faulty\.csv:[34]: the id "a" is already in line 2; give each question its own id, or clear the cell\n){2}3 faults; nothing was sent\n$/,
        }),
      ),
    ],
  },
  {
    name: 'the allowance is shown after a run, judged by thresholds, and changed by report, resume and compare',
    set: TWO,
    account: ['whole', 'cut'],
    steps: [
      step(
        `run set.csv --out whole --quota 100 --threshold 'quota.shareOfQuota<=5%' --threshold 'quota.shareOfQuota[x]<=2%'`,
        0,
        {
          folder: 'whole',
          says: /^ {2}Calls counted +3 +0\/3 got 429 · 3\.0 % of the quota$/m,
          summary: {
            'quota.max': 3,
            'quota.shareOfQuota': 0.03,
            'run.quota': { calls: 100, period: 'month' },
            'tags.x.quota.shareOfQuota': 0.02,
          },
          shows: { 'whole/report.html': /Every night, share.*?>91\.3 %</ },
        },
      ),
      step('report whole --quota 30', 1, {
        folder: 'whole',
        summary: { 'quota.shareOfQuota': 0.1, 'run.quota.calls': 30 },
      }),
      step('run set.csv --out cut --max-calls 1', 4),
      step('run --resume cut --max-calls 9 --quota 10', 0, {
        folder: 'cut',
        summary: { 'quota.shareOfQuota': 0.3 },
      }),
      step('compare whole cut --quota 60 --json --out compared', 0, {
        shows: { 'compared/comparison.md': /^\| The same, every night \| 152\.2 % \| 152\.2 % /m },
        json: {
          'candidates.0.quota.baseline.shareOfQuota': 0.05,
          'candidates.0.quota.candidate.shareOfQuota': 0.05,
        },
      }),
    ],
  },
]
