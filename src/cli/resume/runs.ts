// The recorded runs in a folder: one, or one for each target in the folders below it.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Manifest } from '../../domain/manifest.ts'
import { isFile } from '../is-file.ts'
import { describeNoRun, NAME_A_RUN } from '../file-of-run.ts'
import { refuseLoadTest } from '../load/refuse-load.ts'
import { readManifest, runFolder, type RunFolder } from '../run-folder.ts'
import { UsageError } from '../../library/usage-error.ts'

export interface RecordedRun {
  readonly folder: RunFolder
  readonly manifest: Manifest
}

/** The folder of a target whose process died before it had its manifest. */
const isUnbegun = (folder: string): boolean =>
  statSync(folder).isDirectory() &&
  readdirSync(folder).every((name) => /^lock(\.|$)|^run\.json\..*\.tmp$/.test(name))

/** Throws UsageError where there is none, or where one of several was never begun. */
export function findRuns(path: string): RecordedRun[] {
  if (isFile(path) || !existsSync(path)) throw new UsageError(`--resume ${describeNoRun(path)}`)
  const isRun = (folder: string): boolean => existsSync(runFolder(folder).manifest)
  const below = !isRun(path) ? readdirSync(path).map((name) => join(path, name)) : []
  const paths = isRun(path) ? [path] : below.filter(isRun).sort()
  const unbegun = isRun(path) ? undefined : below.find(isUnbegun)
  if (unbegun !== undefined)
    throw new UsageError(
      `--resume ${path}: folder ${basename(unbegun)} holds no run: it was not begun; name the folder of each run that was, or start anew`,
    )
  if (paths.length === 0)
    throw new UsageError(`--resume ${path}: there is no run in this folder; ${NAME_A_RUN}`)
  return paths.map((one) => {
    const manifest = readManifest(runFolder(one))
    refuseLoadTest(manifest, one, 'its timetable has passed, so it cannot be resumed; start a new one')
    return { folder: runFolder(one), manifest }
  })
}
