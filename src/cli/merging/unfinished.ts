// A joined run whose `merge` did not come to its end: taken away by the one that was stopped, and told by the next.
import { existsSync, rmSync } from 'node:fs'
import { visible } from '../../report/visible.ts'
import { holderOf } from '../folder-lock.ts'
import { readManifest, runFolder } from '../run-folder.ts'
import { shellWord } from '../shell-word.ts'
import { UsageError } from '../../library/usage-error.ts'

/** `path`: what this process made. Returns what became of it, in half a sentence. */
export function takeAway(path: string): string {
  try {
    rmSync(path, { recursive: true, force: true })
    return 'the parts were not joined; what was begun is taken away, and the parts are as they were'
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    return `the parts were not joined, and what was begun could not be taken away (${visible(reason)}): remove ${shellWord(path)}`
  }
}

/** Throws UsageError that names the command which finishes what was joined. */
export function refuseUnfinished(path: string): void {
  if (!isUnfinished(path)) return
  const holder = holderOf(path)
  throw new UsageError(
    holder === undefined
      ? `--out ${path} holds a joined run whose merge was stopped before its reports were written: ` +
          `npx assist-harness report ${shellWord(path)} writes them; or name another folder`
      : `--out ${path} is being written by ${holder}; wait for it, or name another folder`,
  )
}

/** A joined run that is asked further has reports, and no end. */
function isUnfinished(path: string): boolean {
  const folder = runFolder(path)
  if (!existsSync(folder.manifest)) return false
  try {
    const { merged, state, endedAt } = readManifest(folder)
    return merged !== undefined && state === 'running' && (endedAt !== null || !existsSync(folder.summary))
  } catch (error) {
    if (error instanceof UsageError) return false
    throw error
  }
}
