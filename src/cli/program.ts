// From the words behind `assist-harness` to the exit code; only what a command needs is loaded.
import { hideKey, KEY_VARIABLE } from '../library/secrets.ts'
import { VERSION } from '../library/shipped.ts'
import { asTyped, describeIssue, didYouMean, UsageError } from '../library/usage-error.ts'
import { annotateFault } from '../report/annotations.ts'
import { terminalText as visible } from '../report/escape.ts'
import { COMMANDS } from './command-table.ts'
import { sayFailure } from './failure.ts'
import { renderHelp, renderOverview } from './help.ts'
import { annotate, EXIT, print, say, ignoreLostOutput } from './output.ts'
import { watchSignals } from './signals.ts'

/** Returns the exit code, and throws nothing. */
export async function program(words: readonly string[]): Promise<number> {
  ignoreLostOutput()
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
    return sayFailure(error)
  }
}

/** For what no command could catch. */
export function endAsFault(error: unknown): never {
  process.exit(sayFailure(error))
}

async function carryOut(words: readonly string[]): Promise<number> {
  const [first = '', ...rest] = words
  if (words.length === 0) say(renderOverview(process.stderr.columns))
  if (first === '--version' && rest.length === 0) return answer(VERSION)
  const beforeDashes = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  const isHelp = beforeDashes.some((word) => word === '--help' || word === '-h')
  const name = isHelp ? words.find((word) => !word.startsWith('-')) : first
  if (name === undefined) return answer(renderOverview(process.stdout.columns))
  if (name.trim() === '' || name.startsWith('-'))
    throw new UsageError('a command is missing; see assist-harness --help')
  const command = COMMANDS.find((one) => one.name === name)
  if (command === undefined) {
    const names = COMMANDS.map((one) => one.name)
    const hint = didYouMean(name, names) || `; commands are ${names.join(', ')}`
    throw new UsageError(`unknown command ${name}${hint}`)
  }
  if (isHelp) {
    const { OPTIONS } = await import('../library/option-table.ts')
    return answer(renderHelp(command, OPTIONS, process.stdout.columns))
  }
  // Loading the command takes most of the start.
  if (name === 'run' || name === 'load') watchSignals()
  const { runCommand } = await import('./commands.ts')
  return runCommand(command, rest)
}

async function answer(text: string): Promise<number> {
  await print(text)
  return EXIT.ok
}
