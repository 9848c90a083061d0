// The commands beside run, and what run prints for programs.
import { expect } from 'vitest'
import type { Scenario } from './play.ts'
import { EXPECTING, LONG, LONG_CONVERSATION, MANY, SMALL, SMALL_CONVERSATIONS, ofFour } from './sets.ts'

const gate = (rule: string, passed: boolean): unknown => expect.objectContaining({ rule, passed })

export const COMMANDS: readonly Scenario[] = [
  {
    name: 'sandbox: the program serves articles, keys and faults of its own config file',
    isSandboxProgram: true,
    set: SMALL,
    sandbox: { faults: [{ kind: 'fresh-conversation', when: { message: 'permit' } }] },
    steps: [
      {
        run: 'run set.csv --out out',
        code: 0,
        figures: ofFour({ turns: 'total 4, answered 4, contextLost 1', grounded: '2 of 3' }),
      },
    ],
    ledger: 'calls 4, counted 4, answered 4',
  },
  {
    name: 'run --sandbox needs neither address nor key',
    set: SMALL,
    account: [],
    env: { ASSIST_BASE_URL: '', ASSIST_API_KEY: '' },
    steps: [
      {
        run: 'run set.csv --out out --sandbox',
        code: 0,
        summary: { verdict: 'passed', 'turns.answered': 4, 'quota.certain': 4 },
      },
    ],
    ledger: '',
  },
  {
    name: '--json prints summary.json alone on stdout; --quota says what share of the allowance the run used',
    set: SMALL,
    steps: [
      {
        run: 'run set.csv --out out --json --quota 100',
        code: 0,
        json: {
          formatVersion: 2,
          verdict: 'passed',
          'turns.answered': 4,
          'coverage.rate': 0.75,
          'quota.max': 4,
          'quota.shareOfQuota': 0.04,
        },
      },
      { run: 'report out --json --quota 8', code: 0, json: { verdict: 'passed', 'quota.shareOfQuota': 0.5 } },
    ],
  },
  {
    name: 'estimate: calls at best and at worst, without a key and without a call; the run that fails most stays within',
    set: LONG,
    sandbox: { faults: [{ kind: 'server-error', when: { message: 'Where does' } }] },
    steps: [
      {
        run: 'estimate set.csv --json',
        env: { ASSIST_API_KEY: '' },
        code: 0,
        json: { 'calls.base': 6, 'calls.worst': 12 },
        written: [],
      },
      {
        run: 'run set.csv --out out',
        code: 1,
        figures: {
          verdict: 'failed, complete',
          turns: 'total 6, answered 5, server_error 1',
          grounded: '5 of 5',
          errors: '500 1',
          expectations: 'none 6',
          usage: 'certain 10, possible 2',
        },
      },
    ],
    ledger: 'calls 12, counted 12, answered 10, faulted 2',
    conversations: [LONG_CONVERSATION, LONG_CONVERSATION],
  },
  {
    name: 'validate: a valid set (0) and one with two faults (2), without a call',
    set: EXPECTING,
    account: [],
    files: { 'bad.csv': 'id,message,expect_regex\na,Why?,(\na,How?,x\n' },
    steps: [
      {
        run: 'validate set.csv --json',
        code: 0,
        json: { 'survey.turns': 4, 'survey.threads': 4 },
        written: [],
      },
      { run: 'validate bad.csv', code: 2, says: [/^bad\.csv:2: /m, /^bad\.csv:3: /m] },
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
      { run: 'run set.csv --out first', code: 0 },
      { run: 'run set.csv --out same', code: 0 },
      { run: 'run set.csv --out worse', code: 0 },
      {
        run: 'compare first same --json',
        code: 0,
        json: {
          verdict: 'passed',
          'candidates.0.overlap.shared': 16,
          'candidates.0.grounding.baseline': 1,
          'candidates.0.grounding.candidate': 1,
          'candidates.0.gates': [gate('must-pass', true), gate('grounding', true), gate('verdicts', true)],
        },
      },
      {
        run: 'compare first worse --json',
        code: 1,
        json: {
          verdict: 'failed',
          'candidates.0.overlap.shared': 16,
          'candidates.0.grounding.baseline': 1,
          'candidates.0.grounding.candidate': 0.5,
          'candidates.0.gates': [gate('must-pass', true), gate('grounding', false), gate('verdicts', true)],
        },
      },
      {
        run: 'compare first worse --fail-on none --json',
        code: 0,
        json: {
          verdict: 'passed',
          'candidates.0.overlap.shared': 16,
          'candidates.0.grounding.baseline': 1,
          'candidates.0.grounding.candidate': 0.5,
          'candidates.0.gates': [],
        },
      },
    ],
    ledger: 'calls 48, counted 48, answered 48',
  },
  {
    name: 'history: two runs of one set, in the order of their days',
    set: SMALL,
    account: ['runs/first', 'runs/second'],
    steps: [
      { run: 'run set.csv --out runs/first', code: 0 },
      { run: 'run set.csv --out runs/second', code: 0 },
      {
        run: 'history runs --out told --json',
        code: 0,
        json: {
          'series.0.sets': ['set.csv'],
          'series.0.runs.0.folder': 'first',
          'series.0.runs.1.folder': 'second',
          'series.0.runs.1.coverage.rate': 0.75,
          'months.0.max': 8,
        },
        written: ['runs', 'told'],
      },
    ],
  },
  {
    name: 'load: six conversations arrive, whatever the answers do; each goes on in its own conversation',
    set: SMALL,
    steps: [
      {
        run: 'load set.csv --arrival-rate 20/s --duration 300ms --out out',
        code: 0,
        holds: {
          'out/load.json': {
            state: 'complete',
            'offered.threads': 6,
            'turns.answered': 8,
            'responseMs.count': 8,
            'quota.certain': 8,
          },
        },
      },
    ],
    ledger: 'calls 8, counted 8, answered 8',
    conversations: [...SMALL_CONVERSATIONS, ...SMALL_CONVERSATIONS],
  },
  {
    name: 'load: a 429 is a refusal that ends its conversation; a threshold on it fails the test (1)',
    set: SMALL,
    sandbox: { faults: [{ kind: 'refusal', status: 429, when: { message: 'VPN' } }] },
    steps: [
      {
        run: `load set.csv --arrival-rate 10/s --duration 300ms --out out --threshold 'rate429<=10%'`,
        code: 1,
        holds: {
          'out/load.json': {
            verdict: 'failed',
            'turns.rate_limited': 1,
            'turns.skipped': 1,
            'turns.answered': 2,
            'quota.notCounted': 1,
          },
        },
      },
    ],
    ledger: 'calls 3, counted 2, answered 2, faulted 1',
  },
  {
    name: 'load --find-limit: where no call of its budget is refused, it says that no limit was met (0)',
    set: SMALL,
    steps: [
      {
        run: 'load set.csv --find-limit --max-calls 20 --out out',
        code: 0,
        holds: { 'out/limit.json': { 'calls.sent': 20, 'calls.refused': 0, 'quota.certain': 20 } },
      },
    ],
    ledger: 'calls 20, counted 20, answered 20',
  },
]
