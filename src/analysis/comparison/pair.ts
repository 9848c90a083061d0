// The questions of two runs, paired by id: never by their place in a file.
import { sequenceOf, type Sequence } from '../../columns/sequence.ts'
import type { Steps } from '../../stats/steps.ts'
import { ALONE, matchQuestions } from './pairing/match.ts'
import { createQuestionNumbering, type NumberedQuestions, type Pairable } from './pairing/questions.ts'

/** A question in both runs: its repeats in their order, one at least in each. */
export interface QuestionPair<T> {
  readonly baseline: readonly T[]
  readonly candidate: readonly T[]
}

/** The same repeat of a question in both runs. */
export interface Pair<T> {
  readonly baseline: T
  readonly candidate: T
}

/** Held as numbers: the turns of a question are asked of their run when it is looked at, and so may be new objects. */
export interface Pairing<T> {
  /** The same question: by id and text, or (`renamed` of them) by the same text in the same conversation. */
  readonly paired: Sequence<QuestionPair<T>>
  readonly renamed: number
  /** Of those paired: an earlier turn of their conversation has another text, so that their context differs. */
  readonly otherContext: number
  /** The same id or place, but another text: its answers are not comparable. */
  readonly edited: Sequence<QuestionPair<T>>
  /** Questions that only one run has, by their repeats. */
  readonly added: Sequence<readonly T[]>
  readonly removed: Sequence<readonly T[]>
  readonly overlap: Overlap
}

/** Counts questions, not turns. */
export interface Overlap {
  readonly shared: number
  readonly edited: number
  readonly baseline: number
  readonly candidate: number
  /** Shared ÷ questions that either run has, an edited one once. Undefined where neither has any. */
  readonly share: number | undefined
}

/**
 * Rows in any order; one that came before (same id and repeat) is passed over. Pairs and `added` come in the
 * candidate's order, `removed` in the baseline's.
 */
export function* pairRuns<T extends Pairable>(
  baseline: Sequence<T | undefined>,
  candidate: Sequence<T | undefined>,
): Steps<Pairing<T>> {
  const numbered = createQuestionNumbering()
  const [before, after] = [yield* numbered(baseline), yield* numbered(candidate)]
  const matches = matchQuestions(before, after)
  yield
  const isMatched = new Uint8Array(before.count)
  const [paired, edited, added]: [number[], number[], number[]] = [[], [], []]
  let [renamed, otherContext] = [0, 0]
  for (const [question, other] of matches.entries()) {
    if (other === ALONE) {
      added.push(question)
      continue
    }
    isMatched[other] = 1
    if (before.messages[other] !== after.messages[question]) {
      edited.push(question)
      continue
    }
    paired.push(question)
    if (before.ids[other] !== after.ids[question]) renamed += 1
    if (before.paths[other] !== after.paths[question]) otherContext += 1
  }
  const removed = Array.from(isMatched.keys()).filter((question) => isMatched[question] === 0)

  const [wasAsked, isAsked] = [repeatsIn(baseline, before), repeatsIn(candidate, after)]
  const pairsOf = (questions: Uint32Array): Sequence<QuestionPair<T>> =>
    sequenceOf(questions.length, (place) => {
      const question = questions[place] ?? 0
      return { baseline: wasAsked(matches[question] ?? 0), candidate: isAsked(question) }
    })
  const aloneOf = (questions: Uint32Array, repeatsOf: (question: number) => T[]): Sequence<readonly T[]> =>
    sequenceOf(questions.length, (place) => repeatsOf(questions[place] ?? 0))
  const either = before.count + after.count - paired.length - edited.length
  return {
    paired: pairsOf(Uint32Array.from(paired)),
    renamed,
    otherContext,
    edited: pairsOf(Uint32Array.from(edited)),
    added: aloneOf(Uint32Array.from(added), isAsked),
    removed: aloneOf(Uint32Array.from(removed), wasAsked),
    overlap: {
      shared: paired.length,
      edited: edited.length,
      baseline: before.count,
      candidate: after.count,
      share: either === 0 ? undefined : paired.length / either,
    },
  }
}

/**
 * Every repeat of either run once at least: where one run has fewer, its repeats stand beside the other's in turn, so that
 * none is left out.
 */
export function* repeatPairs<T>(questions: Iterable<QuestionPair<T>>): Generator<Pair<T>> {
  for (const { baseline, candidate } of questions) {
    for (let place = 0; place < Math.max(baseline.length, candidate.length); place += 1) {
      const [before, after] = [baseline[place % baseline.length], candidate[place % candidate.length]]
      if (before !== undefined && after !== undefined) yield { baseline: before, candidate: after }
    }
  }
}

/** The repeats that both runs have. */
export function* turnPairs<T extends Pairable>(questions: Iterable<QuestionPair<T>>): Generator<Pair<T>> {
  for (const { baseline, candidate } of questions) {
    const others = new Map(candidate.map((turn) => [turn.repeat, turn]))
    for (const turn of baseline) {
      const other = others.get(turn.repeat)
      if (other !== undefined) yield { baseline: turn, candidate: other }
    }
  }
}

const repeatsIn =
  <T>(turns: Sequence<T | undefined>, { turnsOf }: Pick<NumberedQuestions, 'turnsOf'>) =>
  (question: number): T[] =>
    Array.from(turnsOf(question), (place) => {
      const turn = turns.at(place)
      if (turn === undefined) throw new Error(`no turn at ${place}`)
      return turn
    })
