// Protects a run against every fault of the endpoint: what is sent again, the outcomes, and the quota account.
import { step, type Scenario } from './play.ts'
import { ALL_SIX, LONG, LONG_CONVERSATION, SMALL } from './sets.ts'

const [Q1, Q2, Q3, Q4, Q5, Q6] = LONG_CONVERSATION

export const FAULTS: readonly Scenario[] = [
  {
    name: 'a 429 without a header is sent again and is not usage',
    set: SMALL,
    sandbox: { faults: [{ kind: 'refusal', status: 429, when: { calls: [2] } }] },
    steps: [
      step('run set.csv --out out --rate auto', 0, {
        figures: 'done; answered 4; grounded 3 of 4; certain 4, notCounted 1',
        summary: { 'pacing.rate429': 0.2, 'pacing.rateLimited': 1 },
      }),
    ],
    ledger: 'calls 5, counted 4, answered 4, faulted 1',
  },
  {
    name: 'a limit with Retry-After and headers is respected until every question is answered',
    set: SMALL,
    sandbox: {
      rateLimit: {
        rules: [{ kind: 'token-bucket', limit: 2, window: '1s', burst: 1 }],
        retryAfter: 'seconds',
        headers: ['ietf'],
      },
    },
    steps: [
      step('run set.csv --out out --rate auto', 0, {
        summary: { verdict: 'done', 'turns.answered': 4, 'quota.certain': 4 },
      }),
    ],
  },
  {
    name: 'a limit without any header is found, and every question is answered',
    set: LONG,
    sandbox: {
      rateLimit: { rules: [{ kind: 'fixed-window', limit: 3, window: '500ms' }], retryAfter: 'none' },
    },
    steps: [
      step('run set.csv --out out --rate unlimited', 0, {
        summary: { verdict: 'done', 'turns.answered': 6, 'quota.certain': 6 },
      }),
    ],
    conversations: [LONG_CONVERSATION],
  },
  {
    name: 'a known pace below the limit gets no 429',
    set: LONG,
    sandbox: { rateLimit: { rules: [{ kind: 'sliding-window', limit: 20, window: '1s' }] } },
    steps: [step('run set.csv --out out --rate 5/s --concurrency 4', 0, ALL_SIX)],
    ledger: 'calls 6, counted 6, answered 6',
  },
  {
    name: 'after a 500 the whole conversation is sent again once, as a new conversation',
    set: LONG,
    sandbox: { faults: [{ kind: 'server-error', when: { calls: [2] } }] },
    steps: [
      step('run set.csv --out out', 0, {
        figures: 'done; answered 6; grounded 6 of 6; certain 7, possible 1',
        results: ['turn|attempts', '1|2', '2|2', '3|1', '4|1', '5|1', '6|1'],
      }),
    ],
    ledger: 'calls 8, counted 8, answered 7, faulted 1',
    conversations: [LONG_CONVERSATION, [Q1, Q2]],
  },
  {
    name: 'a 500 that was not processed is possible usage, too',
    set: SMALL,
    sandbox: { faults: [{ kind: 'server-error', stage: 'before', when: { calls: [1] } }] },
    steps: [step('run set.csv --out out', 0, 'done; answered 4; grounded 3 of 4; certain 4, possible 1')],
    ledger: 'calls 5, counted 4, answered 4, faulted 1',
  },
  {
    name: 'a conversation that fails again after its restart ends in an error, and its later turns are skipped',
    set: LONG,
    sandbox: { faults: [{ kind: 'server-error', when: { message: 'toner' } }] },
    steps: [
      step('run set.csv --out out', 1, {
        figures:
          'failed; answered 2, server_error 1, skipped 3; grounded 2 of 2; errors 500 1; certain 4, possible 2',
      }),
    ],
    conversations: [
      [Q1, Q2, Q3],
      [Q1, Q2, Q3],
    ],
  },
  {
    name: '--on-ambiguous fail records the error; --resume --retry-errors sends the conversation again',
    set: LONG,
    sandbox: { faults: [{ kind: 'server-error', when: { calls: [2] } }] },
    steps: [
      step('run set.csv --out out --on-ambiguous fail', 1, {
        figures:
          'failed; answered 1, server_error 1, skipped 4; grounded 1 of 1; errors 500 1; certain 1, possible 1',
      }),
      step('run --resume out --retry-errors', 0, {
        figures: 'done; answered 6; grounded 6 of 6; certain 7, possible 1',
      }),
    ],
    ledger: 'calls 8, counted 8, answered 7, faulted 1',
    conversations: [LONG_CONVERSATION, [Q1, Q2]],
  },
  {
    name: 'each kind of error has its outcome, does not count toward coverage, and fails the run',
    set: `id,message
fine,How do I set up the VPN?
refused,one
redirected,two
broken,three
cut,four
silent,five
garbled,six
html,seven
reset,eight
prose,nine
huge,ten
zipped,VPN zipped
`,
    sandbox: {
      faults: [
        { kind: 'refusal', status: 413, when: { message: '^one' } },
        { kind: 'redirect', when: { message: '^two' } },
        { kind: 'server-error', status: 502, when: { message: '^three' } },
        { kind: 'truncated', when: { message: '^four' } },
        { kind: 'hang', when: { message: '^five' } },
        { kind: 'wrong-types', when: { message: '^six' } },
        { kind: 'proxy-html', status: 200, when: { message: '^seven' } },
        { kind: 'reset', stage: 'before', when: { message: '^eight' } },
        { kind: 'not-json', when: { message: '^nine' } },
        { kind: 'huge-body', when: { message: '^ten' } },
        { kind: 'gzip', when: { message: 'zipped' } },
      ],
    },
    steps: [
      step('run set.csv --out out --on-ambiguous fail --timeout 2s', 1, {
        figures:
          'failed; answered 2, refused 2, server_error 1, timeout 1, network_error 2, malformed 4; grounded 2 of 2; errors 200 5, 307 1, 413 1, 502 1, none 2; certain 7, possible 3, notCounted 2',
        results: [
          'id|outcome|http_status|grounded',
          'fine|answered|200|true',
          'refused|refused|413|',
          'redirected|refused|307|',
          'broken|server_error|502|',
          'cut|network_error|200|',
          'silent|timeout||',
          'garbled|malformed|200|',
          'html|malformed|200|',
          'reset|network_error||',
          'prose|malformed|200|',
          'huge|malformed|200|',
          'zipped|answered|200|true',
        ],
      }),
    ],
    ledger: 'calls 12, counted 9, answered 3, faulted 9',
  },
  {
    name: 'a reset after sending is possible usage, and the conversation restarts',
    set: LONG,
    sandbox: { faults: [{ kind: 'reset', when: { calls: [3] } }] },
    steps: [step('run set.csv --out out', 0, 'done; answered 6; grounded 6 of 6; certain 8, possible 1')],
    conversations: [LONG_CONVERSATION, [Q1, Q2, Q3]],
  },
  {
    name: 'if the endpoint loses a conversation, its turns from then on are answered, but do not count toward coverage',
    set: LONG,
    sandbox: { faults: [{ kind: 'fresh-conversation', when: { calls: [4] } }] },
    steps: [
      step('run set.csv --out out', 0, {
        figures: 'done; answered 6, contextLost 3; grounded 3 of 3; certain 6',
        results: ['turn|context_lost', '1|false', '2|false', '3|false', '4|true', '5|true', '6|true'],
      }),
    ],
    conversations: [
      [Q1, Q2, Q3],
      [Q4, Q5, Q6],
    ],
  },
  {
    name: 'a new id for each turn counts as lost context, unless --rotating-ids is given',
    set: LONG,
    sandbox: { rotatingIds: true },
    account: ['out', 'told'],
    steps: [
      step('run set.csv --out out', 0, {
        summary: { 'turns.answered': 6, 'turns.contextLost': 5, 'coverage.answered': 1 },
      }),
      step('run set.csv --out told --rotating-ids', 0, {
        folder: 'told',
        figures: ALL_SIX,
      }),
    ],
    ledger: 'calls 12, counted 12, answered 12',
  },
  {
    name: 'values that the contract does not show are answers, and are counted by value',
    set: SMALL,
    sandbox: {
      faults: [{ kind: 'unknown-status', status: 'success', contextSource: 'WEB', when: { calls: [1] } }],
    },
    steps: [
      step('run set.csv --out out', 0, {
        summary: {
          contextSource: { KNOWLEDGE_BASE: 2, MODEL: 1, WEB: 1 },
          status: { success: 4 },
          'coverage.grounded': 2,
        },
      }),
      step('report out --grounded-sources KNOWLEDGE_BASE,WEB', 0, { summary: { 'coverage.grounded': 3 } }),
    ],
  },
]
