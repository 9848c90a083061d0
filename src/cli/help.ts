// `assist-harness --help`: the commands. `assist-harness run --help`: the options of one, a line each; longer texts: `docs/reference/cli.md`.
import type { Option } from '../library/option-table.ts'
import { asTyped } from '../library/usage-error.ts'
import { type Command, COMMANDS, usageOf } from './command-table.ts'

const WIDEST = 110
/** Two screens of 24 lines. */
const MOST_LINES = 48

/** The last lines of every help. */
const EXIT_CODES = [
  'Exit codes: 0 passed; 1 a gate failed; 2 usage, config or question set is wrong;',
  '3 key rejected; 4 incomplete; 5 fault of the harness; 130, 143 interrupted',
]

type Row = readonly [words: string, text: string]

/** `columns` of the terminal, if there is one. */
export function renderOverview(columns: number | undefined): string {
  const commands = COMMANDS.map((command): Row => [usageOf(command), command.describe])
  const layout = { columns, left: Math.max(...commands.map(([words]) => words.length)) }
  return joinBlocks([
    ['assist-harness <command>'],
    ['Sends your questions to an Assist endpoint, and reports and judges the answers.'],
    section('Commands', commands, layout),
    section(
      'Options',
      [
        ['-h, --help', "Show help; after a command: that command's options"],
        ['--version', 'Show version number'],
      ],
      layout,
    ),
  ])
}

/** `all`: the option table, which this file does not import, as the overview must be there at once. */
export function renderHelp(
  command: Command,
  all: Readonly<Record<string, Option>>,
  columns: number | undefined,
): string {
  const shown = Object.entries(all).filter(([, { commands }]) => commands.includes(command.name))
  const isShown = (name: string | undefined): boolean => shown.some(([one]) => one === name)
  const partners = shown.map(([, { together }]) => together?.[0])
  const rows = shown.filter(([name]) => !partners.includes(name))
  const groups = [...new Set(rows.map(([, { heading }]) => heading))].map(
    (heading) => [heading, rows.filter(([, option]) => option.heading === heading)] as const,
  )
  // Options that no other command takes come first.
  const isOwn = ([, options]: (typeof groups)[number]): boolean =>
    options.every(([, { commands }]) => commands.length === 1)
  const rowOf = ([name, option]: (typeof rows)[number]): Row => {
    const { together: [partner = '', text = ''] = [] } = option
    return isShown(partner)
      ? [`${withValue(name, option)} [${withValue(partner, all[partner])}]`, text]
      : [withValue(name, option), summaryOf(option)]
  }
  const blocks = [
    [
      `assist-harness ${usageOf(command)} [options]    More: docs/reference/cli.md`,
      ...fold(`${command.describe}.`, widthOf(columns)),
    ],
    ...[...groups.filter(isOwn), ...groups.filter((one) => !isOwn(one))].map(([heading, options]) =>
      section(heading, options.map(rowOf), { columns, left: 27 }),
    ),
  ]
  const examples = ['Examples:', ...command.examples.map((words) => `  assist-harness ${words}`)]
  const whole = joinBlocks([...blocks, examples])
  // Without examples and blank lines where it would be longer than two screens.
  return whole.split('\n').length <= MOST_LINES ? whole : [...blocks, EXIT_CODES].flat().join('\n')
}

/** `--rate 60/min`, from its example. */
const withValue = (name: string, option: Option | undefined): string =>
  new RegExp(`${asTyped(name)}(?: ('[^']*'|[^-]\\S*))?`).exec(option?.example ?? '')?.[0] ?? asTyped(name)

/** The first sentence of its description. */
function summaryOf({ describe, default: byDefault }: Option): string {
  const [sentence = ''] = describe.split(/\.(?: |$)/)
  return byDefault === undefined ? sentence : `${sentence} (default: ${byDefault})`
}

const joinBlocks = (blocks: readonly (readonly string[])[]): string =>
  [...blocks, EXIT_CODES].map((lines) => lines.join('\n')).join('\n\n')

const widthOf = (columns: number | undefined): number => Math.min(WIDEST, columns ?? 80)

/** `left`: width of the first column. */
function section(
  title: string,
  rows: readonly Row[],
  { columns, left }: { readonly columns: number | undefined; readonly left: number },
): string[] {
  const width = widthOf(columns)
  const indent = ' '.repeat(left + 4)
  const lines = rows.flatMap(([words, text]) => {
    const start = `  ${words.padEnd(left)}  `
    if (start.length + text.length <= width) return [start + text]
    const folded = fold(text, Math.max(20, width - indent.length))
    if (words.length > left) return [start.trimEnd(), ...folded.map((line) => indent + line)]
    return folded.map((line, place) => (place === 0 ? start : indent) + line)
  })
  return [`${title}:`, ...lines]
}

/** Wraps ASCII text, in which a character is one column. */
function fold(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] += ` ${word}`
    else lines.push(word)
  }
  return lines
}
