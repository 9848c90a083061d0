// What earlier runs at the same target, beside this one, hold: reviews that it takes up by itself, and
// changes that they listed.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import * as z from 'zod'
import type { RecordedChange } from '../analysis/comparing/rows.ts'
import { mergeReviews } from '../analysis/reviews/book.ts'
import { plural } from '../domain/format.ts'
import type { Review } from '../domain/review.ts'
import { compareTexts } from '../domain/text.ts'
import { messageOf, UsageError } from '../options/faults.ts'
import type { Manifest } from '../options/manifest.ts'
import { readKnown } from '../store/files.ts'
import { isRun, runFolder } from '../store/folder.ts'
import { readManifest } from '../store/manifest.ts'
import type { RecordedRun, RunRecord } from './recorded-run.ts'
import { reviewsIn } from './reviews.ts'

/** Each question has its reviews from the last run that holds any: a run of a part of the set hides none. */
export async function earlierReviews({ path, manifest, model }: RecordedRun) {
  const reviews: Review[] = []
  const notes: string[] = []
  // In a shard, a text may be the only one of its kind by chance: merge takes them up.
  if (manifest.shard !== undefined) return { reviews, notes }
  const questions = model.questions.flatMap((question) => question ?? [])
  const open = new Set(questions.map(({ id }) => id))
  const isOpen = ({ questionId }: Review): boolean => open.has(questionId)
  for (const earlier of earlierRuns(path, manifest, (run) => existsSync(runFolder(run).reviews))) {
    if (open.size === 0) break
    try {
      const { book, log } = mergeReviews(await reviewsIn(earlier), [], questions)
      const count = book.current().filter(isOpen).length
      if (count > 0) notes.push(`${plural(count, 'review')} taken up from ${basename(earlier)}`)
      const found = log.filter(isOpen)
      reviews.push(...found)
      for (const { questionId } of found) open.delete(questionId)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      notes.push(`The reviews of ${basename(earlier)} are not taken up: ${messageOf(error)}`)
    }
  }
  return { reviews, notes }
}

const MAX_FOLDERS = 200
/** A table of 500 reviews takes 15 ms; the last run of the same questions holds what those before it had. */
const MAX_READ = 20

/** Lists runs at the same target beside this one that hold something, the last first. */
export function earlierRuns(
  path: string,
  { runId, startedAt, target }: Manifest,
  holds: (run: string) => boolean,
): string[] {
  const isOfTarget = (other: Manifest): boolean =>
    other.target.name === target.name && (target.sandbox || other.target.baseUrl === target.baseUrl)
  return besides(resolve(path), target.name)
    .filter(isRun)
    .map((run) => ({ run, changed: statSync(runFolder(run).manifest).mtimeMs }))
    .toSorted((a, b) => b.changed - a.changed)
    .slice(0, MAX_FOLDERS)
    .flatMap(({ run }) => {
      if (!holds(run)) return []
      const earlier = manifestIn(run)
      const isEarlier = earlier !== undefined && earlier.runId !== runId && earlier.startedAt <= startedAt
      return isEarlier && isOfTarget(earlier) ? [{ run, at: earlier.startedAt }] : []
    })
    .toSorted((a, b) => compareTexts(b.at, a.at))
    .slice(0, MAX_READ)
    .map(({ run }) => run)
}

/** A run of several targets has a folder for each, of its name. */
function besides(folder: string, target: string): string[] {
  const root = dirname(folder)
  const beside = namesIn(root).map((name) => join(root, name))
  if (basename(folder) !== target) return beside
  const others = dirname(root)
  return [...beside, ...namesIn(others).map((name) => join(others, name, target))]
}

/** Some folders may be entered, but not listed. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function manifestIn(run: string): Manifest | undefined {
  try {
    return readManifest(runFolder(run))
  } catch {
    return undefined
  }
}

const recordedChangesSchema = z.object({
  candidates: z.array(
    z.object({
      changes: z.array(z.object({ id: z.string(), message: z.string(), kinds: z.array(z.string()) })),
    }),
  ),
})

/** Reads the changes that earlier runs listed, the last run first; each when it is asked for. */
export function* earlierChanges({ path, manifest }: RunRecord): Generator<readonly RecordedChange[]> {
  const fileOf = (run: string): string => join(run, 'comparison.json')
  for (const run of earlierRuns(path, manifest, (other) => existsSync(fileOf(other)))) {
    // A file that another version wrote, or half a file, is no history.
    const { known } = readKnown(fileOf(run), recordedChangesSchema)
    yield known?.candidates.flatMap(({ changes }) => changes) ?? []
  }
}
