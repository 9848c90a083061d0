// The columns of a run's tables other than results.csv, for CSV files and workbooks.
import { type ArticleRecord, CAUSE_LABELS } from '../domain/articles.ts'
import { answerOf, type ChangedFact, type Row } from '../domain/changes.ts'
import type { DraftRow } from '../domain/draft.ts'
import type { HistoryRun, HistorySeries } from '../domain/history.ts'
import type { Review } from '../domain/review.ts'
import type { GapCluster, GapQuestion, Summary } from '../domain/summary.ts'
import { withAnswer } from '../domain/turn.ts'
import type { SheetColumn, SheetTable } from './spreadsheet.ts'

/** `change` is the column to filter by. */
export const COMPARISON_COLUMNS: readonly SheetColumn<Row>[] = [
  ['id', ({ id }) => id],
  ['thread', ({ thread }) => thread],
  ['turn', ({ turn }) => turn],
  ['message', ({ message }) => message],
  ['presence', ({ presence }) => presence],
  ['change', ({ kinds }) => kinds.join(';')],
  ['baseline_source', ({ baseline }) => baseline?.source],
  ['candidate_source', ({ candidate }) => candidate?.source],
  ['baseline_grounded', ({ baseline }) => shareOf(baseline?.groundingRate), 2],
  ['candidate_grounded', ({ candidate }) => shareOf(candidate?.groundingRate), 2],
  ['baseline_passed', ({ baseline }) => shareOf(baseline?.passRate), 2],
  ['candidate_passed', ({ candidate }) => shareOf(candidate?.passRate), 2],
  ['baseline_outcome', ({ baseline }) => baseline?.outcome],
  ['candidate_outcome', ({ candidate }) => candidate?.outcome],
  ['failures', ({ candidate }) => candidate?.failures.map(withAnswer).join(' | ')],
  ['answers', ({ answers }) => answers],
  ['similarity', ({ similarity }) => similarity, 2],
  ['facts_lost', ({ factsLost }) => listFacts(factsLost)],
  ['facts_gained', ({ factsGained }) => listFacts(factsGained)],
  ['baseline_message', ({ baselineMessage }) => baselineMessage],
  ['baseline_answer', ({ baseline }) => baseline && answerOf(baseline)],
  ['candidate_answer', ({ candidate }) => candidate && answerOf(candidate)],
  ['baseline_latency_ms', ({ baseline }) => baseline?.latencyMs, 1],
  ['candidate_latency_ms', ({ candidate }) => candidate?.latencyMs, 1],
  ['tags', ({ tags }) => tags.join(';')],
  ['review', ({ reviewing }) => (reviewing?.kind === 'reviewed' ? reviewing.review : '')],
  ['note', ({ reviewing }) => reviewing?.note],
]

/** Repeats that all agree are true or false, others their share. */
const shareOf = (rate: number | null | undefined) => (rate === 0 ? false : rate === 1 ? true : rate)

const listFacts = (facts: readonly ChangedFact[]): string => facts.map(({ text }) => text).join(' | ')

/** The columns keep their order: `recordedArticles` reads them by it. */
export const ARTICLE_COLUMNS: readonly SheetColumn<ArticleRecord>[] = [
  ['id', ({ article }) => article],
  ['title', ({ title }) => title],
  ['url', ({ url }) => url],
  ['digest', ({ digest }) => digest],
  ['questions_answered', ({ answered }) => answered],
  ['gaps_nearest', ({ gaps }) => gaps],
  ['unsupported_facts', ({ unsupported }) => unsupported],
  ['contradicts', ({ contradicts }) => contradicts.join(';')],
  ['questions', ({ questions = [] }) => questions.join(';')],
]

interface GapRow {
  readonly gap: GapCluster
  readonly question: GapQuestion
}

const GAP_COLUMNS: readonly SheetColumn<GapRow>[] = [
  ['id', ({ question }) => question.id],
  ['message', ({ question }) => question.message],
  ['group', ({ gap }) => gap.name],
  ['questions_in_group', ({ gap }) => gap.questions.length],
  ['weight_of_group', ({ gap }) => gap.weight],
  ['gap_cause', ({ gap }) => gap.cause && CAUSE_LABELS[gap.cause]],
  ['nearest_article', ({ question }) => question.near?.title],
  ['url', ({ question }) => question.near?.url],
]

/** Questions of one topic or article stand together. */
export function gapsTable(gaps: readonly GapCluster[], { articles, coverage }: Summary): SheetTable<GapRow> {
  const absent = [
    ...(coverage.weighted === undefined ? ['weight_of_group'] : []),
    ...(articles === undefined ? ['gap_cause', 'nearest_article', 'url'] : []),
  ]
  return {
    columns: GAP_COLUMNS.filter(([name]) => !absent.includes(name)),
    rows: gaps.flatMap((gap) => gap.questions.map((question) => ({ gap, question }))),
  }
}

/** `--reviews` reads every review that was merged into a run or made in the workbench. */
export const REVIEW_COLUMNS: readonly SheetColumn<Review>[] = [
  ['id', ({ questionId }) => questionId],
  ['answer', ({ answer }) => answer],
  ['review', ({ review }) => review],
  ['note', ({ note }) => note],
  ['message', ({ message }) => message],
  ['reviewer', ({ made }) => made?.by],
  ['reviewed_at', ({ made }) => made?.at],
]

export const DRAFT_COLUMNS: readonly SheetColumn<DraftRow>[] = [
  ['id', ({ id }) => id],
  ['message', ({ message }) => message],
  ['weight', ({ weight }) => weight],
  ['tags', ({ tags }) => tags.join(';')],
  ['original', ({ original }) => original],
]

export interface RunOfSeries {
  readonly run: HistoryRun
  readonly series: HistorySeries
}

export const HISTORY_COLUMNS: readonly SheetColumn<RunOfSeries>[] = [
  ['series', ({ series: { name } }) => name],
  ['started_at', ({ run: { run } }) => run.startedAt],
  ['ended_at', ({ run: { run } }) => run.endedAt],
  ['run', ({ run: { run } }) => run.id],
  ['folder', ({ run: { folder } }) => folder],
  ['target', ({ series: { target } }) => target],
  ['organization', ({ series: { organization } }) => organization],
  ['question_sets', ({ series: { sets } }) => sets.join(';')],
  ['state', ({ run: { state } }) => state],
  ['verdict', ({ run: { verdict } }) => verdict],
  ['exit_code', ({ run: { exitCode } }) => exitCode],
  ['turns', ({ run: { turns } }) => turns.total],
  ['answered', ({ run: { turns } }) => turns.answered],
  ['coverage', ({ run: { coverage } }) => coverage.rate, 4],
  ['coverage_low', ({ run: { coverage } }) => (coverage.cluster ?? coverage).low, 4],
  ['coverage_high', ({ run: { coverage } }) => (coverage.cluster ?? coverage).high, 4],
  ['passed', ({ run: { expectations } }) => expectations.rate, 4],
  ['errors', ({ run: { errors } }) => errors.rate, 4],
  ['latency_p95_ms', ({ run: { latencyMs } }) => latencyMs.p95, 1],
  ['usage_min', ({ run: { quota } }) => quota.min],
  ['usage_max', ({ run: { quota } }) => quota.max],
  ['quota_calls', ({ run: { run } }) => run.quota?.calls],
  ['questions_changed', ({ run: { questionsChanged } }) => questionsChanged],
]
