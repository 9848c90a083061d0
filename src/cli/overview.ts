// `assist-harness --help`: the commands, a line or two each. Written here, as the parser takes longer to load than to read this.
import { COMMANDS, usageOf } from './command-table.ts'

const LEFT = '  '
const WIDEST = 110

const OPTIONS = [
  ['    --version', 'Show version number'],
  ['-h, --help', "Show help; behind a command, that command's options"],
] as const

/** `columns`: of the terminal, where there is one. */
export function renderOverview(columns: number | undefined): string {
  const width = Math.min(WIDEST, columns ?? 80)
  return [
    'assist-harness <command>',
    '',
    'Asks an Assist endpoint your questions, and accounts for the answers.',
    '',
    'Commands:',
    ...table(
      COMMANDS.map((command) => [`assist-harness ${usageOf(command)}`, command.describe]),
      width,
    ),
    '',
    'Options:',
    ...table(OPTIONS, width),
  ].join('\n')
}

function table(rows: readonly (readonly [string, string])[], width: number): string[] {
  const left = Math.max(...rows.map(([words]) => words.length))
  const indent = LEFT.length + left + 2
  return rows.flatMap(([words, text]) =>
    fold(text, Math.max(20, width - indent)).map((line, place) =>
      place === 0 ? `${LEFT}${words.padEnd(left)}  ${line}` : `${' '.repeat(indent)}${line}`,
    ),
  )
}

/** Our own plain words: a sign is a column. */
function fold(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
