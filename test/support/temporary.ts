// Temporary folders and paths of one test file, removed at its end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assist-harness-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Gives paths, each another: nothing stands there yet. */
export function temporaryPaths(): () => string {
  const folder = temporaryFolder()
  let given = 0
  return () => join(folder, String((given += 1)))
}
