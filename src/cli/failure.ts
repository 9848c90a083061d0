// What went wrong after calls were sent, or because of ours: the words for the screen, and the exit code.
import { StorageError } from '../domain/storage-error.ts'
import { TakenOver } from '../store/lock.ts'
import { messageOf } from '../options/faults.ts'
import { shellWord, terminalText } from '../report/escape.ts'
import { EXIT, say } from './output.ts'

/** Returns the exit code. */
export function sayFailure(error: unknown): number {
  if (error instanceof TakenOver) {
    say(terminalText(error.message))
    return EXIT.incomplete
  }
  if (error instanceof StorageError && error.folder !== undefined)
    return sayUnwritten(error.folder, error.message)
  if (error instanceof StorageError) {
    say(`the reports cannot be written (${messageOf(error)}): fix that, or name another folder with --out`)
    return EXIT.usage
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  say(`A fault of the harness itself: ${text}`)
  return EXIT.fault
}

/** Of a run whose answers are recorded. */
export function sayUnwritten(folder: string, reason: string): number {
  say(`The reports cannot be written: ${terminalText(reason)}`)
  say(`Fix that, then run: npx assist-harness report ${shellWord(folder)}`)
  return EXIT.incomplete
}
