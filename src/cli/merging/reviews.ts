// The reviews that people gave to the parts of a run: what was merged into them, and what stands in their results.
import { existsSync } from 'node:fs'
import type { ReviewFile } from '../../analysis/reviews/merge.ts'
import { loadReviews, reviewsOfSets } from '../reviews/load.ts'
import type { Part } from './parts.ts'

/** `named`: files of the command line. Undefined where there are none of either. */
export async function reviewsOfParts(
  parts: readonly Part[],
  named: readonly string[] | undefined,
): Promise<readonly ReviewFile[] | undefined> {
  const logs = parts.map(({ folder }) => folder.reviews).filter((path) => existsSync(path))
  const merged = await loadReviews(logs, 'written')
  const written = await reviewsOfSets(
    parts.map(({ folder }) => folder.results).filter((path) => existsSync(path)),
  )
  const brought = await loadReviews(named, 'written')
  const all = [...(merged ?? []), ...written, ...(brought ?? [])]
  return all.length === 0 && brought === undefined ? undefined : all
}
