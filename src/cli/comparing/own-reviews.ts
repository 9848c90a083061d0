// The reviews of a comparison's folder: what was merged into it, and what was written into its tables since.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { ReviewFile } from '../../analysis/reviews/merge.ts'
import { readReviews } from '../../dataset/reviews.ts'
import type { Review } from '../../domain/review.ts'
import { comparisonTable } from '../../report/comparison-table-name.ts'
import { visible } from '../../report/visible.ts'
import { describeBroken, type BrokenFile } from '../reviews/folder-reviews.ts'
import { keepAside } from '../reviews/keep-aside.ts'
import { runFolder } from '../run-folder.ts'

export interface OwnReviews {
  /** Of `reviews.csv`. */
  readonly log: readonly Review[]
  /** Of the last comparison's tables. */
  readonly edited: readonly Review[]
  /** Tables that an earlier comparison left, of other candidates: what they only repeat must overrule nothing said since. */
  readonly earlier: readonly ReviewFile[]
  readonly broken: readonly BrokenFile[]
}

/** Reads, and writes nothing; the folder may be missing. */
export async function readOwnReviews(folder: string): Promise<OwnReviews> {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : []
  const last = lastTables(folder)
  const [log, edited, earlier, broken]: [Review[], Review[], ReviewFile[], BrokenFile[]] = [[], [], [], []]
  for (const name of names) {
    const isLog = name === 'reviews.csv'
    if (!isLog && !/^comparison(?:-\d+-.*)?\.csv$/.test(name)) continue
    const path = join(folder, name)
    const reading = await readReviews(path)
    broken.push(...describeBroken(path, reading))
    if (isLog) log.push(...reading.reviews)
    else if (last?.has(name) !== false) edited.push(...reading.reviews)
    else earlier.push({ name: path, reviews: reading.reviews })
  }
  return { log, edited, earlier, broken }
}

const writtenSchema = z.object({ runs: z.array(z.object({ label: z.string() })) })

/** Undefined where that is not known: then any table may be. */
function lastTables(folder: string): ReadonlySet<string> | undefined {
  try {
    const { runs } = writtenSchema.parse(JSON.parse(readFileSync(join(folder, 'comparison.json'), 'utf8')))
    return new Set(runs.slice(1).map((_, place) => comparisonTable(runs, place + 1)))
  } catch {
    return undefined
  }
}

/** A `reviews.csv` that stood there before any comparison is somebody's own, and may have columns that ours has not. */
export function keepForeign(folder: string): string[] {
  const { reviews } = runFolder(folder)
  if (!existsSync(reviews) || existsSync(join(folder, 'comparison.json'))) return []
  return [
    `${visible(reviews)} was there before: it was merged, and is kept as ${visible(keepAside(reviews))}`,
  ]
}
