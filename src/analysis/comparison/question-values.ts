// Each question's value in both runs, its repeats folded into one: what the tests of a comparison count.
import type { Askings } from '../../stats/expected-value.ts'
import type { QuestionPair } from './pair.ts'
import type { TurnSummary } from './turn-summary.ts'

/** A question in both runs. `baseline` and `candidate` are shares of its repeats, 0 to 1. */
export interface QuestionValues {
  readonly id: string
  /** Its conversation, within the candidate. */
  readonly thread: string
  readonly tags: readonly string[]
  readonly baseline: number
  readonly candidate: number
}

/** What a turn counts as; undefined where it does not count, such as an error where answers are judged. */
export type TurnValue = (turn: TurnSummary) => boolean | undefined

export const groundingValue: TurnValue = ({ grounded }) => grounded
export const verdictValue: TurnValue = ({ passed }) => passed

/** How many of the repeats count, and how many of these have the value. */
export function countedRepeats(repeats: readonly TurnSummary[], valueOf: TurnValue): Askings {
  let [yes, asked] = [0, 0]
  for (const turn of repeats) {
    const value = valueOf(turn)
    if (value === undefined) continue
    asked += 1
    if (value) yes += 1
  }
  return { yes, asked }
}

/** Share of the repeats that count, 0 to 1; undefined where none does. */
export function foldedValue(repeats: readonly TurnSummary[], valueOf: TurnValue): number | undefined {
  const { yes, asked } = countedRepeats(repeats, valueOf)
  return asked === 0 ? undefined : yes / asked
}

/**
 * Questions that have a value in both runs, in the order of conversations and turns, whatever that of the rows.
 * `expected`: what is to be expected of a question that is known to be flaky from earlier runs; it takes the place of
 * the baseline's one asking, so that its flips count for no more than its noise.
 */
export function questionValues(
  pairs: Iterable<QuestionPair<TurnSummary>>,
  valueOf: TurnValue,
  expected: (id: string) => number | undefined = () => undefined,
): QuestionValues[] {
  const placed: { readonly file: number; readonly turn: number; readonly values: QuestionValues }[] = []
  for (const { baseline, candidate } of pairs) {
    const [before, after] = [foldedValue(baseline, valueOf), foldedValue(candidate, valueOf)]
    const [first] = candidate
    if (first === undefined || before === undefined || after === undefined) continue
    const { id, file, turn, tags } = first
    const thread = JSON.stringify([file, first.thread])
    const values = { id, thread, tags, baseline: expected(id) ?? before, candidate: after }
    placed.push({ file, turn, values })
  }
  // Draws of the bootstrap go by place: the same questions must give the same figures.
  placed.sort(
    (some, other) =>
      some.file - other.file ||
      byText(some.values.thread, other.values.thread) ||
      some.turn - other.turn ||
      byText(some.values.id, other.values.id),
  )
  return placed.map(({ values }) => values)
}

const byText = (some: string, other: string): number => (some < other ? -1 : some > other ? 1 : 0)
