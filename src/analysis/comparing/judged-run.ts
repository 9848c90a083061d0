// A run, judged once: all that is written of a run is made of this.
import type { Article } from '../../articles/article.ts'
import type { ArticleRecord } from '../../domain/articles.ts'
import { type Comparison, DEFAULT_RULES } from '../../domain/comparison.ts'
import { digits, makeMessage } from '../../domain/format.ts'
import type { LedgerResult, UsageRange } from '../../domain/quota.ts'
import type { GateOutcome, Summary } from '../../domain/summary.ts'
import { type JudgedStanding, type Standing, withAnswer } from '../../domain/turn.ts'
import { type ArticleIndexes, createConsultation } from '../articles/consult.ts'
import { baselineOutcomes, gradedQuestions } from '../figures/graded.ts'
import { countRun } from '../judging/counted-run.ts'
import { summaryOf } from '../judging/summary.ts'
import { baselineWaits, joinReasons } from '../judging/verdict.ts'
import { type MergedReviews, reviewingBy, unmatchedReviews } from '../reviews/book.ts'
import { compareRuns } from './compare.ts'
import { findEdits, type RecordedArticle } from './edits.ts'
import type { ReadableRun } from './pair.ts'
import { backAgain, type RecordedChange } from './rows.ts'

export interface Judging {
  readonly reviews: MergedReviews | undefined
  readonly articles: RunArticles | undefined
  readonly baseline: Baseline | undefined
  /** Holds what earlier runs listed, the last first. */
  readonly earlierChanges: Iterable<readonly RecordedChange[]>
  readonly checkLedger?: ((account: UsageRange) => LedgerResult) | undefined
  readonly notes: readonly string[]
  readonly harnessVersion: string
}

export interface RunArticles {
  readonly articles: readonly Article[]
  readonly indexes: ArticleIndexes
  /** An earlier report recorded them; undefined for the first, and where articles are given again. */
  readonly recorded: readonly ArticleRecord[] | undefined
}

export type Baseline =
  | { readonly kind: 'unreadable'; readonly name: string; readonly reason: string }
  | {
      readonly kind: 'readable'
      readonly run: ReadableRun
      readonly articles: readonly RecordedArticle[] | undefined
    }

export type JudgedRun = ReturnType<typeof judgeRun>

export function judgeRun(run: ReadableRun, judging: Judging) {
  const { manifest, model } = run
  const { reviews, baseline } = judging
  const questions = gradedQuestions(model, run.pick, manifest.options)
  const { groundedSources } = manifest.options
  const articles = judging.articles
  const consultation = articles && createConsultation(articles.indexes, groundedSources, articles.recorded)
  const reviewingOf = reviewingBy(reviews)
  const counted = countRun(questions, run, { reviewingOf, consultation })
  const { consulted } = counted
  const compared = baseline && compareJudged(baseline, run, judging, consulted?.records)
  const notes = [...run.notes, ...judging.notes]
  if (consulted !== undefined && consulted.edited > 0)
    notes.push(
      `Articles edited, added or removed since the run: ${digits(consulted.edited)}. Causes, sources and ` +
        'facts are of the articles as they are now.',
    )
  const judged = summaryOf(counted, { manifest, model, notes }, compared?.against)
  // A shard, or a run that is not complete, is not judged by its baseline: what failed there is known all
  // the same.
  const whole = judged.comparison === null ? undefined : compared?.whole
  const waits = compared !== undefined && judged.comparison === null && manifest.shard === undefined
  const ledger = judging.checkLedger?.(judged.quota)
  const warnings = [
    ...judged.warnings,
    ...(waits ? [baselineWaits()] : []),
    ...unmatchedReviews(reviews, [run]),
  ]
  const summary: Summary = { ...judged, warnings, ...(ledger && { ledger }) }
  const complete = {
    name: 'complete',
    passed: summary.verdict !== 'incomplete',
    reason: makeMessage('noted', joinReasons(summary.reasons)),
  }
  const gates: GateOutcome[] = [complete, ...summary.gates]
  const before = compared?.before
  return {
    summary,
    details: counted.details,
    comparison: whole?.comparison ?? null,
    baseline: whole?.baseline,
    backAgain: whole ? backAgain(whole.comparison.candidates[0].changes, judging.earlierChanges) : [],
    rows: whole?.rows ?? [],
    gates,
    questions,
    standings: judgeStandings(counted.standings, { isGreen: summary.exitCode === 0, before }),
    reviews,
    reviewingOf,
    consulted,
  }
}

