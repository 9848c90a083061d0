// Generates reference pages from the option table and the schema of `summary.json`.
import { COMMANDS } from '../cli/command-table.ts'
import { summarySchema } from '../domain/summary.ts'
import { shows } from '../options/commands.ts'
import {
  exampleOf,
  isFlag,
  isList,
  optionEntries,
  type Option,
  SECTIONS,
  shownDefault,
} from '../options/table.ts'
import { asTyped } from '../options/faults.ts'
import { DATASETS, describeOption, toJsonSchema } from './schemas.ts'

const [OPTION_TABLE, SUMMARY_SCHEMA] = ['src/options/table.ts', 'src/domain/summary.ts']

const PHASES = `An option's phase says when it may change. \`ask\` decides what is sent: it is fixed for the
life of a run. \`pace\` decides how fast: a resume may change it. \`judge\` decides how answers are counted:
\`report\`, \`merge\` and a resume may change it. An option without a phase is not part of the run's record.`

export const makeReference = (): ReadonlyMap<string, string> =>
  new Map([
    ['cli.md', cliPage()],
    ['config.md', configPage()],
    ['summary.md', summaryPage()],
  ])

function cliPage(): string {
  const commands = COMMANDS.map((command) => {
    const options = optionEntries.filter(([name]) => shows(command.name, name))
    const lines = command.examples.map((example) => `assist-harness ${example}`)
    return [
      `### \`${command.usage}\``,
      `${command.describe}.`,
      ['```text', ...lines, '```'].join('\n'),
      `Options: ${options.map(([name]) => `[\`${asTyped(name)}\`](#${asTyped(name)})`).join(', ')}.`,
    ].join('\n\n')
  })
  return page('Command line', OPTION_TABLE, [
    `Every command prints its options with \`--help\`. [Exit codes](../guides/ci.md#exit-codes) are the same
for all commands. Options can also stand in the [config file](../guides/config-file.md).`,
    '## Commands',
    ...commands,
    '## Options',
    PHASES,
    ...Object.entries(SECTIONS).flatMap(([heading, options]) => [
      `### ${heading}`,
      ...Object.entries<Option>(options).map(optionSection),
    ]),
  ])
}

function optionSection([name, option]: readonly [string, Option]): string {
  const { phase } = option
  const byDefault = shownDefault(option)
  const commands = COMMANDS.filter((command) => shows(command.name, name))
  const facts = [
    ...(byDefault === undefined ? [] : [`Default: ${byDefault}.`]),
    ...(isFlag(option) ? ['A flag.'] : []),
    ...(isList(option) ? ['Can be repeated.'] : []),
    ...(phase === undefined ? [] : [`Phase: \`${phase}\`.`]),
    `Commands: ${commands.map((command) => `\`${command.name}\``).join(', ')}.`,
  ]
  return [
    `#### \`${asTyped(name)}\``,
    describeOption(option),
    facts.join(' '),
    ['```text', exampleOf(name, option), '```'].join('\n'),
  ].join('\n\n')
}

function configPage(): string {
  const keys = optionEntries.filter(([, { config }]) => config !== undefined)
  const rows = keys.map(([name, option]) => [
    `[\`${name}\`](cli.md#${asTyped(name)})`,
    isFlag(option) ? 'true or false' : isList(option) ? 'text or list' : 'text or number',
    option.config === 'target' ? 'yes' : '',
    option.phase ?? '',
    shownDefault(option) ?? '',
    describeOption(option),
  ])
  return page('Config file', OPTION_TABLE, [
    `The [guide](../guides/config-file.md) shows a file, and says which of two values counts.`,
    '## Keys',
    `${PHASES}\n"In a target" says whether the key may also stand under \`targets.NAME\`.`,
    table(
      ['Key', 'Value', 'In a target', 'Phase', 'Default', 'Meaning'],
      [['`datasets`', 'text or list', '', 'ask', '', DATASETS], ...rows],
    ),
  ])
}

interface Field {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Field>>
  readonly items?: Field
  readonly anyOf?: readonly Field[]
}

const summaryPage = (): string =>
  page('summary.json', SUMMARY_SCHEMA, [
    `Every field, from [the schema](../../schemas/summary.schema.json). [Thresholds](files.md#thresholds) have
shorter names for some. \`[]\` stands for each item of a list.`,
    table(['Field', 'Value', 'Meaning'], fieldRows('', toJsonSchema(summarySchema, 'output'))),
  ])

function fieldRows(path: string, { properties = {} }: Field): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const [value = field] = (field.anyOf ?? []).filter(({ type }) => type !== 'null')
    const types = [value.type ?? 'object', field.anyOf === undefined ? [] : 'null'].flat()
    const place = `${path}${name}`
    // The rows of its fields say all of a group without a meaning of its own.
    const own = [`\`${place}\``, types.join(' or '), field.description ?? '']
    return [
      ...(field.properties !== undefined && field.description === undefined ? [] : [own]),
      ...fieldRows(`${place}.`, value),
      ...fieldRows(`${place}[].`, value.items ?? {}),
    ]
  })
}

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`)
    .join('\n')

const page = (title: string, source: string, parts: readonly string[]): string =>
  `${[
    `# ${title}`,
    `<!-- Generated from ${source}. Change that file, then run npm run build:package. -->`,
    ...parts,
  ].join('\n\n')}\n`
