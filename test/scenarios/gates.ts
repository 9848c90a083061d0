// Protects the gates of a run: thresholds, must_pass, repeats, a baseline.
import { step, type Scenario } from './play.ts'
import { EXPECTING, SMALL } from './sets.ts'

/** The second of three answers to its question is not grounded. */
const FLAKY = {
  set: 'id,message,expect_source\nvpn,How do I set up the VPN?,KNOWLEDGE_BASE\n',
  sandbox: {
    faults: [{ kind: 'unknown-status', status: 'success', contextSource: 'WEB', when: { calls: [2] } }],
  },
} satisfies Partial<Scenario>

export const GATES: readonly Scenario[] = [
  {
    name: 'thresholds: all pass (0), one fails (1), one has no value (1), a metric or a tag does not exist (2)',
    set: SMALL,
    steps: [
      step(
        `run set.csv --out out --threshold 'coverage>=75%' --threshold 'errors<=1%' --threshold 'latency.p95<60s' --threshold 'coverage[network]>=0.9' --threshold 'turns.answered>=4' --threshold 'grounded[network]>=90%'`,
        0,
        { summary: { verdict: 'passed', 'thresholds.0.passed': true, 'thresholds.0.value': 0.75 } },
      ),
      step(`report out --threshold 'coverage>=80%'`, 1, {
        summary: { verdict: 'failed', 'thresholds.0.passed': false, 'thresholds.0.value': 0.75 },
      }),
      step(`report out --threshold 'passed>=50%'`, 1, {
        summary: { verdict: 'failed', 'thresholds.0.passed': false, 'thresholds.0.value': null },
      }),
      step(`report out --threshold 'groundedness>=80%'`, 2, {
        error: `--threshold 'groundedness>=80%' names 'groundedness', which is not a figure of summary.json; did you mean grounded?`,
      }),
      step(`report out --threshold 'coverage[fnu]>=80%'`, 2, {
        error: `--threshold 'coverage[fnu]>=80%': no question has the tag 'fnu'; did you mean fun?`,
      }),
      step('report out', 0, { summary: { verdict: 'passed', 'thresholds.length': 6 } }),
    ],
  },
  {
    name: 'a failed must_pass question fails the run although the threshold on passed is met',
    set: EXPECTING.replace('gate.example.com', 'gate.example.org'),
    steps: [
      step(`run set.csv --out out --threshold 'passed>=0%'`, 1, {
        summary: { verdict: 'failed', 'expectations.passed': 2, 'mustPass.0.id': 'vpn' },
      }),
    ],
  },
  {
    name: 'a question that fails once in three repeats passes with the policies majority and any, but not all',
    ...FLAKY,
    steps: [
      step('run set.csv --out out --repeat 3', 1, {
        figures: 'failed; answered 3; grounded 2 of 3; expectations failed 1; certain 3',
        results: ['id|repeat|passed', 'vpn|1|true', 'vpn|2|false', 'vpn|3|true'],
        summary: { 'flaky.0.id': 'vpn' },
      }),
      step('report out --pass-policy majority', 0, {
        summary: { verdict: 'passed', 'expectations.passed': 1 },
      }),
      step('report out --pass-policy any', 0, { summary: { verdict: 'passed', 'expectations.passed': 1 } }),
      step('run set.csv --out again --repeat 3 --pass-policy any', 0),
      // Both by the policy of the newer run.
      step('compare out again --out compared', 0, {
        says: /No question changed its grounding or its result/,
      }),
    ],
    account: ['out', 'again'],
    conversations: Array.from({ length: 6 }, () => ['How do I set up the VPN?']),
  },
  {
    name: 'a --baseline that does not exist yet is a note, on the command line and in the config file',
    set: SMALL,
    account: ['out', 'again'],
    files: { 'nightly.yaml': 'baseline: accepted\nfailOn: [grounding]\n' },
    steps: [
      step('run set.csv --out out --baseline accepted --fail-on grounding', 0, {
        says: /^Note: --baseline accepted does not exist yet; nothing is compared$/m,
        summary: { verdict: 'done', comparison: null },
      }),
      step('run set.csv --out again --config nightly.yaml --alpha 0.01', 0, {
        folder: 'again',
        says: /does not exist yet/,
        summary: { comparison: null },
      }),
      step('report out --baseline accepted', 0, { says: /does not exist yet/ }),
    ],
  },
]
