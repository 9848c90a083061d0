// Temporary folders and paths of one test file, removed after its tests.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assist-harness-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns a function that gives a new path at each call. Nothing exists there yet. */
export function temporaryPaths(): () => string {
  const folder = temporaryFolder()
  let given = 0
  return () => join(folder, String((given += 1)))
}
