// `comparison.csv`: a row a question of either run, what changed with what did not; to be filtered by `change`.
import type { ChangedFact, ComparedSide, ComparisonRow } from '../domain/comparison.ts'
import {
  renderSpreadsheet,
  type DecimalFormat,
  type SheetColumns,
  type SpreadsheetLayout,
} from './spreadsheet.ts'

/** `run`: the candidate's place in `runs`, from 1. With several candidates each has a file of its own. */
export function comparisonTable(runs: readonly { readonly label: string }[], run: number): string {
  if (runs.length === 2) return 'comparison.csv'
  const label = runs[run]?.label.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(-60) ?? ''
  return `comparison-${run}-${label}.csv`
}

/** `report.html`, `report-2-nightly.html`. */
export const comparisonPage = (runs: readonly { readonly label: string }[], run: number): string =>
  comparisonTable(runs, run)
    .replace(/^comparison/, 'report')
    .replace(/csv$/, 'html')

/** The file's text in pieces: rows are read as they are written. */
export const renderComparisonCsv = (
  rows: Iterable<ComparisonRow>,
  layout?: SpreadsheetLayout,
): Generator<string> => renderSpreadsheet(COLUMNS, rows, layout)

const COLUMNS: SheetColumns<ComparisonRow> = [
  ['id', ({ id }) => id],
  ['thread', ({ thread }) => thread],
  ['turn', ({ turn }) => turn],
  ['message', ({ message }) => message],
  ['presence', ({ presence }) => presence],
  ['change', ({ kinds }) => kinds.join(';')],
  ['baseline_source', ({ baseline }) => baseline?.source],
  ['candidate_source', ({ candidate }) => candidate?.source],
  ['baseline_grounded', ({ baseline }, decimal) => rate(baseline?.groundingRate, decimal)],
  ['candidate_grounded', ({ candidate }, decimal) => rate(candidate?.groundingRate, decimal)],
  ['baseline_passed', ({ baseline }, decimal) => rate(baseline?.passRate, decimal)],
  ['candidate_passed', ({ candidate }, decimal) => rate(candidate?.passRate, decimal)],
  ['baseline_outcome', ({ baseline }) => baseline?.outcome],
  ['candidate_outcome', ({ candidate }) => candidate?.outcome],
  ['failures', ({ candidate }) => candidate?.failures.join(' | ')],
  ['answers', ({ answers }) => answers],
  ['similarity', ({ similarity }, decimal) => decimal(similarity, 2)],
  ['facts_lost', ({ factsLost }) => listFacts(factsLost)],
  ['facts_gained', ({ factsGained }) => listFacts(factsGained)],
  ['baseline_answer', ({ baseline }) => baseline?.answer],
  ['candidate_answer', ({ candidate }) => candidate?.answer],
  ['baseline_latency_ms', ({ baseline }, decimal) => latencyOf(baseline, decimal)],
  ['candidate_latency_ms', ({ candidate }, decimal) => latencyOf(candidate, decimal)],
  ['tags', ({ tags }) => tags.join(';')],
  ['review', ({ reviewing }) => (reviewing?.kind === 'reviewed' ? reviewing.review : '')],
  ['note', ({ reviewing }) => reviewing?.note],
]

/** Over repeats a share; of one answer, or where all agree, true or false. */
function rate(share: number | null | undefined, decimal: DecimalFormat): string | undefined {
  return share === 0 ? 'false' : share === 1 ? 'true' : decimal(share, 2)
}

const listFacts = (facts: readonly ChangedFact[]): string => facts.map(({ text }) => text).join(' | ')

const latencyOf = (side: ComparedSide | null, decimal: DecimalFormat): string | undefined =>
  decimal(side?.latencyMs, 1)
