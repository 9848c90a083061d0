// Pairs the questions of two runs: by id and text, by thread and text, by a text that each run has once, then
// by id. Never by position.
import type { Question } from '../../domain/question.ts'
import { foldText } from '../../text/fold.ts'
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
  const removed = before.filter((one) => !matched.has(one))
  const counts = { both: 0, edited: 0 }
  const questions = after.map((one): PairedQuestion<T> => {
    const other = matches.get(one)
    if (other === undefined) return { presence: 'added', baseline: [], candidate: one.repeats }
    const presence = other.text === one.text ? 'both' : 'edited'
    counts[presence] += 1
    return { presence, baseline: other.repeats, candidate: one.repeats }
  })
  const either = after.length + removed.length
  return {
    questions: [
      ...questions,
      ...removed.map(({ repeats }) => ({ presence: 'removed', baseline: repeats, candidate: [] }) as const),
    ],
    overlap: {
      shared: counts.both,
      edited: counts.edited,
      baseline: before.length,
      candidate: after.length,
      share: either === 0 ? null : counts.both / either,
    },
  }
}

/**
 * A question of one run. `text`: its folded text, so that a curled apostrophe or a doubled space is no edit.
 */
interface Named<T extends Pairable> {
  readonly repeats: Repeats<T>
  readonly question: Pairable['question']
  readonly text: string
}

const questionsOf = <T extends Pairable>(turns: readonly (T | undefined)[]): Named<T>[] =>
  [
    ...groupBy(
      turns.filter((turn) => turn !== undefined),
      ({ question }) => question.id,
    ).values(),
  ].map((repeats) => {
    const [{ question }] = repeats
    return { repeats, question, text: foldText(question.message) }
  })

type Key = (one: Pick<Named<Pairable>, 'question' | 'text'>) => string

/**
 * The text comes before the id alone: where ids are row numbers, an inserted row gives every later question
 * the id of another. What only the id pairs is edited.
 */
const KEYS: readonly Key[] = [
  ({ question: { id }, text }) => JSON.stringify([id, text]),
  ({ question: { file, thread }, text }) => JSON.stringify([file, thread, text]),
  ({ text }) => text,
  ({ question: { id } }) => id,
]

/**
 * Maps the candidate's questions to the baseline's. A key that several questions of a run share matches none
 * of them.
 */
function match<T extends Pairable>(
  before: readonly Named<T>[],
  after: readonly Named<T>[],
): Map<Named<T>, Named<T>> {
  const matches = new Map<Named<T>, Named<T>>()
  const matched = new Set<Named<T>>()
  for (const key of KEYS) {
    const others = uniqueBy(key, before, (other) => !matched.has(other))
    for (const [name, one] of uniqueBy(key, after, (candidate) => !matches.has(candidate))) {
      const other = others.get(name)
      if (one === undefined || other === undefined) continue
      matches.set(one, other)
      matched.add(other)
    }
  }
  return matches
}

function uniqueBy<T extends Pairable>(
  key: Key,
  questions: readonly Named<T>[],
  isLeft: (one: Named<T>) => boolean,
): Map<string, Named<T> | undefined> {
  const found = new Map<string, Named<T> | undefined>()
  for (const one of questions) {
    if (!isLeft(one)) continue
    const name = key(one)
    found.set(name, found.has(name) ? undefined : one)
  }
  return found
}
