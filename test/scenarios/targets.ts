// Protects where questions are sent: targets of a config file, the sandbox, an address on the command line, and which of them wins.
import { step, type ByPath, type Scenario, type Step } from './play.ts'
import { SMALL } from './sets.ts'

const OFFER = '--users 1 --duration 200ms'

/** Steps that check the target of each command that sends or plans. */
const targetSteps = (words: string, target: ByPath, estimated: string | null): Step[] => [
  step(`run set.csv ${words} --out run`, 0, { holds: { 'run/run.json': target } }),
  step(`load set.csv ${words} ${OFFER} --out load`, 0, { holds: { 'load/run.json': target } }),
  step(`estimate set.csv ${words} --json`, 0, { json: { target: estimated } }),
]

const TO_SANDBOX = { 'target.name': 'sandbox', 'target.sandbox': true }

export const TARGETS: readonly Scenario[] = [
  {
    name: 'two targets of a config file run concurrently, each with its own key, folder and account',
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
      step('run set.csv --out out --target a --target b --json', 3, {
        json: {
          '0.run.target': 'a',
          '0.verdict': 'done',
          '0.turns.answered': 4,
          '0.quota.certain': 4,
          '1.run.target': 'b',
          '1.verdict': 'incomplete',
          '1.exitCode': 3,
          '1.turns.notAsked': 4,
        },
        says: /run --resume out\/b/,
        holds: { 'out/a/summary.json': { exitCode: 0 }, 'out/b/summary.json': { exitCode: 3 } },
      }),
    ],
    ledger: 'calls 5, counted 4, answered 4, forbidden 1',
  },
  {
    name: 'options of a target override those of the config file, and the command line overrides both',
    set: SMALL,
    files: {
      'layers.yaml': `rate: unlimited
timeout: 9s
groundedSources: [FAQ, KNOWLEDGE_BASE]
targets: { only: { baseUrl: '{url}', timeout: 8s, concurrency: 3 } }
`,
    },
    steps: [
      step('run set.csv --config layers.yaml --concurrency 2 --out out', 0, {
        holds: {
          'out/run.json': {
            'options.rate': 'unlimited',
            'options.timeout': 8000,
            'options.concurrency': 2,
            'options.groundedSources': ['FAQ', 'KNOWLEDGE_BASE'],
          },
        },
      }),
    ],
  },
  {
    name: 'a config file in the working folder is found by its name',
    set: SMALL,
    files: { 'assist-harness.yaml': 'rat: 5/s\n' },
    account: [],
    steps: [step('run set.csv', 2, { error: 'assist-harness.yaml: rat is unknown; did you mean rate?' })],
  },
  {
    name: '--sandbox overrides the target of the config file; with --target on the command line it is rejected (2)',
    set: SMALL,
    account: [],
    // With the pace of the target the run would take minutes.
    files: {
      'target.yaml': `target: [a]
rate: 50/s
targets: { a: { baseUrl: https://a.example.com, rate: 1/min } }
`,
    },
    steps: [
      ...['run', `load ${OFFER}`, 'estimate'].map((command) =>
        step(`${command} set.csv --sandbox --config target.yaml --target a`, 2, {
          error: '--target cannot be used with --sandbox; give one of them',
        }),
      ),
      ...targetSteps('--sandbox --config target.yaml', TO_SANDBOX, null),
    ],
  },
  {
    name: 'the sandbox of the config file overrides target and address of the same file',
    set: SMALL,
    account: [],
    files: {
      'sandbox.yaml': `sandbox: true
rate: unlimited
baseUrl: https://a.example.com
target: a
targets: { a: { rate: 1/min } }
`,
    },
    steps: targetSteps('--config sandbox.yaml', TO_SANDBOX, null),
  },
  {
    name: '--target overrides the sandbox of the config file',
    set: SMALL,
    account: ['run', 'load'],
    files: { 'sandbox.yaml': `sandbox: true\ntargets: { a: { baseUrl: '{url}', rate: 50/s } }\n` },
    steps: targetSteps(
      '--config sandbox.yaml --target a',
      { 'target.name': 'a', 'target.sandbox': false },
      'a',
    ),
  },
  {
    name: '--base-url overrides the sandbox and the target of the config file, whose key is not sent there',
    set: SMALL,
    account: ['run', 'load'],
    env: { KEY_A: 'scenario-key-0123456789', KEY_B: 'another-key-0123456789' },
    files: {
      'sandbox.yaml': `sandbox: true
rate: unlimited
apiKeyEnv: KEY_A
target: a
targets: { a: { baseUrl: https://a.example.com, apiKeyEnv: KEY_B } }
`,
    },
    steps: targetSteps(
      '--config sandbox.yaml --base-url {url}',
      { 'target.name': 'default', 'target.sandbox': false },
      null,
    ),
  },
]
