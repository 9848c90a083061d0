// The recorded runs in a folder: one, or one for each target in the folders below it.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../domain/manifest.ts'
import { readManifest, runFolder, type RunFolder } from '../run-folder.ts'
import { UsageError } from '../usage-error.ts'

export interface RecordedRun {
  readonly folder: RunFolder
  readonly manifest: Manifest
}

/** Throws UsageError where there is none. */
export function findRuns(path: string): RecordedRun[] {
  const isRun = (folder: string): boolean => existsSync(runFolder(folder).manifest)
  const below = !isRun(path) && existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []
  const paths = isRun(path) ? [path] : below.filter(isRun).sort()
  if (paths.length === 0) throw new UsageError(`--resume ${path}: there is no run in this folder`)
  return paths.map((one) => ({ folder: runFolder(one), manifest: readManifest(runFolder(one)) }))
}
