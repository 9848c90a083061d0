// Who names a file of a run where its folder is meant.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isFile } from './is-file.ts'

/** What to say of the path; undefined where it is no file that stands beside a run's others. */
export const describeFileOfRun = (path: string): string | undefined =>
  isFile(path) && existsSync(join(dirname(path), 'run.json'))
    ? `${path} is a file of a run; name its folder, ${dirname(path)}`
    : undefined
