// From the words typed to the exit code; only what the words need is loaded.
import { StorageError } from '../domain/storage-error.ts'
import { hideKey, KEY_VARIABLE } from '../library/secrets.ts'
import { VERSION } from '../library/shipped.ts'
import { asTyped, describeIssue, messageOf, UsageError } from '../library/usage-error.ts'
import { shellWord } from '../report/shell-word.ts'
import { terminalText as visible } from '../report/escape.ts'
import { EXIT, print, say, survivePipes } from './output.ts'
import { renderOverview } from './overview.ts'
import { watchSignals } from './signals.ts'

const SENDING: ReadonlySet<string> = new Set(['run', 'load'])

/** Returns the exit code, and throws nothing. */
export async function program(words: readonly string[]): Promise<number> {
  survivePipes()
  try {
    return await carryOut(words)
  } catch (error) {
    if (error instanceof UsageError) {
      // A line that was not understood may hold the key, and no command has looked for it yet.
      const named = words.filter((_, place) => words[place - 1] === '--api-key-env')
      for (const variable of [KEY_VARIABLE, ...named]) hideKey(variable)
      const lines = error.issues.flatMap((issue) => describeIssue(issue, asTyped).split('\n'))
      for (const line of lines) say(visible(line))
      return EXIT.usage
    }
    if (error instanceof StorageError && 'folder' in error) {
      say(`The reports cannot be written: ${messageOf(error)}`)
      say(`Fix that, then write them: npx assist-harness report ${shellWord(String(error.folder))}`)
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
  if (second === undefined && first === '--version') {
    await print(VERSION)
    return EXIT.ok
  }
  // What it takes to load the command is the longer part of a start.
  if (SENDING.has(first)) watchSignals()
  const { parseAndAct } = await import('./parse.ts')
  return parseAndAct(words)
}
