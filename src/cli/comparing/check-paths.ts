// Which paths `compare` takes: each run once, and a folder of its own for what it writes.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../../library/usage-error.ts'

const MOST_RUNS = 8

/** `paths`: the baseline, then the candidates. Throws UsageError. */
export function checkPaths(paths: readonly string[]): void {
  if (paths.length < 2)
    throw new UsageError('compare needs two runs at least: the baseline, then one or more candidates')
  if (paths.length > MOST_RUNS)
    throw new UsageError(
      `compare takes ${MOST_RUNS} runs at most, the baseline among them; ${paths.length} were given`,
    )
  const missing = paths.find((path) => !existsSync(path))
  if (missing !== undefined)
    throw new UsageError(`${missing} is not there: name the folder of a recorded run`)
  const real = paths.map((path) => realpathSync(path))
  const twice = paths.find((_, place) => real.indexOf(real[place] ?? '') !== place)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice; name each run once`)
}

/** A recorded run stays as it is: nothing is written into its folder, nor below it. Throws UsageError. */
export function checkFolder(folder: string): void {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UsageError(`--out ${folder} is not a folder; name another`)
  for (let path = resolve(folder); ; path = dirname(path)) {
    if (existsSync(join(path, 'run.json')))
      throw new UsageError(
        `the comparison would be written into the run ${path}, which must stay as it is: name another folder with --out`,
      )
    if (dirname(path) === path) return
  }
}
