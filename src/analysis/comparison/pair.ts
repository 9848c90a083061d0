// Pairs the questions of two runs: by id, then by thread and text, then by a text that each run has once. Never by position.
import type { Question } from '../../domain/question.ts'
import type { Repeats } from '../repeats.ts'
import { groupBy } from '../turns.ts'

export interface Pairable {
  readonly question: Pick<Question, 'id' | 'file' | 'thread' | 'message'>
}

/** The repeats of a question in both runs, in order. One of them may be empty. */
export interface QuestionPair<T> {
  readonly baseline: readonly T[]
  readonly candidate: readonly T[]
}

export interface PairedQuestion<T> extends QuestionPair<T> {
  /** `edited`: the same id with another text, so the answers are not comparable. */
  readonly presence: 'both' | 'edited' | 'added' | 'removed'
}

/** Returns the candidate's questions in its order, then the removed ones. */
export function pairRuns<T extends Pairable>(
  baseline: readonly (T | undefined)[],
  candidate: readonly (T | undefined)[],
) {
  const [before, after] = [questionsOf(baseline), questionsOf(candidate)]
  const matches = match(before, after)
  const matched = new Set(matches.values())
  const removed = before.filter((repeats) => !matched.has(repeats))
  let shared = 0
  const questions = after.map((repeats): PairedQuestion<T> => {
    const other = matches.get(repeats)
    if (other === undefined) return { presence: 'added', baseline: [], candidate: repeats }
    if (other[0].question.message !== repeats[0].question.message)
      return { presence: 'edited', baseline: other, candidate: repeats }
    shared += 1
    return { presence: 'both', baseline: other, candidate: repeats }
  })
  const either = after.length + removed.length
  return {
    questions: [
      ...questions,
      ...removed.map((repeats) => ({ presence: 'removed', baseline: repeats, candidate: [] }) as const),
    ],
    overlap: {
      shared,
      baseline: before.length,
      candidate: after.length,
      share: either === 0 ? null : shared / either,
    },
  }
}

type Key = (question: Pairable['question']) => string

const KEYS: readonly Key[] = [
  ({ id }) => id,
  ({ file, thread, message }) => JSON.stringify([file, thread, message]),
  ({ message }) => message,
]

/** Maps the candidate's questions to the baseline's. A key that several questions of a run share matches none of them. */
function match<T extends Pairable>(
  before: readonly Repeats<T>[],
  after: readonly Repeats<T>[],
): Map<Repeats<T>, Repeats<T>> {
  const matches = new Map<Repeats<T>, Repeats<T>>()
  const matched = new Set<Repeats<T>>()
  for (const key of KEYS) {
    const others = uniqueBy(key, before, (other) => !matched.has(other))
    for (const [name, repeats] of uniqueBy(key, after, (one) => !matches.has(one))) {
      const other = others.get(name)
      if (repeats === undefined || other === undefined) continue
      matches.set(repeats, other)
      matched.add(other)
    }
  }
  return matches
}

/** The questions left, by key; undefined if several share the key. */
function uniqueBy<T extends Pairable>(
  key: Key,
  questions: readonly Repeats<T>[],
  isLeft: (repeats: Repeats<T>) => boolean,
): Map<string, Repeats<T> | undefined> {
  const found = new Map<string, Repeats<T> | undefined>()
  for (const repeats of questions.filter(isLeft)) {
    const name = key(repeats[0].question)
    found.set(name, found.has(name) ? undefined : repeats)
  }
  return found
}

const questionsOf = <T extends Pairable>(turns: readonly (T | undefined)[]): Repeats<T>[] => [
  ...groupBy(
    turns.filter((turn) => turn !== undefined),
    ({ question }) => question.id,
  ).values(),
]
