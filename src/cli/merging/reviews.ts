// The reviews that people gave to the parts of a run: what was merged into them, and what stands in their results.
import type { ReviewFile } from '../../analysis/reviews/merge.ts'
import { visible } from '../../report/visible.ts'
import { readFolderReviews } from '../reviews/folder-reviews.ts'
import { loadReviews } from '../reviews/load.ts'
import { shellWord } from '../shell-word.ts'
import type { IndexedPart } from './index-parts.ts'

export interface ReviewsOfParts {
  /** Undefined where there are none, and no file was named. */
  readonly files: readonly ReviewFile[] | undefined
  /** What a reader should know. */
  readonly notes: readonly string[]
}

/**
 * The folders of the parts are read only. `named`: files of the command line; throws UsageError with every fault of them.
 * `out`: the folder of the joined run.
 */
export async function reviewsOfParts(
  parts: readonly Pick<IndexedPart, 'folder' | 'questions'>[],
  named: readonly string[] | undefined,
  out: string,
): Promise<ReviewsOfParts> {
  const ofParts: ReviewFile[] = []
  const notes: string[] = []
  for (const { folder, questions } of parts) {
    const { log, isEmpty, broken } = await readFolderReviews(folder, questions, undefined)
    if (!isEmpty) ofParts.push({ name: folder.path, reviews: log })
    for (const { path, fault } of broken)
      notes.push(
        `${visible(path)} could not be read whole (${fault}): what could be read was merged; mend it, and bring it to the joined run: ` +
          `npx assist-harness report ${shellWord(out)} --reviews ${shellWord(path)}`,
      )
  }
  const brought = await loadReviews(named, 'written')
  const files = [...ofParts, ...(brought ?? [])]
  return { files: files.length === 0 && brought === undefined ? undefined : files, notes }
}
