// The questions of two runs, paired: by id, then by thread and text, then by a text that either run has once. Never by place.
import type { TurnSummary } from './turn-summary.ts'

/** What pairing needs of a turn. */
export type Pairable = Pick<TurnSummary, 'id' | 'repeat' | 'file' | 'thread' | 'turn' | 'message'>

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

export interface Pairing<T> {
  /** The same question with the same text; `renamed` of them have another id. */
  readonly paired: readonly QuestionPair<T>[]
  readonly renamed: number
  /** Of those paired: an earlier turn of their conversation has another text, so that their context differs. */
  readonly otherContext: number
  /** The same id, but another text: its answers are not comparable. */
  readonly edited: readonly QuestionPair<T>[]
  /** Questions that only one run has, by their repeats. */
  readonly added: readonly (readonly T[])[]
  readonly removed: readonly (readonly T[])[]
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

interface Asked<T> {
  readonly first: T
  readonly repeats: readonly T[]
  /** Stands for the texts of its conversation so far: the same number where they are the same, in either run. */
  readonly context: number
}

/**
 * Rows in any order; one that came before (same id and repeat) is passed over. Pairs and `added` come in the
 * candidate's order, `removed` in the baseline's.
 */
export function pairRuns<T extends Pairable>(
  baseline: Iterable<T | undefined>,
  candidate: Iterable<T | undefined>,
): Pairing<T> {
  const contexts = new Map<string, number>()
  const [before, after] = [questionsOf(baseline, contexts), questionsOf(candidate, contexts)]
  const matches = match(before, after)
  const paired: QuestionPair<T>[] = []
  const edited: QuestionPair<T>[] = []
  const added: (readonly T[])[] = []
  let [renamed, otherContext] = [0, 0]
  for (const question of after) {
    const other = matches.get(question)
    if (other === undefined) {
      added.push(question.repeats)
      continue
    }
    const pair = { baseline: other.repeats, candidate: question.repeats }
    if (other.first.message !== question.first.message) {
      edited.push(pair)
      continue
    }
    paired.push(pair)
    if (other.first.id !== question.first.id) renamed += 1
    if (other.context !== question.context) otherContext += 1
  }
  const matched = new Set(matches.values())
  const either = before.length + after.length - paired.length - edited.length
  return {
    paired,
    renamed,
    otherContext,
    edited,
    added,
    removed: before.filter((question) => !matched.has(question)).map(({ repeats }) => repeats),
    overlap: {
      shared: paired.length,
      edited: edited.length,
      baseline: before.length,
      candidate: after.length,
      share: either === 0 ? undefined : paired.length / either,
    },
  }
}

type Key<T> = (question: Asked<T>) => string

/** From the candidate's questions to the baseline's. A key that several questions of a run share matches none of them. */
function match<T extends Pairable>(
  before: readonly Asked<T>[],
  after: readonly Asked<T>[],
): Map<Asked<T>, Asked<T>> {
  const matches = new Map<Asked<T>, Asked<T>>()
  const taken = new Set<Asked<T>>()
  const keys: readonly Key<T>[] = [
    ({ first }) => first.id,
    ({ first }) => JSON.stringify([first.file, first.thread, first.message]),
    ({ first }) => first.message,
  ]
  for (const key of keys) {
    const others = onceBy(
      before.filter((other) => !taken.has(other)),
      key,
    )
    const own = onceBy(
      after.filter((question) => !matches.has(question)),
      key,
    )
    for (const [name, question] of own) {
      const other = others.get(name)
      if (question === undefined || other === undefined) continue
      matches.set(question, other)
      taken.add(other)
    }
  }
  return matches
}

/** Undefined where several have one key. */
function onceBy<T>(questions: readonly Asked<T>[], key: Key<T>): Map<string, Asked<T> | undefined> {
  const found = new Map<string, Asked<T> | undefined>()
  for (const question of questions) {
    const name = key(question)
    found.set(name, found.has(name) ? undefined : question)
  }
  return found
}

/** In the order in which they first come. */
function questionsOf<T extends Pairable>(
  turns: Iterable<T | undefined>,
  contexts: Map<string, number>,
): Asked<T>[] {
  const byId = new Map<string, [T, ...T[]]>()
  for (const turn of turns) {
    if (turn === undefined) continue
    const repeats = byId.get(turn.id)
    if (repeats === undefined) byId.set(turn.id, [turn])
    else if (!repeats.some(({ repeat }) => repeat === turn.repeat)) repeats.push(turn)
  }
  const questions = Array.from(byId.values(), (repeats) => ({
    first: repeats[0],
    repeats: repeats.toSorted((some, other) => some.repeat - other.repeat),
    context: 0,
  }))
  const threads = new Map<string, number>()
  for (const question of questions.toSorted((some, other) => some.first.turn - other.first.turn)) {
    const { file, thread, message } = question.first
    const name = JSON.stringify([file, thread])
    const texts = JSON.stringify([threads.get(name), message])
    question.context = contexts.get(texts) ?? contexts.size
    contexts.set(texts, question.context)
    threads.set(name, question.context)
  }
  return questions
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
