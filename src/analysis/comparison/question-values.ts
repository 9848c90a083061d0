// Each question's value in both runs, its repeats folded into one: what the tests of a comparison count.
import { NumberList } from '../../columns/number-list.ts'
import { sequenceOf, type Sequence } from '../../columns/sequence.ts'
import { forEachInSteps, type Steps } from '../../stats/steps.ts'
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
export function* questionValues(
  pairs: Iterable<QuestionPair<TurnSummary>>,
  valueOf: TurnValue,
  expected: (id: string) => number | undefined = () => undefined,
): Steps<Sequence<QuestionValues>> {
  const [ids, threads, tagLists]: [string[], string[], (readonly string[])[]] = [[], [], []]
  const [files, turns, before, after] = [
    new NumberList(),
    new NumberList(),
    new NumberList(Float64Array),
    new NumberList(Float64Array),
  ]
  const threadOf = createThreadNames()
  yield* forEachInSteps(pairs, ({ baseline, candidate }) => {
    const [was, is] = [foldedValue(baseline, valueOf), foldedValue(candidate, valueOf)]
    const [first] = candidate
    if (first === undefined || was === undefined || is === undefined) return
    const { id, file, turn, tags, thread } = first
    ids.push(id)
    threads.push(threadOf(file, thread))
    tagLists.push(tags)
    files.push(file)
    turns.push(turn)
    before.push(expected(id) ?? was)
    after.push(is)
  })
  const byText = (texts: readonly string[], some: number, other: number): number =>
    compareTexts(texts[some] ?? '', texts[other] ?? '')
  // Draws of the bootstrap go by place: the same questions must give the same figures.
  const order = Uint32Array.from(ids.keys()).sort(
    (some, other) =>
      files.at(some) - files.at(other) ||
      byText(threads, some, other) ||
      turns.at(some) - turns.at(other) ||
      byText(ids, some, other) ||
      some - other,
  )
  return sequenceOf(order.length, (place) => {
    const question = order[place] ?? 0
    return {
      id: ids[question] ?? '',
      thread: threads[question] ?? '',
      tags: tagLists[question] ?? [],
      baseline: before.at(question),
      candidate: after.at(question),
    }
  })
}

/** One text for a conversation within its run; turns of one mostly stand together, and share it. */
function createThreadNames(): (file: number, thread: string) => string {
  let last = { file: -1, thread: '', name: '' }
  return (file, thread) => {
    if (last.file !== file || last.thread !== thread)
      last = { file, thread, name: JSON.stringify([file, thread]) }
    return last.name
  }
}

const compareTexts = (some: string, other: string): number => (some < other ? -1 : some > other ? 1 : 0)
