// `compare`: what changed between recorded runs, and whether it is more than noise.
import { existsSync, rmSync } from 'node:fs'
import { StorageError } from '../../domain/storage-error.ts'
import { checkFolder, checkPaths } from '../comparing/check-paths.ts'
import { comparisonFolder } from '../comparing/comparison-folder.ts'
import { openReviews } from '../comparing/gather-reviews.ts'
import { refuseFoldersOfRuns } from '../runs-within.ts'
import { sayComparison, sayFiles } from '../comparing/say-comparison.ts'
import { writeComparison } from '../comparing/write-comparison.ts'
import { hideKey } from '../environment.ts'
import { KEY_VARIABLE } from '../api-key/key-variable.ts'
import { watchInterruption } from '../interruption.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { printForPrograms, say } from '../output.ts'
import { visible } from '../../report/visible.ts'
import { shellWord } from '../shell-word.ts'
import { removeOwnTemporaries } from '../stale-temporaries.ts'
import { mendUnwritten } from '../unwritten.ts'
import { UsageError } from '../../library/usage-error.ts'

/** `paths`: the baseline, then the candidates. Returns the exit code of the verdict. Throws UsageError before it writes. */
export async function compare(paths: readonly string[], settings: RunSettings): Promise<number> {
  hideKey(KEY_VARIABLE)
  checkPaths(paths)
  refuseFoldersOfRuns(paths)
  const folder = settings.out ?? comparisonFolder(paths, new Date())
  checkFolder(folder)
  const isNew = !existsSync(folder)
  const watch = watchInterruption(() => 'the runs were not compared, and nothing was written')
  try {
    const reviews = await openReviews(folder, settings.reviews)
    const excel = settings.excel ?? false
    const { gather: reviewsOf, keep } = reviews
    const begin = (): void => {
      watch.meanwhile(() => (isNew ? takeAway(folder) : leaveUnwritten(folder)))
      keep()
    }
    const written = await writeComparison(folder, { paths, settings, reviewsOf, begin, excel })
    watch.end()
    sayComparison(written)
    for (const note of reviews.notes) say(`Note: ${note}`)
    sayFiles(written)
    if (settings.json === true) await printForPrograms(JSON.stringify(written.comparison, null, 2))
    return written.comparison.exitCode
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw new UsageError(
      `the comparison cannot be written (${error.message}): ${mendUnwritten(error)}, or name another folder with --out`,
    )
  } finally {
    watch.end()
  }
}

/** For the words of a signal. */
function takeAway(folder: string): string {
  rmSync(folder, { recursive: true, force: true })
  return 'the runs were not compared; what was begun is taken away'
}

function leaveUnwritten(folder: string): string {
  removeOwnTemporaries(folder)
  return `the comparison in ${visible(folder)} is not all written; the same command with --out ${shellWord(folder)} writes it anew`
}
