// A run, judged once: all that is written of a run is made of this.
import type { Article } from '../../articles/article.ts'
import type { ArticleRecord } from '../../domain/articles.ts'
import type { Row } from '../../domain/changes.ts'
import { type Comparison, DEFAULT_RULES } from '../../domain/comparison.ts'
import { digits, makeMessage } from '../../domain/format.ts'
import type { LedgerResult, UsageRange } from '../../domain/quota.ts'
import type { GateDecision, GateOutcome, Summary } from '../../domain/summary.ts'
import type { PassPolicy } from '../../domain/turn.ts'
import { type ArticleIndexes, createConsultation } from '../articles/consult.ts'
import { gradedQuestions, meetsPolicy } from '../figures/graded.ts'
import { countRun } from '../judging/counted-run.ts'
import { summaryOf } from '../judging/summary.ts'
import { baselineWaits, joinReasons } from '../judging/verdict.ts'
import { type MergedReviews, reviewingBy, unmatchedReviews } from '../reviews/book.ts'
import { compareRuns } from './compare.ts'
import { findEdits, type RecordedArticle } from './edits.ts'
import type { ReadableRun } from './pair.ts'

export interface Judging {
  readonly reviews: MergedReviews | undefined
  readonly articles: RunArticles | undefined
  readonly baseline: Baseline | undefined
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
  const decision: GateDecision = { isGreen: summary.exitCode === 0, ...(before && { before }) }
  return {
    summary,
    details: counted.details,
    comparison: whole?.comparison ?? null,
    baseline: whole?.baseline,
    rows: whole?.rows ?? [],
    decision,
    gates,
    questions,
    standings: counted.standings,
    reviews,
    reviewingOf,
    consulted,
  }
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
  const { before, known } = outcomesOf(rows, run.manifest.options.passPolicy)
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

/** `before` holds outcomes in the baseline, by question; what fails now is `known` if it failed there. */
function outcomesOf(rows: readonly Row[], policy: PassPolicy) {
  const fails = (side: Row['candidate']): boolean =>
    side !== null && side.passRate !== null && !meetsPolicy(policy, side.passRate, 1 - side.passRate)
  // An edited question is another one: that its old text failed excuses nothing.
  const both = rows.filter(({ presence }) => presence === 'both')
  const before = both.flatMap(({ id, baseline }) =>
    baseline?.outcome !== 'answered' ? [] : [[id, fails(baseline) ? 'failed' : 'passed'] as const],
  )
  const known = both.filter(
    ({ baseline, candidate, mustPass }) => fails(candidate) && fails(baseline) && !mustPass,
  )
  return { before: new Map(before), known: known.length }
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
