// The table of gaps in a workbook: one row for each question, those of one topic or article together.
import { CAUSE_LABELS } from '../domain/articles.ts'
import type { GapCluster, ListedQuestion, Summary } from '../domain/summary.ts'
import type { SheetColumn, SheetTable } from './spreadsheet.ts'

interface GapRow {
  readonly gap: GapCluster
  readonly question: ListedQuestion
}

const COLUMNS: readonly SheetColumn<GapRow>[] = [
  ['id', ({ question }) => question.id],
  ['message', ({ question }) => question.message],
  ['group', ({ gap }) => gap.name],
  ['questions_in_group', ({ gap }) => gap.questions.length],
]

const OF_ARTICLES: readonly SheetColumn<GapRow>[] = [
  ['gap_cause', ({ gap }) => gap.cause && CAUSE_LABELS[gap.cause]],
  ['nearest_article', ({ gap }) => gap.article?.title],
  ['url', ({ gap }) => gap.article?.url],
]

const OF_WEIGHTS: readonly SheetColumn<GapRow>[] = [['weight_of_group', ({ gap }) => gap.weight]]

export const gapsTable = (
  gaps: readonly GapCluster[],
  { articles, coverage }: Summary,
): SheetTable<GapRow> => ({
  columns: [...COLUMNS, ...(coverage.weighted ? OF_WEIGHTS : []), ...(articles ? OF_ARTICLES : [])],
  rows: gaps.flatMap((gap) => gap.questions.map((question) => ({ gap, question }))),
})
