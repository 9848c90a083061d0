// From where to where the turns of two runs moved: the matrix of their answers' sources.
import type { Pair } from './pair.ts'
import { sourceLabel, answerSourceOf, type AnswerSource } from './answer-source.ts'
import type { TurnSummary } from './turn-summary.ts'

export interface TransitionCell {
  readonly from: AnswerSource
  readonly to: AnswerSource
  /** How many pairs, from 1: cells without any are left out. */
  readonly count: number
}

/** Largest count first, then by the labels' byte order. The counts add up to the pairs. */
export function transitionMatrix(pairs: Iterable<Pair<TurnSummary>>): TransitionCell[] {
  const cells = new Map<string, { from: AnswerSource; to: AnswerSource; count: number }>()
  for (const { baseline, candidate } of pairs) {
    const [from, to] = [answerSourceOf(baseline), answerSourceOf(candidate)]
    const key = JSON.stringify([from, to])
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, { from, to, count: 1 })
    else cell.count += 1
  }
  return [...cells.values()].sort(largestFirst)
}

function largestFirst(some: TransitionCell, other: TransitionCell): number {
  if (some.count !== other.count) return other.count - some.count
  const [left, right] = [sortKey(some), sortKey(other)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** The kinds last: a source may be called "(error)". */
const sortKey = ({ from, to }: TransitionCell): string =>
  JSON.stringify([sourceLabel(from), sourceLabel(to), from.kind, to.kind])
