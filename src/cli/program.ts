// From the arguments to the exit code; only what a command needs is loaded.
import { StorageError } from '../domain/storage-error.ts'
import { hideKey, KEY_VARIABLE } from '../library/secrets.ts'
import { VERSION } from '../library/shipped.ts'
import { asTyped, describeIssue, messageOf, UsageError } from '../library/usage-error.ts'
import { annotateFault } from '../report/annotations.ts'
import { shellWord, terminalText as visible } from '../report/escape.ts'
import { annotate, EXIT, print, say, handleClosedPipes } from './output.ts'
import { COMMANDS } from './command-table.ts'
import { renderOverview } from './overview.ts'
import { watchSignals } from './signals.ts'

const SENDING: ReadonlySet<string> = new Set(['run', 'load'])

/** Returns the exit code, and throws nothing. */
export async function program(words: readonly string[]): Promise<number> {
  handleClosedPipes()
  try {
    return await carryOut(words)
  } catch (error) {
    if (error instanceof UsageError) {
      // An invalid line may contain the key, and no command has hidden it yet.
      const named = words.filter((_, place) => words[place - 1] === '--api-key-env')
      named.push(...words.flatMap((word) => /^--api-key-env=(.*)$/.exec(word)?.slice(1) ?? []))
      for (const variable of [KEY_VARIABLE, ...named]) hideKey(variable)
      const lines = error.issues.map((issue) => describeIssue(issue, asTyped))
      for (const line of lines.flatMap((text) => text.split('\n'))) say(visible(line))
      annotate(error.issues.map(({ path }, place) => annotateFault({ path, message: lines[place] ?? '' })))
      return EXIT.usage
    }
    if (error instanceof StorageError && error.folder !== undefined) {
      say(`The reports cannot be written: ${messageOf(error)}`)
      say(`Fix that, then run: npx assist-harness report ${shellWord(error.folder)}`)
      return EXIT.incomplete
    }
    if (error instanceof StorageError) {
      say(`the reports cannot be written (${messageOf(error)}): fix that, or name another folder with --out`)
      return EXIT.usage
    }
    say(
      `A fault of the harness itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
    return EXIT.fault
  }
}

async function carryOut(words: readonly string[]): Promise<number> {
  const [first, second] = words
  if (first === undefined) {
    say(renderOverview(process.stderr.columns))
    throw new UsageError('a command is missing; see assist-harness --help')
  }
  const answer = first === '--version' && second === undefined ? VERSION : await helpFor(words)
  if (answer !== undefined) {
    await print(answer)
    return EXIT.ok
  }
  // Loading the command takes most of the start.
  if (SENDING.has(first)) watchSignals()
  const { parseAndRun } = await import('./parse.ts')
  return parseAndRun(words)
}

/** Undefined if no help is wanted, or the command is unknown. */
async function helpFor(words: readonly string[]): Promise<string | undefined> {
  const beforeDashes = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  if (!beforeDashes.some((word) => word === '--help' || word === '-h')) return undefined
  const name = words.find((word) => !word.startsWith('-'))
  if (name === undefined) return renderOverview(process.stdout.columns)
  const command = COMMANDS.find((one) => one.name === name)
  if (command === undefined) return undefined
  const { renderHelp } = await import('./help.ts')
  return renderHelp(command, process.stdout.columns)
}
