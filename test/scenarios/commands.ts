// The commands beside run, and what run prints for programs.
import { expect } from 'vitest'
import { step, type Scenario } from './play.ts'
import { EXPECTING, MANY, SMALL, SMALL_CONVERSATIONS } from './sets.ts'

const gate = (rule: string, passed: boolean): unknown => expect.objectContaining({ rule, passed })

export const COMMANDS: readonly Scenario[] = [
  {
    name: 'sandbox: the program serves articles, keys and faults of its own config file',
    isSandboxProgram: true,
    set: SMALL,
    sandbox: { faults: [{ kind: 'fresh-conversation', when: { message: 'permit' } }] },
    steps: [
      step('run set.csv --out out', 0, {
        figures:
          'passed, complete; total 4, answered 4, contextLost 1; grounded 2 of 3; expectations none 4; usage certain 4',
      }),
    ],
    ledger: 'calls 4, counted 4, answered 4',
  },
  {
    name: 'run --sandbox needs neither address nor key',
    set: SMALL,
    account: [],
    env: { ASSIST_BASE_URL: '', ASSIST_API_KEY: '' },
    steps: [
      step('run set.csv --out out --sandbox', 0, {
        summary: { verdict: 'passed', 'turns.answered': 4, 'quota.certain': 4 },
      }),
    ],
    ledger: '',
  },
  {
    name: '--json prints summary.json alone on stdout; --quota says what share of the allowance the run used',
    set: SMALL,
    steps: [
      step('run set.csv --out out --json --quota 100', 0, {
        json: {
          formatVersion: 2,
          verdict: 'passed',
          'turns.answered': 4,
          'coverage.rate': 0.75,
          'quota.max': 4,
          'quota.shareOfQuota': 0.04,
        },
      }),
      step('report out --json --quota 8', 0, { json: { verdict: 'passed', 'quota.shareOfQuota': 0.5 } }),
    ],
  },
  {
    name: 'validate: a valid set (0) and one with two faults (2), without a call',
    set: EXPECTING,
    account: [],
    files: { 'bad.csv': 'id,message,expect_regex\na,Why?,(\na,How?,x\n' },
    steps: [
      step('validate set.csv --json', 0, { json: { 'survey.turns': 4, 'survey.threads': 4 }, written: [] }),
      step('validate bad.csv', 2, { says: [/^bad\.csv:2: /m, /^bad\.csv:3: /m] }),
    ],
    ledger: '',
  },
  {
    name: 'compare: the same answers (0), a grounding that is lost beyond noise (1), and --fail-on none (0)',
    set: MANY,
    account: ['first', 'same', 'worse'],
    sandbox: {
      faults: [
        {
          kind: 'unknown-status',
          status: 'success',
          contextSource: 'WEB',
          when: { calls: [33, 34, 35, 36, 37, 38, 39, 40] },
        },
      ],
    },
    steps: [
      step('run set.csv --out first', 0),
      step('run set.csv --out same', 0),
      step('run set.csv --out worse', 0),
      step('compare first same --json', 0, {
        json: {
          verdict: 'passed',
          'candidates.0.overlap.shared': 16,
          'candidates.0.grounding.baseline': 1,
          'candidates.0.grounding.candidate': 1,
          'candidates.0.gates': [gate('must-pass', true), gate('grounding', true), gate('verdicts', true)],
        },
      }),
      step('compare first worse --json', 1, {
        json: {
          verdict: 'failed',
          'candidates.0.overlap.shared': 16,
          'candidates.0.grounding.baseline': 1,
          'candidates.0.grounding.candidate': 0.5,
          'candidates.0.gates': [gate('must-pass', true), gate('grounding', false), gate('verdicts', true)],
        },
      }),
      step('compare first worse --fail-on none --json', 0, {
        json: {
          verdict: 'passed',
          'candidates.0.overlap.shared': 16,
          'candidates.0.grounding.baseline': 1,
          'candidates.0.grounding.candidate': 0.5,
          'candidates.0.gates': [],
        },
      }),
    ],
    ledger: 'calls 48, counted 48, answered 48',
  },
  {
    name: 'history: two runs of one set, in the order of their days',
    set: SMALL,
    account: ['runs/first', 'runs/second'],
    steps: [
      step('run set.csv --out runs/first', 0),
      step('run set.csv --out runs/second', 0),
      step('history runs --out told --json', 0, {
        json: {
          'series.0.sets': ['set.csv'],
          'series.0.runs.0.folder': 'first',
          'series.0.runs.1.folder': 'second',
          'series.0.runs.1.coverage.rate': 0.75,
        },
        written: ['runs', 'told'],
      }),
    ],
  },
  {
    name: 'load: six conversations arrive, whatever the answers do; each goes on in its own conversation',
    set: SMALL,
    steps: [
      step('load set.csv --arrival-rate 20/s --duration 300ms --out out', 0, {
        holds: {
          'out/load.json': {
            state: 'complete',
            'offered.threads': 6,
            'turns.answered': 8,
            'responseMs.count': 8,
            'quota.certain': 8,
          },
        },
      }),
    ],
    ledger: 'calls 8, counted 8, answered 8',
    conversations: [...SMALL_CONVERSATIONS, ...SMALL_CONVERSATIONS],
  },
  {
    name: 'load: a 429 is a refusal that ends its conversation; a threshold on it fails the test (1)',
    set: SMALL,
    sandbox: { faults: [{ kind: 'refusal', status: 429, when: { message: 'VPN' } }] },
    steps: [
      step(`load set.csv --arrival-rate 10/s --duration 300ms --out out --threshold 'rate429<=10%'`, 1, {
        holds: {
          'out/load.json': {
            verdict: 'failed',
            'turns.rate_limited': 1,
            'turns.skipped': 1,
            'turns.answered': 2,
            'quota.notCounted': 1,
          },
        },
      }),
    ],
    ledger: 'calls 3, counted 2, answered 2, faulted 1',
  },
]