export interface Decision {
  readonly isGreen: boolean
  /** Holds outcomes in the baseline, graded by what the candidate expects. */
  readonly before?:
    { readonly baseline: string; readonly byId: ReadonlyMap<string, 'failed' | 'passed'> } | undefined
}

/** Ranks what failed, and excuses what fails in the baseline, too, and what no gate covers. */
export function judgeStandings(
  standings: readonly Standing[],
  { before, isGreen }: Decision,
): readonly JudgedStanding[] {
  return standings.map((standing) => {
    if (standing.kind === 'passed' || standing.kind === 'skipped') return standing
    const { question, kind, unmet } = standing
    const { id, mustPass } = question
    const accepted = before?.byId.get(id)
    const isKnown = accepted === 'failed' && kind === 'failed' && !mustPass
    if (!isKnown && !isGreen)
      return { ...standing, rank: accepted === 'passed' ? 'newly' : mustPass ? 'mustPass' : 'other' }
    const why = isKnown ? `known failure (also in ${before?.baseline})` : 'it fails no gate'
    const excuse = `${why}: ${unmet[0] ? withAnswer(unmet[0]) : ''}`
    return { ...standing, rank: isKnown ? 'known' : 'tolerated', excuse }
  })
}

export function compareWithBaseline(
  baseline: ReadableRun,
  run: ReadableRun,
  { reviews, harnessVersion }: Pick<Judging, 'reviews' | 'harnessVersion'>,
) {
  const { failOn, alpha, margin, minOverlap, groundedSources } = run.manifest.options
  const rules = { failOn: failOn ?? DEFAULT_RULES, areNamed: failOn !== null }
  return compareRuns(baseline, run, {
    options: { ...rules, alpha, margin, minOverlap, groundedSources },
    harnessVersion,
    reviewOf: reviews?.book.reviewFor,
    hasOwnGates: true,
  })
}

/** A baseline that is gone fails a finished run. */
function compareJudged(
  baseline: Baseline,
  run: ReadableRun,
  judging: Judging,
  records: readonly ArticleRecord[] | undefined,
) {
  if (baseline.kind === 'unreadable') {
    const reason = `the run cannot be compared with its baseline: ${baseline.reason}`
    const failed = { verdict: 'failed', reason, rules: [], edited: 0, known: 0 } as const
    return { against: { baseline: baseline.name, ...failed }, before: undefined, whole: undefined }
  }
  const compared = compareWithBaseline(baseline.run, run, judging)
  const { rows } = compared
  const { articles } = judging
  const now = articles && records && { articles: articles.articles, recorded: records }
  const comparison = withEdits(compared, baseline.articles, now)
  const [candidate] = comparison.candidates
  const [{ label: name, startedAt }] = comparison.runs
  const { before, known } = baselineOutcomes(rows, run.manifest.options.passPolicy)
  const { verdict, reason, gates: rules, overlap } = candidate
  return {
    against: { baseline: name, verdict, reason, rules, edited: overlap.edited, known },
    before: { baseline: name, byId: before },
    whole: {
      comparison,
      baseline: {
        summary: compared.baseline,
        candidate: compared.candidate,
        name,
        startedAt,
        compared: candidate,
      },
      rows,
    },
  }
}

/** Adds what edited articles did to the answers, where both runs recorded theirs. */
export function withEdits(
  { comparison, rows }: ReturnType<typeof compareRuns>,
  before: readonly RecordedArticle[] | undefined,
  now: { readonly articles: readonly Article[]; readonly recorded: readonly RecordedArticle[] } | undefined,
): Comparison {
  if (before === undefined || now === undefined) return comparison
  const { groundedSources } = comparison.options
  const edits = findEdits(rows, { before, now: now.recorded }, now.articles, groundedSources)
  const [candidate] = comparison.candidates
  return { ...comparison, candidates: [{ ...candidate, articles: edits }] }
}
