// A run, judged once: its figures, gates, verdict and lists, with its reviews, articles and baseline. All
// that is written of a run is made of this.
import type { Article } from '../articles/article.ts'
import type { ArticleRecord } from '../domain/articles.ts'
import { type Comparison, DEFAULT_RULES } from '../domain/comparison.ts'
import { digits } from '../domain/format.ts'
import { makeMessage } from '../domain/message.ts'
import type { LedgerResult, UsageRange } from '../domain/quota.ts'
import type { GateDecision, GateOutcome, Summary } from '../domain/summary.ts'
import { type ArticleIndexes, consultArticles } from './articles/consult.ts'
import { compareRuns } from './comparison/compare.ts'
import { findEdits, type RecordedArticle } from './comparison/edits.ts'
import type { ReadableRun } from './comparison/graded-runs.ts'
import { outcomesOf, withBaselineGates, withoutKnown } from './gates/judge.ts'
import { gradedQuestions } from './graded.ts'
import { baselineWaits } from './messages.ts'
import { type MergedReviews, reviewingBy, unmatchedReviews } from './reviews/book.ts'
import { summarise } from './summary.ts'
import { joinReasons } from './verdict.ts'

export interface Judging {
  readonly reviews: MergedReviews | undefined
  readonly articles: RunArticles | undefined
  readonly baseline: Baseline | undefined
  readonly checkLedger?: ((account: UsageRange) => LedgerResult) | undefined
  /** They say why something is missing that a reader would look for. */
  readonly notes: readonly string[]
  readonly harnessVersion: string
}

export interface RunArticles {
  readonly articles: readonly Article[]
  readonly indexes: ArticleIndexes
  /** An earlier report recorded them; undefined for the first, and where they are given again. */
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
  const { reviews } = judging
  const questions = gradedQuestions(model, run.pick, manifest.options)
  const { consulted, edited } = consult(questions, manifest.options.groundedSources, judging.articles)
  const notes = [...run.notes, ...judging.notes, ...edited]
  const reviewingOf = reviewingBy(reviews)
  const folded = summarise(questions, { manifest, model, notes }, { reviewingOf, consulted })
  const compared = withBaseline(run, folded.summary, judging, consulted?.records)
  const ledger = judging.checkLedger?.(folded.summary.quota)
  const warnings = [...compared.summary.warnings, ...unmatchedReviews(reviews, [run])]
  const summary = { ...compared.summary, warnings, ...(ledger && { ledger }) }
  const complete = {
    name: 'complete',
    passed: summary.verdict !== 'incomplete',
    reason: makeMessage('noted', joinReasons(summary.reasons)),
  }
  const gates: GateOutcome[] = [complete, ...summary.gates]
  return { ...compared, summary, details: folded.details, gates, questions, reviews, reviewingOf, consulted }
}

/** Records keep the articles that the run was answered from: a comparison names what changed since. */
function consult(
  questions: ReturnType<typeof gradedQuestions>,
  groundedSources: readonly string[],
  read: RunArticles | undefined,
) {
  if (read === undefined) return { consulted: undefined, edited: [] }
  const consulted = consultArticles(questions, groundedSources, read.indexes)
  const before = read.recorded
  if (before === undefined) return { consulted, edited: [] }
  const now = new Map(consulted.records.map((record) => [record.article, record]))
  const records = before.map((record): ArticleRecord => {
    const gone = { ...record, answered: 0, gaps: 0, unsupported: 0, contradicts: [] }
    return { ...(now.get(record.article) ?? gone), digest: record.digest }
  })
  const known = new Set(before.map(({ article }) => article))
  const changed =
    before.filter(({ article, digest }) => now.get(article)?.digest !== digest).length +
    consulted.records.filter(({ article }) => !known.has(article)).length
  const edited =
    `Articles edited, added or removed since the run: ${digits(changed)}. Causes, sources and facts are of ` +
    'the articles as they are now.'
  return { consulted: { ...consulted, records }, edited: changed > 0 ? [edited] : [] }
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

/**
 * The rules of the comparison are gates of a finished run. A shard, or a run that is not complete, is not
 * judged by them: its failures that the baseline has are known all the same. A baseline that is gone fails a
 * finished run.
 */
function withBaseline(
  run: ReadableRun,
  summary: Summary,
  judging: Judging,
  records: readonly ArticleRecord[] | undefined,
) {
  const { manifest, model } = run
  const { baseline, articles } = judging
  const alone = (judged: Summary, before?: GateDecision['before']) => ({
    summary: judged,
    comparison: null,
    baseline: undefined,
    decision: { isGreen: judged.exitCode === 0, ...(before && { before }) },
    rows: [],
  })
  if (baseline === undefined) return alone(summary)
  const isShard = manifest.shard !== undefined
  const isPart = isShard || summary.verdict === 'incomplete' || summary.state === 'decided'
  const waits = isPart && !isShard ? [baselineWaits()] : []
  const waiting = { ...summary, warnings: [...summary.warnings, ...waits] }
  if (baseline.kind === 'unreadable') {
    if (isPart) return alone(waiting)
    const reason = `the run cannot be compared with its baseline: ${baseline.reason}`
    return alone(
      withBaselineGates(summary, model.stop, { baseline: baseline.name, verdict: 'failed', reason }),
    )
  }
  const compared = compareWithBaseline(baseline.run, run, judging)
  const { rows } = compared
  const now = articles && records && { articles: articles.articles, recorded: records }
  const comparison = withEdits(compared, baseline.articles, now)
  const { verdict, reason } = comparison
  const [candidate] = comparison.candidates
  const name = comparison.runs[0].label
  const outcomes = outcomesOf(rows, manifest.options.passPolicy)
  const known = { baseline: name, byId: outcomes.before }
  if (isPart) return alone({ ...waiting, gates: withoutKnown(waiting.gates, outcomes) }, known)
  const whole = withBaselineGates(
    summary,
    model.stop,
    { baseline: name, verdict, reason },
    { rules: candidate.gates, edited: candidate.overlap.edited, ...outcomes },
  )
  return {
    summary: whole,
    comparison,
    baseline: { summary: compared.baseline, candidate: compared.candidate, name, compared: candidate },
    decision: { isGreen: whole.exitCode === 0, before: known },
    rows,
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
