// From the words typed to the exit code; only what the words need is loaded.
import { KEY_VARIABLE } from './api-key/key-variable.ts'
import { EXIT } from './exit-codes.ts'
import { printForPrograms, say, survivePipes } from './output.ts'
import { renderOverview } from './overview.ts'
import { watchBeginning } from './signals.ts'
import { UsageError } from '../library/usage-error.ts'
import { VERSION } from './version.ts'

const ASKING: ReadonlySet<string> = new Set(['run', 'load'])

/** Returns the exit code, and throws nothing. */
export async function program(words: readonly string[]): Promise<number> {
  survivePipes()
  try {
    return await carryOut(words)
  } catch (error) {
    if (error instanceof UsageError) {
      // A line that was not understood may hold the key, and no command has looked for it yet.
      const { hideKey } = await import('./environment.ts')
      for (const variable of [
        KEY_VARIABLE,
        ...words.filter((_, place) => words[place - 1] === '--api-key-env'),
      ])
        hideKey(variable)
      say(error.message)
      return EXIT.usage
    }
    if (isFolderGone(error)) {
      say('the current folder is not there any more: go to another one')
      return EXIT.usage
    }
    say(
      `A fault of the harness itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
    return EXIT.fault
  }
}

/** Node itself throws it to who asks where this process stands. */
const isFolderGone = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd'

async function carryOut(words: readonly string[]): Promise<number> {
  const [first, second] = words
  if (first === undefined) {
    say(renderOverview(process.stderr.columns))
    throw new UsageError('a command is missing; see assist-harness --help')
  }
  const ownAnswer = second === undefined ? answerAtOnce(first) : undefined
  if (ownAnswer !== undefined) {
    await printForPrograms(ownAnswer)
    return EXIT.ok
  }
  // What it takes to load the command is the longer part of a start.
  if (ASKING.has(first)) watchBeginning()
  const { parseAndAct } = await import('./parse.ts')
  return parseAndAct(words)
}

/** What can be said without a command. */
function answerAtOnce(word: string): string | undefined {
  if (word === '--help' || word === '-h') return renderOverview(process.stdout.columns)
  return word === '--version' ? VERSION : undefined
}
