// Opens what a run is judged by beside its own record: reviews, articles, its baseline, earlier runs.
import type { Judging } from '../analysis/comparing/judged-run.ts'
import type { LedgerResult, UsageRange } from '../domain/quota.ts'
import type { Review } from '../domain/review.ts'
import type { RunSettings } from '../options/settings.ts'
import { openRunArticles } from './articles.ts'
import { earlierChanges, type earlierReviews } from './earlier-runs.ts'
import { gateNotes } from './history.ts'
import { baselinePath, missingBaseline, openBaseline } from './judging.ts'
import { VERSION } from './ports.ts'
import type { JournalFold, Reading, RecordedRun } from './recorded-run.ts'
import { mergedReviews, reviewsIn } from './reviews.ts'

/** Is what a command says of judging. */
export interface JudgingOptions {
  readonly settings: RunSettings
  /** These are the reviews of `--reviews`. */
  readonly imported: readonly Review[]
  readonly reading: Reading
  /** Has heard the journal. */
  readonly ledger?: Ledger | undefined
}

/** Finds a run's calls in the ledger while its journal is folded. */
export interface Ledger extends JournalFold {
  readonly compare: (account: UsageRange) => LedgerResult
}

export interface OpenJudging extends Judging {
  /** Closes the journals of the baseline. */
  readonly close: () => void
}

/** Only a new run takes up reviews of `earlier` ones. */
export async function openJudging(
  run: RecordedRun,
  { settings, imported, reading, ledger }: JudgingOptions,
  earlier: Awaited<ReturnType<typeof earlierReviews>> = { reviews: [], notes: [] },
): Promise<OpenJudging> {
  const { manifest, model, path } = run
  const { ports } = reading
  const gate = await gateNotes(run, ports)
  const notes = [...missingBaseline(settings.baseline), ...earlier.notes, ...gate]
  const accepted = baselinePath(run)
  const ofBaseline = accepted === undefined ? [] : await reviewsIn(accepted)
  // In a shard, a text may be the only one of its kind by chance: merge pairs the reviews of the whole run.
  const known = manifest.shard === undefined ? model.questions : undefined
  const reviews = await mergedReviews(path, [...ofBaseline, ...earlier.reviews, ...imported], known)
  const areGiven = settings.articles !== undefined
  const articles = await openRunArticles(run, areGiven, ports, (text) => notes.push(text))
  const baseline = await openBaseline(run, reading)
  return {
    reviews,
    articles,
    baseline,
    earlierChanges: { [Symbol.iterator]: () => earlierChanges(run) },
    checkLedger: ledger?.compare,
    notes,
    harnessVersion: VERSION,
    close: () => baseline?.close(),
  }
}
