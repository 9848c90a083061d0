// Temporary folders and paths of one test file, removed after its tests.
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const MEMORY = '/dev/shm'

/** Memory where the system has a gigabyte of it to spare: the program syncs every file, and a disk takes its time. */
function scratch(): string {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= 2 ** 30 ? MEMORY : tmpdir()
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(scratch(), 'assist-harness-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns a function that gives a new path at each call. Nothing exists there yet. */
export function temporaryPaths(): () => string {
  const folder = temporaryFolder()
  let given = 0
  return () => join(folder, String((given += 1)))
}
