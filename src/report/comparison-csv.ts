// `comparison.csv`: a row a question of either run, what changed with what did not; to be filtered by `change`.
import {
  type ChangedFact,
  type ComparedSide,
  type ComparisonRow,
  COMPARISON_COLUMNS,
} from '../domain/comparison/change.ts'
import { decimals, renderSpreadsheet, type DecimalFormat, type SpreadsheetLayout } from './spreadsheet.ts'
import { renderWordDiff } from './word-diff/render.ts'
import { wordDiff } from './word-diff.ts'

/** The file's text in pieces: rows are read as they are written. */
export function* renderComparisonCsv(
  rows: Iterable<ComparisonRow>,
  layout: SpreadsheetLayout = { excel: undefined },
): Generator<string> {
  const decimal = decimals(layout)
  const cells = function* (): Generator<string[]> {
    for (const row of rows) yield cellsOf(row, decimal)
  }
  yield* renderSpreadsheet(COMPARISON_COLUMNS, cells(), layout)
}

function cellsOf(row: ComparisonRow, decimal: DecimalFormat): string[] {
  const { baseline, candidate, similarity, factsLost, factsGained, kinds, tags } = row
  const cells: Record<(typeof COMPARISON_COLUMNS)[number], string | number | null | undefined> = {
    id: row.id,
    thread: row.thread,
    turn: row.turn,
    message: row.message,
    presence: row.presence,
    change: kinds.join(';'),
    baseline_source: baseline?.source,
    candidate_source: candidate?.source,
    baseline_grounded: rate(baseline?.groundingRate, decimal),
    candidate_grounded: rate(candidate?.groundingRate, decimal),
    baseline_passed: rate(baseline?.passRate, decimal),
    candidate_passed: rate(candidate?.passRate, decimal),
    baseline_outcome: baseline?.outcome,
    candidate_outcome: candidate?.outcome,
    failures: candidate?.failures.join(' | '),
    answers: row.answers,
    similarity: decimal(similarity, 2),
    facts_lost: listFacts(factsLost),
    facts_gained: listFacts(factsGained),
    baseline_answer: baseline?.answer,
    candidate_answer: candidate?.answer,
    diff: diffOf(row),
    baseline_latency_ms: latencyOf(baseline, decimal),
    candidate_latency_ms: latencyOf(candidate, decimal),
    tags: tags.join(';'),
    review: row.reviewing?.kind === 'reviewed' ? row.reviewing.review : '',
    note: row.reviewing?.note,
  }
  return COMPARISON_COLUMNS.map((name) => String(cells[name] ?? ''))
}

/** Over repeats a share; of one answer, or where all agree, true or false. */
function rate(share: number | null | undefined, decimal: DecimalFormat): string | undefined {
  return share === 0 ? 'false' : share === 1 ? 'true' : decimal(share, 2)
}

const listFacts = (facts: readonly ChangedFact[]): string => facts.map(({ text }) => text).join(' | ')

const latencyOf = (side: ComparedSide | null, decimal: DecimalFormat): string | undefined =>
  decimal(side?.latencyMs, 1)

/** Of rows that changed only: most answers are merely rephrased, and a third text for each would make the file huge. */
function diffOf({ presence, kinds, baseline, candidate }: ComparisonRow): string | undefined {
  const [before, after] = [baseline?.answer ?? null, candidate?.answer ?? null]
  const isChanged = presence === 'both' && kinds.some((kind) => kind !== 'failInBoth')
  if (!isChanged || before === null || after === null || before === after) return undefined
  return renderWordDiff(wordDiff(before, after))
}
