// Each question's value in both runs, its repeats folded into one: what the tests of a comparison count.
import type { QuestionPair } from './pair.ts'
import type { TurnSummary } from './turn-summary.ts'

/** How often a question was asked, and how often the answer was yes. */
interface Askings {
  readonly yes: number
  readonly asked: number
}

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
): readonly QuestionValues[] {
  const values: (QuestionValues & { readonly file: number; readonly turn: number })[] = []
  for (const { baseline, candidate } of pairs) {
    const [was, is] = [foldedValue(baseline, valueOf), foldedValue(candidate, valueOf)]
    const [first] = candidate
    if (first === undefined || was === undefined || is === undefined) continue
    const { id, file, turn, tags } = first
    const thread = JSON.stringify([file, first.thread])
    values.push({ id, thread, tags, baseline: expected(id) ?? was, candidate: is, file, turn })
  }
  // Draws of the bootstrap go by place: the same questions must give the same figures.
  return values.sort(
    (some, other) =>
      some.file - other.file ||
      compareTexts(some.thread, other.thread) ||
      some.turn - other.turn ||
      compareTexts(some.id, other.id),
  )
}

const compareTexts = (some: string, other: string): number => (some < other ? -1 : some > other ? 1 : 0)
