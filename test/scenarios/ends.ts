// Protects every way in which a run ends, and its resume.
import { step, type Scenario } from './play.ts'
import { ALL_FOUR, ALL_SIX, EXPECTING, LONG, LONG_CONVERSATION, SMALL, SMALL_CONVERSATIONS } from './sets.ts'

export const ENDS: readonly Scenario[] = [
  {
    name: 'a set without expectations is done, not passed, if all its questions are answered (0)',
    set: SMALL,
    steps: [
      step('run set.csv --out out', 0, {
        figures: ALL_FOUR,
        says: [/^✓ Done · 4 of 4 answered$/m, /^ {2}Expectations met +– +no expectations in this set$/m],
        results: [
          'id|thread|turn|outcome|context_source|grounded|attempts|passed|tags',
          'vpn|office|1|answered|KNOWLEDGE_BASE|true|1||network',
          'permit|office|2|answered|KNOWLEDGE_BASE|true|1||cars',
          'toner|toner|1|answered|KNOWLEDGE_BASE|true|1||devices',
          'zebra|zoo|1|answered|MODEL|false|1||fun',
        ],
        written: ['out'],
      }),
    ],
    ledger: 'calls 4, counted 4, answered 4',
    conversations: SMALL_CONVERSATIONS,
  },
  {
    name: 'an unmet expectation fails the run (1); a report with a threshold on passed replaces the rule (0)',
    set: EXPECTING,
    steps: [
      step('run set.csv --out out', 1, {
        figures: 'failed; answered 4; grounded 3 of 4; expectations passed 3, failed 1; certain 4',
        results: ['id|passed', 'vpn|true', 'permit|true', 'toner|false', 'zebra|true'],
      }),
      step(`report out --threshold 'passed>=75%'`, 0, {
        summary: { verdict: 'passed', 'expectations.rate': 0.75, exitCode: 0 },
      }),
    ],
    ledger: 'calls 4, counted 4, answered 4',
  },
  {
    name: 'an invalid set sends nothing and writes nothing (2)',
    set: 'id,question text\na,Why?\n',
    account: [],
    steps: [step('run set.csv --out out', 2, { says: /^set\.csv:1: /m, written: [] })],
  },
  {
    name: 'an unknown key (401) ends the run at once (3); it can be resumed with another key',
    set: SMALL,
    steps: [
      step('run set.csv --out out', 3, {
        env: { ASSIST_API_KEY: 'not-the-key-0123456789' },
        figures: 'incomplete; notAsked 4; grounded 0 of 0; notCounted 1',
      }),
      step('{resume}', 0, 'done; answered 4; grounded 3 of 4; certain 4, notCounted 1'),
    ],
    ledger: 'calls 5, counted 4, answered 4, unauthorized 1',
    conversations: SMALL_CONVERSATIONS,
  },
  {
    name: 'a key without the scope (403) ends the run at once (3)',
    set: SMALL,
    sandbox: { organizations: { acme: { keys: [{ key: 'scenario-key-0123456789', scopes: [] }] } } },
    steps: [step('run set.csv --out out', 3, 'incomplete; notAsked 4; grounded 0 of 0; notCounted 1')],
    ledger: 'calls 1, forbidden 1',
  },
  {
    name: 'a used-up budget ends the run (4); the printed command raises it and continues the conversation',
    set: LONG,
    steps: [
      step('run set.csv --out out --max-calls 4', 4, {
        figures: 'incomplete; answered 4, notAsked 2; grounded 4 of 4; certain 4',
        says: /--max-calls \d+/,
      }),
      step('{resume}', 0, ALL_SIX),
    ],
    ledger: 'calls 6, counted 6, answered 6',
    conversations: [LONG_CONVERSATION],
  },
  {
    name: 'nothing but failures for --give-up-after ends the run (4)',
    set: SMALL,
    sandbox: { faults: [{ kind: 'server-error', stage: 'before' }] },
    steps: [
      step('run set.csv --out out --give-up-after 300ms', 4, {
        summary: { verdict: 'incomplete', state: 'incomplete', 'quota.certain': 0 },
      }),
    ],
  },
  {
    name: 'an unreachable endpoint ends the run (4), and its attempts are not usage',
    set: SMALL,
    account: [],
    steps: [
      step('run set.csv --out out --give-up-after 300ms --base-url http://127.0.0.1:9', 4, {
        summary: { verdict: 'incomplete', 'turns.notAsked': 4, 'quota.certain': 0, 'quota.possible': 0 },
      }),
    ],
  },
  {
    name: 'Ctrl-C (130) records the answer in flight; the resume continues the conversation and sends nothing twice',
    set: LONG,
    sandbox: { faults: [{ kind: 'drip', over: '2s', when: { calls: [3] } }] },
    steps: [
      step('run set.csv --out out', 130, {
        stop: { after: 3, by: ['SIGINT'] },
        figures: 'interrupted; answered 3, notAsked 3; grounded 3 of 3; certain 3',
      }),
      step('{resume}', 0, ALL_SIX),
    ],
    ledger: 'calls 6, counted 6, answered 6',
    conversations: [LONG_CONVERSATION],
  },
  {
    name: 'SIGTERM twice (143) gives up the call in flight; the resume sends its conversation again',
    set: LONG,
    sandbox: { faults: [{ kind: 'hang', when: { calls: [3] } }] },
    steps: [
      step('run set.csv --out out', 143, {
        stop: { after: 3, by: ['SIGTERM', 'SIGTERM'] },
        figures: 'interrupted; answered 2, notAsked 4; grounded 2 of 2; certain 2, possible 1',
      }),
      step('{resume}', 0, 'done; answered 6; grounded 6 of 6; certain 8, possible 1'),
    ],
    ledger: 'calls 9, counted 9, answered 8, faulted 1',
    conversations: [LONG_CONVERSATION, LONG_CONVERSATION.slice(0, 3)],
  },
  {
    name: 'kill -9 loses no recorded answer; the call in flight is possible usage, and its conversation is sent again',
    set: LONG,
    sandbox: { faults: [{ kind: 'hang', when: { calls: [4] } }] },
    steps: [
      step('run set.csv --out out', null, { stop: { after: 4, by: ['SIGKILL'] }, written: ['out'] }),
      step('run --resume out', 0, {
        figures: 'done; answered 6; grounded 6 of 6; certain 9, possible 1',
        results: ['turn|attempts', '1|2', '2|2', '3|2', '4|2', '5|1', '6|1'],
      }),
      step('report out', 0, 'done; answered 6; grounded 6 of 6; certain 9, possible 1'),
    ],
    ledger: 'calls 10, counted 10, answered 9, faulted 1',
    conversations: [LONG_CONVERSATION, LONG_CONVERSATION.slice(0, 4)],
  },
]
