// What decides a run, and that its exit code, its summary and junit.xml say the same.
import { step, type Scenario } from './play.ts'
import { ALL_FOUR, EXPECTING, SMALL } from './sets.ts'

export const DECISIONS: readonly Scenario[] = [
  {
    name: 'a quota that is spent until next month ends the run at once (4), and the message names code and wait',
    set: SMALL,
    sandbox: {
      quota: { calls: 1, period: 'month' },
      rateLimit: { rules: [{ kind: 'token-bucket', limit: 1000, window: '1s' }], retryAfter: 'seconds' },
    },
    steps: [
      step('run set.csv --out out --give-up-after 10s', 4, {
        says: [
          /Incomplete\s+·\s+the\s+endpoint\s+asks\s+to\s+wait\s+\d+\s+\w+,\s+longer\s+than\s+--give-up-after\s+10\s+s\s+allows\s+\(429\s+QUOTA_EXHAUSTED/,
          /^ *Resume: npx assist-harness run --resume out$/m,
        ],
        figures: 'incomplete; answered 1, notAsked 3; grounded 1 of 1; certain 1, notCounted 1',
        shows: { 'out/summary.md': /^> ⚠️ Resume: npx assist-harness run --resume \S+$/m },
      }),
    ],
  },
  {
    name: 'hours that a 503 names end the run at once (4)',
    set: SMALL,
    sandbox: {
      faults: [
        { kind: 'server-error', stage: 'before', status: 503, retryAfter: 7200, when: { calls: [2] } },
      ],
    },
    steps: [
      step('run set.csv --out out --give-up-after 10s', 4, {
        says: /the\s+endpoint\s+asks\s+to\s+wait\s+2\s+h,\s+longer\s+than\s+--give-up-after\s+10\s+s\s+allows\s+\(503\s+SERVICE_FAILURE/,
        figures: 'incomplete; notAsked 4; grounded 0 of 0; certain 1, possible 1',
      }),
    ],
  },
  {
    name: 'the second that a 503 names is waited for before anything else is sent',
    set: SMALL,
    sandbox: {
      faults: [{ kind: 'server-error', stage: 'before', status: 503, retryAfter: 1, when: { calls: [2] } }],
    },
    steps: [
      step(`run set.csv --out out --threshold 'wait.max>=900ms'`, 0, {
        summary: { verdict: 'passed', 'turns.answered': 4, 'quota.possible': 1 },
      }),
    ],
  },
  {
    name: 'answers whose status is no success fail the run (1); a threshold on the status replaces the rule (0)',
    set: SMALL,
    sandbox: { faults: [{ kind: 'unknown-status', status: 'error' }] },
    steps: [
      step('run set.csv --out out', 1, {
        says: /^✗ Failed · answers\s+with\s+a\s+status\s+other\s+than\s+success:\s+4\s+of\s+4,\s+allowed\s+1%;\s+error:\s+4/m,
        figures: 'failed; answered 4; grounded 3 of 4; certain 4',
        red: ['status'],
      }),
      step(`report out --threshold 'status.error<=100%'`, 0, {
        figures: ALL_FOUR,
        red: [],
      }),
      step(`report out --threshold 'status.error<=3'`, 1, 'failed; answered 4; grounded 3 of 4; certain 4'),
    ],
  },
  {
    name: 'junit.xml fails a case for each gate that fails, and no question that fails no gate',
    set: EXPECTING,
    steps: [
      step(`run set.csv --out out --threshold 'coverage>=90%'`, 1, {
        red: ['toner', 'threshold coverage&gt;=90%', 'expectations'],
      }),
      step(`report out --threshold 'passed>=75%'`, 0, { red: [] }),
    ],
  },
  {
    name: 'a folder that holds only what a killed start left is used; one that holds a run is rejected (2)',
    set: SMALL,
    files: { 'out/lock': '', 'out/run.json.999999999.tmp': '{' },
    steps: [
      step('run set.csv --out out', 0, ALL_FOUR),
      step('run set.csv --out out', 2, { error: '--out out already holds a run; name another folder' }),
    ],
    ledger: 'calls 4, counted 4, answered 4',
  },
]
