// Protects the verdict of a run: exit code, summary.json and junit.xml agree.
import { step, type Scenario } from './play.ts'
import { ALL_FOUR, EXPECTING, SMALL } from './sets.ts'

export const DECISIONS: readonly Scenario[] = [
  {
    name: 'an exhausted monthly quota ends the run at once (4), and the message names code and wait',
    set: SMALL,
    sandbox: {
      quota: { calls: 1, period: 'month' },
      rateLimit: { rules: [{ kind: 'token-bucket', limit: 1000, window: '1s' }], retryAfter: 'seconds' },
    },
    steps: [
      step('run set.csv --out out --give-up-after 10s', 4, {
        says: [
          /Incomplete\s+·\s+the\s+endpoint\s+asks\s+to\s+wait\s+[\d.]+\s+\w+,\s+longer\s+than\s+--give-up-after\s+10\s+s\s+allows\s+\(429\s+QUOTA_EXHAUSTED/,
          /^ *Resume: npx assist-harness run --resume out$/m,
        ],
        figures: 'incomplete; answered 1, notAsked 3; grounded 1 of 1; certain 1, notCounted 1',
        shows: { 'out/summary.md': /^> ⚠️ Resume: npx assist-harness run --resume \S+$/m },
      }),
    ],
  },
  {
    name: 'a 503 that names a wait of hours ends the run at once (4)',
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
    name: 'a 503 that names a wait of a second delays the next call by a second',
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
    name: 'answers with a status other than success fail the run (1); a threshold on the status replaces the rule (0)',
    set: SMALL,
    sandbox: { faults: [{ kind: 'unknown-status', status: 'error' }] },
    steps: [
      step('run set.csv --out out', 1, {
        says: /^✗ Failed · answers\s+with\s+a\s+status\s+other\s+than\s+success:\s+4\s+of\s+4,\s+allowed\s+1%;\s+error:\s+4/m,
        figures: 'failed; answered 4; grounded 3 of 4; certain 4',
        red: ['status'],
      }),
      step(`report out --threshold 'status.error<=100%'`, 0, {
        figures: 'passed; answered 4; grounded 3 of 4; certain 4',
        red: [],
      }),
      step(`report out --threshold 'status.error<=3'`, 1, 'failed; answered 4; grounded 3 of 4; certain 4'),
    ],
  },
  {
    name: 'junit.xml has a failing case for each failed gate, and none for questions that fail no gate',
    set: EXPECTING,
    steps: [
      step(`run set.csv --out out --threshold 'coverage>=90%'`, 1, {
        red: ['toner', 'threshold coverage&gt;=90%', 'expectations'],
      }),
      step(`report out --threshold 'passed>=75%'`, 0, { red: [] }),
    ],
  },
  {
    name: 'a folder with only the files of a killed start is used; one with a run is rejected (2)',
    set: SMALL,
    files: { 'out/lock': '', 'out/run.json.tmp': '{' },
    steps: [
      step('run set.csv --out out', 0, ALL_FOUR),
      step('run set.csv --out out', 2, { error: '--out out already holds a run; name another folder' }),
    ],
    ledger: 'calls 4, counted 4, answered 4',
  },
  {
    name: '--continue starts where there is no run, finishes one, and judges one that is complete',
    set: SMALL,
    files: { 'out/lock': '', 'out/run.json.tmp': '{' },
    steps: [
      step('run set.csv --out out --continue --max-calls 2', 4),
      step('run set.csv --out out --continue --max-calls 9 --retry-errors', 0, ALL_FOUR),
      step(`run set.csv --out out --continue --threshold 'coverage>=90%'`, 1, {
        says: /Nothing is left to send/,
      }),
    ],
    ledger: 'calls 4, counted 4, answered 4',
  },
  {
    name: '--require-baseline ends before the first call where the baseline is missing (2)',
    set: SMALL,
    account: ['out', 'before'],
    steps: [
      step('run set.csv --out out --baseline before --require-baseline', 2, {
        error: '--baseline before does not exist, but is required; nothing was sent',
      }),
      step('run set.csv --out before', 0),
      step('run set.csv --out out --baseline before --require-baseline', 0),
      step('report out --baseline gone --require-baseline', 2, {
        error: '--baseline gone does not exist, but is required; nothing was written',
      }),
    ],
    ledger: 'calls 8, counted 8, answered 8',
  },
]
