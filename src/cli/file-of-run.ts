// Who names a file where the folder of a run is meant, or a folder that holds none.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isFile } from './is-file.ts'

/** What is meant, and what one looks like. */
export const NAME_A_RUN = 'name the folder of a run, as in reports/2026-11-20T12-31-05Z-quickstart'

/** What to say of the path; undefined where it is no file that stands beside a run's others. */
export const describeFileOfRun = (path: string): string | undefined =>
  isFile(path) && existsSync(join(dirname(path), 'run.json'))
    ? `${path} is a file of a run; name its folder, ${dirname(path)}`
    : undefined

/** What to say of a path that is no folder with a `run.json` in it; undefined where it is one. */
export function describeNoRun(path: string): string | undefined {
  if (isFile(path)) return describeFileOfRun(path) ?? `${path} is a file; ${NAME_A_RUN}`
  if (!existsSync(path)) return `${path} holds no run: there is no such folder; ${NAME_A_RUN}`
  return existsSync(join(path, 'run.json'))
    ? undefined
    : `${path} holds no run: there is no run.json in it; ${NAME_A_RUN}`
}
