// Protects the other commands, and the JSON of `run`.
import { step, type Scenario } from './play.ts'
import { EXPECTING, SMALL, SMALL_CONVERSATIONS } from './sets.ts'

export const COMMANDS: readonly Scenario[] = [
  {
    name: 'sandbox: the program serves the articles, keys and faults of its config file',
    isSandboxProgram: true,
    set: SMALL,
    sandbox: { faults: [{ kind: 'fresh-conversation', when: { message: 'permit' } }] },
    steps: [step('run set.csv --out out', 0, 'done; answered 4, contextLost 1; grounded 2 of 3; certain 4')],
    ledger: 'calls 4, counted 4, answered 4',
  },
  {
    name: 'run --sandbox needs no address and no key',
    set: SMALL,
    account: [],
    env: { ASSIST_BASE_URL: '', ASSIST_API_KEY: '' },
    steps: [
      step('run set.csv --out out --sandbox', 0, {
        summary: { verdict: 'done', 'turns.answered': 4, 'quota.certain': 4 },
      }),
    ],
  },
  {
    name: '--json prints only summary.json on stdout; --quota adds the share of the allowance',
    set: SMALL,
    steps: [
      step('run set.csv --out out --json --quota 100', 0, {
        json: {
          formatVersion: 2,
          verdict: 'done',
          'turns.answered': 4,
          'coverage.rate': 0.75,
          'quota.max': 4,
          'quota.shareOfQuota': 0.04,
        },
      }),
      step('report out --json --quota 8', 0, { json: { verdict: 'done', 'quota.shareOfQuota': 0.5 } }),
    ],
  },
  {
    name: 'validate: a valid set (0) and a set with two faults (2), without a call',
    set: EXPECTING,
    account: [],
    files: {
      'bad.csv': 'id,message,expect_regex\na,Why?,(\na,How?,x\n',
      'second.csv': 'thread;question;tags;max_latency_ms\na;x;cars;2000\na;y;;\n',
    },
    steps: [
      step('validate set.csv second.csv --json', 0, {
        json: {
          'survey.files.0.delimiter': ',',
          'survey.files.1.delimiter': ';',
          'survey.files.1.rows': 2,
          'survey.threads': 5,
          'survey.turns': 6,
          'survey.longestThread': 2,
          'survey.tags': { network: 1, cars: 2, devices: 1, fun: 1 },
          'survey.expectations': { expect_source: 2, expect_contains: 3, max_latency_ms: 1 },
          'survey.mustPass': 1,
        },
        written: [],
      }),
      step('validate bad.csv', 2, { says: [/^bad\.csv:2: /m, /^bad\.csv:3: /m] }),
    ],
  },
  {
    name: 'load: six threads arrive at the offered rate, each with its own conversation',
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
]
