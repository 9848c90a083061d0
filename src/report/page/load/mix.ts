// The mix of a load test over time as a table: outcomes, sources and statuses, a column for each of the most frequent.
import type { LoadReport } from '../../../domain/load.ts'
import { sourceName } from '../../comparison-tables.ts'
import { digits } from '../../../domain/text.ts'
import { shorten } from '../../visible.ts'
import { clockWithSeconds } from '../overview/time-of-run.ts'
import { WORDS } from '../overview/words.ts'
import type { LoadTime } from './time.ts'
import { LOAD_WORDS } from './words.ts'

const MOST_VALUES = 6

/** The header first. */
export function mixRows(
  { contextSource, status, turns }: LoadReport,
  { bins, startOf }: LoadTime,
): string[][] {
  const words = LOAD_WORDS.grounding
  const sources = Object.keys(contextSource).slice(0, MOST_VALUES)
  const statuses = Object.keys(status).length > 1 ? Object.keys(status).slice(0, MOST_VALUES) : []
  const outcomes = Object.keys(WORDS.errors.outcomes).filter(
    (outcome) => Object.hasOwn(turns, outcome) && (turns[outcome as keyof typeof turns] ?? 0) > 0,
  )
  const count = (counts: Readonly<Record<string, number>>, value: string): string =>
    digits(Object.hasOwn(counts, value) ? (counts[value] ?? 0) : 0)
  return [
    [
      words.from,
      ...sources.map((source) => shorten(sourceName(source), 40)),
      ...statuses.map((value) => words.status(shorten(value, 40))),
      ...outcomes.map((outcome) =>
        // Under load nobody gave up: one 429 ends its thread.
        outcome === 'rate_limited' ? LOAD_WORDS.calls.refused : (WORDS.errors.outcomes[outcome] ?? outcome),
      ),
    ],
    ...bins.map((bin, place) => [
      clockWithSeconds(startOf(place)),
      ...sources.map((source) => count(bin.contextSource, source)),
      ...statuses.map((value) => count(bin.status, value)),
      ...outcomes.map((outcome) => count(bin.outcomes, outcome)),
    ]),
  ]
}
