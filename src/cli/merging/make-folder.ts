// The folder of a joined run: made under another name, and in its place only once it holds the whole journal.
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StorageError } from '../../domain/storage-error.ts'
import { isProcessAlive } from '../process-alive.ts'
import { makeFolders } from '../files.ts'
import { makeFolder, runFolder, type RunFolder } from '../run-folder.ts'
import { mendUnwritten } from '../unwritten.ts'
import { UsageError } from '../../library/usage-error.ts'

/** Where this process begins the folder. */
export const unfinishedOf = (path: string): string => `${path}.merging.${process.pid}`

/**
 * `fill` writes into a folder beside `path`; whatever it throws, nothing is left of that. A process that is killed leaves
 * `PATH.merging.PID`, which holds no `run.json` until its journal is whole, and which the next `merge` takes away.
 */
export async function makeJoinedFolder(
  path: string,
  fill: (folder: RunFolder) => Promise<void>,
): Promise<RunFolder> {
  removeLeft(path)
  const temporary = makeFolder(unfinishedOf(path))
  try {
    await fill(temporary)
    // Only an empty folder is no run's: what came into it meanwhile stays, and is refused.
    if (existsSync(path)) rmdirSync(path)
    makeFolders(dirname(path))
    renameSync(temporary.path, path)
  } catch (error) {
    rmSync(temporary.path, { recursive: true, force: true })
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `--out ${path} cannot be written (${error instanceof Error ? error.message : 'unknown'}): ${mendUnwritten(new StorageError(error))}, or name another folder; nothing was written`,
    )
  }
  return runFolder(path)
}

function removeLeft(path: string): void {
  const start = `${basename(path)}.merging.`
  const around = dirname(path)
  if (!existsSync(around)) return
  for (const name of readdirSync(around)) {
    const pid = name.startsWith(start) ? Number(name.slice(start.length)) : NaN
    if (Number.isInteger(pid) && !isProcessAlive(pid))
      rmSync(join(around, name), { recursive: true, force: true })
  }
}
