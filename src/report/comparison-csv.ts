// `comparison.csv`: one row for each question of either run. Filter it by `change`.
import { answerOf, type ChangedFact, type Row } from '../domain/changes.ts'
import type { SheetColumn } from './spreadsheet.ts'

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
  ['failures', ({ candidate }) => candidate?.failures.join(' | ')],
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

/** True or false if all repeats agree, else their share. */
const shareOf = (rate: number | null | undefined) => (rate === 0 ? false : rate === 1 ? true : rate)

const listFacts = (facts: readonly ChangedFact[]): string => facts.map(({ text }) => text).join(' | ')
