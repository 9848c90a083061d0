// A run whose calls are all back is ended before its reports are written: what stands is said, and what writes them.
import { exitCodeOfInterruption } from '../domain/stop.ts'
import { say } from './output.ts'
import type { RunFolder } from './run-folder.ts'
import { shellWord } from './shell-word.ts'
import type { Signal } from './signals.ts'
import { removeOwnTemporaries } from './stale-temporaries.ts'

export function endUnreported(signal: Signal, folders: readonly RunFolder[]): never {
  for (const { path } of folders) removeOwnTemporaries(path)
  const commands = folders.map(({ path }) => `npx assist-harness report ${shellWord(path)}`)
  say(`\n${signal}: the reports are not all written; this writes them: ${commands.join(' && ')}`)
  process.exit(exitCodeOfInterruption({ signal }))
}
