// The reference pages of the command line and of the config file, made of the option table.
import { COMMANDS, usageOf } from '../cli/command-table.ts'
import { DECLARATIONS, shownOptions } from '../cli/declarations.ts'
import { type Option, OPTION_GROUPS, type OptionName, OPTIONS } from '../library/option-table.ts'
import { isFlag, optionEntries, toCamelCase } from '../library/options.ts'

const GENERATED =
  '<!-- Generated from src/library/option-table.ts. Change the table, then run npm run build:package. -->'

const PHASES = `An option's phase says when it may change. \`ask\` decides what is sent: it is fixed for the life of a run.
\`pace\` decides how fast: a resume may change it. \`judge\` decides how answers are counted: \`report\`, \`merge\` and a resume
may change it. An option without a phase is not part of the run's record.`

/** File names under `docs/reference`, and what stands in them. */
export const makeReference = (): ReadonlyMap<string, string> =>
  new Map([
    ['cli.md', cliPage()],
    ['config.md', configPage()],
  ])

function cliPage(): string {
  const commands = COMMANDS.map((command) => {
    const taken = shownOptions(command.name)
    const shown = optionEntries.filter(([name]) => taken.includes(name))
    const lines = DECLARATIONS[command.name].examples.map((words) => `assist-harness ${words}`)
    return [
      `### \`${usageOf(command)}\``,
      `${command.describe}.`,
      ['```text', ...lines, '```'].join('\n'),
      `Options: ${shown.map(([name]) => linkTo(name)).join(', ')}.`,
    ].join('\n\n')
  })
  // What holds for most commands stands first.
  const groups = [...OPTION_GROUPS.slice(2), ...OPTION_GROUPS.slice(0, 2)].map(([title, table]) => {
    const names = (Object.keys(table) as OptionName[]).filter((name) => isTaken(name))
    return [
      `### ${title === 'Options' ? 'Options of single commands' : title}`,
      ...names.map(optionSection),
    ].join('\n\n')
  })
  return page('Command line', [
    `Every command prints its options with \`--help\`. [Exit codes](../guides/ci.md#exit-codes) are the same for all commands.
Options can also stand in the [config file](config.md).`,
    '## Commands',
    ...commands,
    '## Options',
    PHASES,
    ...groups,
  ])
}

const linkTo = (name: string): string => `[\`--${name}\`](#--${name})`

const isTaken = (name: OptionName): boolean =>
  COMMANDS.some((command) => DECLARATIONS[command.name].options.includes(name))

function optionSection(name: OptionName): string {
  const option: Option = OPTIONS[name]
  const { default: byDefault, example, isList, phase } = option
  const takers = COMMANDS.filter((command) => shownOptions(command.name).includes(name))
  const facts = [
    ...(byDefault === undefined ? [] : [`Default: ${byDefault}.`]),
    ...(isFlag(option) ? ['A flag.'] : []),
    ...(isList === true ? ['Can be repeated.'] : []),
    ...(phase === undefined ? [] : [`Phase: \`${phase}\`.`]),
    `Commands: ${takers.map((command) => `\`${command.name}\``).join(', ')}.`,
  ]
  return [
    `#### \`--${name}\``,
    meaningOf(option),
    facts.join(' '),
    ['```text', example, '```'].join('\n'),
  ].join('\n\n')
}

const meaningOf = ({ describe, details }: Option): string =>
  `${describe.replace(' (repeatable)', '')}.${details === undefined ? '' : ` ${details}`}`

function configPage(): string {
  const keys = optionEntries.filter(([, { config }]) => config !== undefined)
  const rows = keys.map(([name, option]) => {
    const { config, default: byDefault = '', phase } = option
    const kind = isFlag(option) ? 'true or false' : option.isList === true ? 'text or list' : 'text or number'
    return [
      `[\`${toCamelCase(name)}\`](cli.md#--${name})`,
      kind,
      config === 'target' ? 'yes' : '',
      phase ?? '',
      byDefault,
      meaningOf(option),
    ]
  })
  return page('Config file', [
    `Commands that send read \`assist-harness.yaml\` in the current folder, or the file that \`--config\` names.
It holds options under their names in camelCase, and targets.
An unknown key is rejected, with the nearest known key.`,
    CONFIG_EXAMPLE,
    `- A typed option overrides the file.
- A key of a target overrides the same key of the file.
- \`--target NAME\` chooses a target. Repeat it to run several side by side.
- A typed \`--base-url\` replaces the file's \`target\`.
- The first line lets editors with yaml-language-server check and complete the file.`,
    '## Keys',
    `${PHASES}\n"In a target" says whether the key may also stand under \`targets.NAME\`.`,
    table(['Key', 'Value', 'In a target', 'Phase', 'Default', 'Meaning'], rows),
    '## Environment variables',
    table(
      ['Variable', 'Meaning'],
      [
        ['`ASSIST_BASE_URL`', 'The desk address, where no `baseUrl` is given'],
        ['`ASSIST_API_KEY`', 'The key. `apiKeyEnv` names another variable'],
        ['`ASSIST_HASH_KEY`', 'The key of `hashEndUserRefs`'],
        [
          '`ASSIST_REDIS_URL`, `ASSIST_REDIS_USERNAME`, `ASSIST_REDIS_PASSWORD`',
          'The Redis of `limiter: redis`',
        ],
        ['`NODE_EXTRA_CA_CERTS`', "Node's own: a file with further certificate authorities"],
        ['`NO_COLOR`', 'No colours on the terminal'],
      ],
    ),
  ])
}

const CONFIG_EXAMPLE = `\`\`\`yaml
# yaml-language-server: $schema=./node_modules/assist-harness/schemas/config.schema.json
# assist-harness.yaml
threshold: ['coverage>=80%']
targets:
  production:
    baseUrl: https://desk.example.com
    apiKeyEnv: ASSIST_KEY_PRODUCTION
    organization: acme
    rate: 60/min
  staging:
    baseUrl: https://desk-staging.example.com
    apiKeyEnv: ASSIST_KEY_STAGING
\`\`\``

const page = (title: string, parts: readonly string[]): string =>
  `${[`# ${title}`, GENERATED, ...parts].join('\n\n')}\n`

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`)
    .join('\n')
