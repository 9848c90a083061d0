// What went wrong after calls were sent, or because of ours: the words for the screen, and the exit code.
import { StorageError, TakenOver } from '../domain/storage-error.ts'
import { shellWord, terminalText } from '../report/escape.ts'
import { EXIT, type Screen } from './screen.ts'

export function sayFailure(error: unknown, screen: Screen): number {
  if (error instanceof TakenOver) {
    screen.say(terminalText(error.message))
    return EXIT.incomplete
  }
  if (error instanceof StorageError && error.folder !== undefined)
    return sayUnwritten(error.folder, error.message, screen)
  if (error instanceof StorageError) {
    screen.say(
      `the reports cannot be written (${terminalText(error.message)}): fix that, or name another folder with --out`,
    )
    return EXIT.usage
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  screen.say(`A fault of the harness itself: ${text.split('\n').map(terminalText).join('\n')}`)
  return EXIT.fault
}

export function sayUnwritten(folder: string, reason: string, screen: Screen): number {
  screen.say(`The reports cannot be written: ${terminalText(reason)}`)
  screen.say(`Fix that, then run: npx assist-harness report ${shellWord(folder)}`)
  return EXIT.incomplete
}
