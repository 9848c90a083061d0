// `assist-harness --help`: the commands, a line or two each. Rendered without the parser, which is slow to load.
import { COMMANDS, usageOf } from './command-table.ts'

const INDENT = '  '
const WIDEST = 110

const OPTIONS = [
  ['-h, --help', "Show help; after a command: that command's options"],
  ['--version', 'Show version number'],
] as const

/** The last lines of every help. */
export const EXIT_CODES = [
  'Exit codes: 0 passed; 1 a gate failed; 2 usage, config or question set is wrong;',
  '3 key rejected; 4 incomplete; 5 fault of the harness; 130, 143 interrupted',
]

/** `columns` of the terminal, if there is one. */
export const widthOf = (columns: number | undefined): number => Math.min(WIDEST, columns ?? 80)

export function renderOverview(columns: number | undefined): string {
  const width = widthOf(columns)
  const commands = COMMANDS.map((command) => [usageOf(command), command.describe] as const)
  const left = Math.max(...commands.map(([words]) => words.length))
  return [
    'assist-harness <command>',
    '',
    'Sends your questions to an Assist endpoint, and reports and judges the answers.',
    '',
    'Commands:',
    ...tableRows(commands, width, left),
    '',
    'Options:',
    ...tableRows(OPTIONS, width, left),
    '',
    ...EXIT_CODES,
  ].join('\n')
}

/** `left`: width of the first column. */
export function tableRows(
  rows: readonly (readonly [words: string, text: string])[],
  width: number,
  left: number,
): string[] {
  const indent = ' '.repeat(INDENT.length + left + 2)
  return rows.flatMap(([words, text]) => {
    const start = `${INDENT}${words.padEnd(left)}  `
    if (start.length + text.length <= width) return [start + text]
    const lines = fold(text, Math.max(20, width - indent.length))
    if (words.length > left) return [start.trimEnd(), ...lines.map((line) => indent + line)]
    return lines.map((line, place) => (place === 0 ? start : indent) + line)
  })
}

/** Wraps ASCII text, in which a character is one column. */
export function fold(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
