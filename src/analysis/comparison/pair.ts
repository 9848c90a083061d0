// The questions of two runs, paired: by id, then by thread and text, then by a text that either run has once. Never by place.
import type { OverlapReview } from '../../domain/comparison.ts'
import type { TurnSummary } from './turn-summary.ts'

/** What pairing needs of a turn. */
export type Pairable = Pick<TurnSummary, 'id' | 'repeat' | 'file' | 'thread' | 'message'>

/** The repeats of a question in both runs, in their order; one run may have none. */
export interface QuestionPair<T> {
  readonly baseline: readonly T[]
  readonly candidate: readonly T[]
}

/** `edited`: the same id, but another text: the answers are not comparable. */
export type Presence = 'both' | 'edited' | 'added' | 'removed'

export interface PairedQuestion<T> extends QuestionPair<T> {
  readonly presence: Presence
}

export interface Pairing<T> {
  /** The candidate's questions in its order, then those that were removed. */
  readonly questions: readonly PairedQuestion<T>[]
  readonly overlap: Omit<OverlapReview, 'isLow'>
}

/** The repeats of one question, one at least. */
type Asked<T> = readonly [T, ...T[]]

/** Rows in any order; one that came before (same id and repeat) is passed over. */
export function pairRuns<T extends Pairable>(
  baseline: Iterable<T | undefined>,
  candidate: Iterable<T | undefined>,
): Pairing<T> {
  const [before, after] = [questionsOf(baseline), questionsOf(candidate)]
  const matches = match(before, after)
  const matched = new Set(matches.values())
  let [shared, renamed, edited] = [0, 0, 0]
  const questions = after.map((asked): PairedQuestion<T> => {
    const other = matches.get(asked)
    if (other === undefined) return { presence: 'added', baseline: [], candidate: asked }
    const isSame = other[0].message === asked[0].message
    if (isSame) shared += 1
    else edited += 1
    if (isSame && other[0].id !== asked[0].id) renamed += 1
    return { presence: isSame ? 'both' : 'edited', baseline: other, candidate: asked }
  })
  const removed = before
    .filter((asked) => !matched.has(asked))
    .map((asked) => ({ presence: 'removed', baseline: asked, candidate: [] }) as const)
  const either = before.length + after.length - shared - edited
  return {
    questions: [...questions, ...removed],
    overlap: {
      shared,
      renamed,
      edited,
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
    const others = onceBy(
      before.filter((other) => !taken.has(other)),
      key,
    )
    const own = onceBy(
      after.filter((asked) => !matches.has(asked)),
      key,
    )
    for (const [name, asked] of own) {
      const other = others.get(name)
      if (asked === undefined || other === undefined) continue
      matches.set(asked, other)
      taken.add(other)
    }
  }
  return matches
}

/** Undefined where several have one key. */
function onceBy<T extends Pairable>(
  questions: readonly Asked<T>[],
  key: Key,
): Map<string, Asked<T> | undefined> {
  const found = new Map<string, Asked<T> | undefined>()
  for (const asked of questions) {
    const name = key(asked[0])
    found.set(name, found.has(name) ? undefined : asked)
  }
  return found
}

/** In the order in which they first come, each with its repeats in theirs. */
function questionsOf<T extends Pairable>(turns: Iterable<T | undefined>): Asked<T>[] {
  const byId = new Map<string, [T, ...T[]]>()
  for (const turn of turns) {
    if (turn === undefined) continue
    const repeats = byId.get(turn.id)
    if (repeats === undefined) byId.set(turn.id, [turn])
    else if (!repeats.some(({ repeat }) => repeat === turn.repeat)) repeats.push(turn)
  }
  for (const repeats of byId.values()) repeats.sort((some, other) => some.repeat - other.repeat)
  return [...byId.values()]
}
