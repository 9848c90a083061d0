// Where the question sets of a run stand for GitHub: paths from the working directory, where they lie below it.
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Manifest } from '../domain/manifest.ts'

/**
 * By `Question.file`; undefined where a set has no way to it or stands elsewhere. `folder` is the run's, from which the
 * manifest counts. GitHub reads paths from the root of the repository, which is where its steps run by default.
 */
export function annotationPaths(
  folder: string,
  { datasets }: Pick<Manifest, 'datasets'>,
  workingDirectory: string = process.cwd(),
): (string | undefined)[] {
  return datasets.map(({ source }) => {
    if (source === undefined) return undefined
    const path = relative(workingDirectory, resolve(folder, source))
    return isBelow(path) ? path.split(sep).join('/') : undefined
  })
}

const isBelow = (path: string): boolean =>
  path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
