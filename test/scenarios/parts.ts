// Protects selections of a set and shards of a run.
import { step, type Scenario } from './play.ts'
import { ALL_FOUR, SMALL, SMALL_CONVERSATIONS } from './sets.ts'

export const PARTS: readonly Scenario[] = [
  {
    name: '--tag selects whole conversations in which a question has the tag',
    set: SMALL,
    steps: [
      step('run set.csv --out out --tag cars --tag fun', 0, {
        figures: 'done; answered 3; grounded 2 of 3; certain 3',
        results: ['id', 'vpn', 'permit', 'zebra'],
      }),
    ],
  },
  {
    name: '--grep selects whole conversations in which a question matches, --sample that many conversations',
    set: SMALL,
    account: ['out', 'sample'],
    steps: [
      step('run set.csv --out out --grep PARKING|toner', 0, { results: ['id', 'vpn', 'permit', 'toner'] }),
      step('run set.csv --out sample --sample 2 --seed 3', 0, {
        folder: 'sample',
        results: ['id', 'toner', 'zebra'],
      }),
      step('run set.csv --out none --tag nowhere', 2, { says: /nowhere/ }),
    ],
  },
  {
    name: 'two shards together send the set once, and merged they equal the whole run',
    set: SMALL,
    account: ['one', 'two'],
    steps: [
      step('run set.csv --out one --shard 1/2', 0, { folder: 'one', summary: { verdict: 'part' } }),
      step('run set.csv --out two --shard 2/2', 0, { folder: 'two', summary: { verdict: 'part' } }),
      step('merge two one --out whole', 0, {
        folder: 'whole',
        figures: ALL_FOUR,
        results: [
          'id|thread|turn|outcome|grounded|attempts',
          'vpn|office|1|answered|true|1',
          'permit|office|2|answered|true|1',
          'toner|toner|1|answered|true|1',
          'zebra|zoo|1|answered|false|1',
        ],
      }),
    ],
    ledger: 'calls 4, counted 4, answered 4',
    conversations: SMALL_CONVERSATIONS,
  },
  {
    name: 'merged shards keep the restart of a conversation and its usage',
    set: ['id,message', ...'abcdefgh'.split('').map((id) => `${id},How do I set up VPN ${id}?`), ''].join(
      '\n',
    ),
    account: ['one', 'two'],
    sandbox: { faults: [{ kind: 'server-error', when: { calls: [1] } }] },
    steps: [
      step('run set.csv --out one --shard 1/2', 0, { folder: 'one', summary: { 'quota.possible': 1 } }),
      step('run set.csv --out two --shard 2/2', 0, { folder: 'two' }),
      step('merge one two --out whole', 0, {
        folder: 'whole',
        figures: 'done; answered 8; grounded 8 of 8; certain 8, possible 1',
        says: /Conversations\s+sent\s+again\s+from\s+the\s+start:\s+1/,
      }),
    ],
    ledger: 'calls 9, counted 9, answered 8, faulted 1',
  },
]
