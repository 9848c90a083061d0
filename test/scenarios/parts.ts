// A part of a set, and the parts of a run.
import type { Scenario } from './play.ts'
import { SMALL, SMALL_CONVERSATIONS, ofFour } from './sets.ts'

export const PARTS: readonly Scenario[] = [
  {
    name: '--tag asks whole conversations in which a question has the tag',
    set: SMALL,
    steps: [
      {
        run: 'run set.csv --out out --tag cars --tag fun',
        code: 0,
        figures: ofFour({
          turns: 'total 3, answered 3',
          grounded: '2 of 3',
          expectations: 'none 3',
          usage: 'certain 3',
        }),
        results: { columns: 'id', rows: ['vpn', 'permit', 'zebra'] },
      },
    ],
  },
  {
    name: '--grep asks whole conversations in which a question matches, --sample as many conversations as it says',
    set: SMALL,
    account: ['out', 'sample'],
    steps: [
      {
        run: 'run set.csv --out out --grep PARKING|toner',
        code: 0,
        results: { columns: 'id', rows: ['vpn', 'permit', 'toner'] },
      },
      {
        run: 'run set.csv --out sample --sample 2 --seed 3',
        code: 0,
        folder: 'sample',
        results: { columns: 'id', rows: ['toner', 'zebra'] },
      },
      { run: 'run set.csv --out none --tag nowhere', code: 2, says: /nowhere/ },
    ],
  },
  {
    name: 'two shards ask the set once between them, and merged they equal the whole',
    set: SMALL,
    account: ['one', 'two'],
    steps: [
      { run: 'run set.csv --out one --shard 1/2', code: 0, folder: 'one', summary: { verdict: 'part' } },
      { run: 'run set.csv --out two --shard 2/2', code: 0, folder: 'two', summary: { verdict: 'part' } },
      {
        run: 'merge two one --out whole',
        code: 0,
        folder: 'whole',
        figures: ofFour(),
        results: {
          columns: 'id,thread,turn,outcome,grounded,attempts',
          rows: [
            'vpn|office|1|answered|true|1',
            'permit|office|2|answered|true|1',
            'toner|toner|1|answered|true|1',
            'zebra|zoo|1|answered|false|1',
          ],
        },
      },
    ],
    ledger: 'calls 4, counted 4, answered 4',
    conversations: SMALL_CONVERSATIONS,
  },
  {
    name: 'merged shards keep that a conversation was asked again, and what it cost',
    set: ['id,message', ...'abcdefgh'.split('').map((id) => `${id},How do I set up VPN ${id}?`), ''].join(
      '\n',
    ),
    account: ['one', 'two'],
    sandbox: { faults: [{ kind: 'server-error', when: { calls: [1] } }] },
    steps: [
      { run: 'run set.csv --out one --shard 1/2', code: 0, folder: 'one', summary: { 'quota.possible': 1 } },
      { run: 'run set.csv --out two --shard 2/2', code: 0, folder: 'two' },
      {
        run: 'merge one two --out whole',
        code: 0,
        folder: 'whole',
        figures: ofFour({
          turns: 'total 8, answered 8',
          grounded: '8 of 8',
          expectations: 'none 8',
          usage: 'certain 8, possible 1',
        }),
        says: /conversations\s+sent\s+again\s+from\s+the\s+start:\s+1/,
      },
    ],
    ledger: 'calls 9, counted 9, answered 8, faulted 1',
  },
  {
    name: 'two targets of a config file run side by side, each with its own key, folder and account',
    set: SMALL,
    account: ['out/a', 'out/b'],
    sandbox: {
      organizations: {
        acme: { keys: [{ key: 'acme-key-0123456789' }] },
        globex: { keys: [{ key: 'globex-key-0123456789', scopes: [] }] },
      },
    },
    env: { KEY_A: 'acme-key-0123456789', KEY_B: 'globex-key-0123456789' },
    files: {
      'assist-harness.yaml': `rate: unlimited
concurrency: 1
targets:
  a: { baseUrl: '{url}', apiKeyEnv: KEY_A }
  b: { baseUrl: '{url}', apiKeyEnv: KEY_B }
`,
    },
    steps: [
      {
        run: 'run set.csv --out out --target a --target b --json',
        code: 3,
        json: {
          '0.run.target': 'a',
          '0.verdict': 'passed',
          '0.turns.answered': 4,
          '0.quota.certain': 4,
          '1.run.target': 'b',
          '1.verdict': 'incomplete',
          '1.exitCode': 3,
          '1.turns.notAsked': 4,
        },
        says: /run --resume out\/b/,
        holds: { 'out/a/summary.json': { exitCode: 0 }, 'out/b/summary.json': { exitCode: 3 } },
      },
    ],
    ledger: 'calls 5, counted 4, answered 4, forbidden 1',
  },
]
