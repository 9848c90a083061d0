// `assist-harness run --help`: the options of one command, a line each, within two screens. Longer texts: `docs/reference/cli.md`.
import { type Option, OPTION_GROUPS } from '../library/option-table.ts'
import { optionEntries } from '../library/options.ts'
import { type Command, usageOf } from './command-table.ts'
import { DECLARATIONS, shownOptions } from './declarations.ts'
import { EXIT_CODES, fold, tableRows, widthOf } from './overview.ts'

/** Two screens of 24 lines. */
const MOST_LINES = 48
/** Columns of the options. */
const LEFT = 27

/** `columns` of the terminal, if there is one. */
export function renderHelp(command: Command, columns: number | undefined): string {
  const width = widthOf(columns)
  const head = [
    `assist-harness ${usageOf(command)} [options]    More: docs/reference/cli.md`,
    ...fold(`${command.describe}.`, width),
  ]
  const sections = sectionsOf(command).map(([title, rows]) => [`${title}:`, ...tableRows(rows, width, LEFT)])
  const examples = DECLARATIONS[command.name].examples.map((words) => `  assist-harness ${words}`)
  const all = [head, ...sections, ['Examples:', ...examples], EXIT_CODES]
  const layouts = [
    all.flatMap((lines, place) => (place === 0 ? lines : ['', ...lines])),
    all.flat(),
    [head, ...sections, EXIT_CODES].flat(),
  ]
  return (layouts.find((lines) => lines.length <= MOST_LINES) ?? layouts.at(-1) ?? []).join('\n')
}

function sectionsOf({ name }: Command): [title: string, rows: [string, string][]][] {
  const names: readonly string[] = shownOptions(name)
  const shown = new Map<string, Option>(optionEntries.filter(([option]) => names.includes(option)))
  const partners = [...shown.values()].map(({ together }) => together?.[0])
  return OPTION_GROUPS.flatMap(([title, table]) => {
    const own = Object.keys(table).filter((option) => shown.has(option) && !partners.includes(option))
    return own.length === 0 ? [] : [[title, own.map((option) => rowOf(option, shown))]]
  })
}

function rowOf(name: string, shown: ReadonlyMap<string, Option>): [string, string] {
  const option = shown.get(name)
  if (option === undefined) return [name, '']
  const { describe, default: byDefault, together } = option
  const partner = together && shown.get(together[0])
  if (together !== undefined && partner !== undefined)
    return [`${withValue(name, option)} [${withValue(together[0], partner)}]`, together[1]]
  return [withValue(name, option), byDefault === undefined ? describe : `${describe} (default: ${byDefault})`]
}

/** `--rate 60/min`, from its example. */
const withValue = (name: string, { example }: Option): string =>
  new RegExp(`--${name}(?: ('[^']*'|[^-]\\S*))?`).exec(example)?.[0] ?? `--${name}`
