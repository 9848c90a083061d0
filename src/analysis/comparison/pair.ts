// The questions of two runs, paired: by id, then by thread and text, then by a text that either run has once. Never by place.
import type { Question } from '../../domain/question.ts'
import { groupBy } from '../turns.ts'

export type Pairable = Pick<Question, 'id' | 'file' | 'thread' | 'message'>

/** The repeats of a question in both runs, in their order; one run may have none. */
export interface QuestionPair<T> {
  readonly baseline: readonly T[]
  readonly candidate: readonly T[]
}

export interface PairedQuestion<T> extends QuestionPair<T> {
  /** `edited`: the same id, but another text: the answers are not comparable. */
  readonly presence: 'both' | 'edited' | 'added' | 'removed'
}

type Asked<T> = readonly [T, ...T[]]

/** The candidate's questions in its order, then those that were removed. */
export function pairRuns<T extends Pairable>(
  baseline: readonly (T | undefined)[],
  candidate: readonly (T | undefined)[],
) {
  const [before, after] = [questionsOf(baseline), questionsOf(candidate)]
  const matches = match(before, after)
  const matched = new Set(matches.values())
  const removed = before.filter((asked) => !matched.has(asked))
  let shared = 0
  const questions = after.map((asked): PairedQuestion<T> => {
    const other = matches.get(asked)
    if (other === undefined) return { presence: 'added', baseline: [], candidate: asked }
    if (other[0].message !== asked[0].message)
      return { presence: 'edited', baseline: other, candidate: asked }
    shared += 1
    return { presence: 'both', baseline: other, candidate: asked }
  })
  const either = after.length + removed.length
  return {
    questions: [
      ...questions,
      ...removed.map((asked) => ({ presence: 'removed', baseline: asked, candidate: [] }) as const),
    ],
    overlap: {
      shared,
      baseline: before.length,
      candidate: after.length,
      share: either === 0 ? null : shared / either,
    },
  }
}

type Key = (question: Pairable) => string

const KEYS: readonly Key[] = [
  ({ id }) => id,
  ({ file, thread, message }) => JSON.stringify([file, thread, message]),
  ({ message }) => message,
]

/** From the candidate's questions to the baseline's. A key that several questions of a run share matches none of them. */
function match<T extends Pairable>(
  before: readonly Asked<T>[],
  after: readonly Asked<T>[],
): Map<Asked<T>, Asked<T>> {
  const matches = new Map<Asked<T>, Asked<T>>()
  const taken = new Set<Asked<T>>()
  for (const key of KEYS) {
    const others = onceBy(key, before, (other) => !taken.has(other))
    for (const [name, asked] of onceBy(key, after, (one) => !matches.has(one))) {
      const other = others.get(name)
      if (asked === undefined || other === undefined) continue
      matches.set(asked, other)
      taken.add(other)
    }
  }
  return matches
}

/** Those that are left, by their key; undefined where several have one. */
function onceBy<T extends Pairable>(
  key: Key,
  questions: readonly Asked<T>[],
  isLeft: (asked: Asked<T>) => boolean,
): Map<string, Asked<T> | undefined> {
  const found = new Map<string, Asked<T> | undefined>()
  for (const asked of questions.filter(isLeft)) {
    const name = key(asked[0])
    found.set(name, found.has(name) ? undefined : asked)
  }
  return found
}

/** Each with its repeats, in the order in which they come. */
const questionsOf = <T extends Pairable>(turns: readonly (T | undefined)[]): Asked<T>[] => [
  ...groupBy(
    turns.filter((turn) => turn !== undefined),
    ({ id }) => id,
  ).values(),
]
