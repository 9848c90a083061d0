// The turns of two runs, paired by question id and repeat: never by their place in a file.
import type { TurnSummary } from './turn-summary.ts'

/** What pairing needs of a turn. */
export type Pairable = Pick<TurnSummary, 'id' | 'repeat' | 'file' | 'thread' | 'turn' | 'message'>

export interface Pair<T> {
  readonly baseline: T
  readonly candidate: T
}

export interface Pairing<T> {
  /** The same question, the same repeat. */
  readonly paired: readonly Pair<T>[]
  /** The same file, thread, turn and repeat, but another text: its answers are not comparable. */
  readonly edited: readonly Pair<T>[]
  /** Turns whose question the baseline does not have. */
  readonly added: readonly T[]
  /** Turns whose question the candidate does not have. */
  readonly removed: readonly T[]
  /** Turns of questions that both runs have, but of repeats that only one has. */
  readonly unmatched: { readonly baseline: readonly T[]; readonly candidate: readonly T[] }
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
 * Rows in any order; a row that came before (same id and repeat) is passed over. Lists come in the order of file,
 * thread, turn, id and repeat, pairs in that of the baseline.
 */
export function pairRuns<T extends Pairable>(baseline: Iterable<T>, candidate: Iterable<T>): Pairing<T> {
  const [before, after] = [questionsOf(baseline), questionsOf(candidate)]
  // A place is taken once: of two questions that stood there, one was removed.
  const vacant = new Map(
    [...after.values()].filter(({ id }) => !before.has(id)).map((one) => [one.place, one]),
  )
  const paired: Pair<T>[] = []
  const edited: Pair<T>[] = []
  const removed: T[] = []
  const unmatched: { baseline: T[]; candidate: T[] } = { baseline: [], candidate: [] }
  let [shared, changed] = [0, 0]
  for (const question of before.values()) {
    const same = after.get(question.id)
    const other = same ?? vacant.get(question.place)
    if (other === undefined) {
      removed.push(...question.turns.values())
      continue
    }
    const isShared = same?.message === question.message
    if (isShared) shared += 1
    else changed += 1
    if (same === undefined) vacant.delete(question.place)
    pairTurns(question.turns, other.turns, isShared ? paired : edited, unmatched)
    other.isTaken = true
  }
  const added = [...after.values()].flatMap(({ isTaken, turns }) => (isTaken ? [] : [...turns.values()]))
  const either = before.size + after.size - shared - changed
  const overlap: Overlap = {
    shared,
    edited: changed,
    baseline: before.size,
    candidate: after.size,
    share: either === 0 ? undefined : shared / either,
  }
  return { paired, edited, added, removed, unmatched, overlap }
}

interface AskedQuestion<T> {
  readonly id: string
  readonly place: string
  readonly message: string
  /** By repeat; never empty. */
  readonly turns: Map<number, T>
  isTaken: boolean
}

function questionsOf<T extends Pairable>(turns: Iterable<T>): Map<string, AskedQuestion<T>> {
  const questions = new Map<string, AskedQuestion<T>>()
  for (const turn of [...turns].sort(inOrder)) {
    const { id, message, repeat } = turn
    const known = questions.get(id)
    if (known === undefined) {
      const place = JSON.stringify([turn.file, turn.thread, turn.turn])
      questions.set(id, { id, place, message, turns: new Map([[repeat, turn]]), isTaken: false })
    } else if (!known.turns.has(repeat)) known.turns.set(repeat, turn)
  }
  return questions
}

function pairTurns<T>(
  turns: ReadonlyMap<number, T>,
  others: ReadonlyMap<number, T>,
  pairs: Pair<T>[],
  unmatched: { baseline: T[]; candidate: T[] },
): void {
  for (const [repeat, baseline] of turns) {
    const candidate = others.get(repeat)
    if (candidate === undefined) unmatched.baseline.push(baseline)
    else pairs.push({ baseline, candidate })
  }
  for (const [repeat, candidate] of others) if (!turns.has(repeat)) unmatched.candidate.push(candidate)
}

function inOrder(some: Pairable, other: Pairable): number {
  return (
    some.file - other.file ||
    byText(some.thread, other.thread) ||
    some.turn - other.turn ||
    byText(some.id, other.id) ||
    some.repeat - other.repeat
  )
}

const byText = (some: string, other: string): number => (some < other ? -1 : some > other ? 1 : 0)
