// The questions of two runs, paired by id: never by their place in a file.
import { createConversationPaths } from './conversation-path.ts'
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
  /** The same question: by id and text, or (`renamed` of them) by the same text in the same conversation. */
  readonly paired: readonly QuestionPair<T>[]
  readonly renamed: number
  /** Of those paired: an earlier turn of their conversation has another text, so that their context differs. */
  readonly otherContext: number
  /** The same id or place, but another text: its answers are not comparable. */
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

/**
 * Rows in any order; one that came before (same id and repeat) is passed over. Pairs and `added` come in the
 * candidate's order, `removed` in the baseline's.
 */
export function pairRuns<T extends Pairable>(baseline: Iterable<T>, candidate: Iterable<T>): Pairing<T> {
  const pathsOf = createConversationPaths()
  const before = questionsOf(baseline, pathsOf)
  const after = questionsOf(candidate, pathsOf)
  const taken = new Set<Asked<T>>()
  const matches = new Map<Asked<T>, Asked<T>>()
  const match = (one: Asked<T>, other: Asked<T> | undefined): void => {
    if (other === undefined || taken.has(other)) return
    taken.add(other)
    matches.set(one, other)
  }
  for (const question of after.values()) {
    const other = before.get(question.id)
    if (other?.message === question.message) match(question, other)
  }
  const left = (): Asked<T>[] => [...after.values()].filter((one) => !matches.has(one))
  const vacant = (): Asked<T>[] => [...before.values()].filter((one) => !taken.has(one))

  // The same conversation under other names, before an id that has another text now: who inserts a row may number all
  // the others anew. What was asked several times over is taken once each.
  const byPath = new Map<number, Asked<T>[]>()
  for (const one of vacant()) {
    const others = byPath.get(one.path)
    if (others === undefined) byPath.set(one.path, [one])
    else others.push(one)
  }
  for (const question of left()) match(question, byPath.get(question.path)?.shift())
  for (const question of left()) match(question, before.get(question.id))
  const byPlace = new Map(vacant().map((one) => [one.place, one]))
  for (const question of left()) match(question, byPlace.get(question.place))

  const paired: QuestionPair<T>[] = []
  const edited: QuestionPair<T>[] = []
  const added: T[][] = []
  let [renamed, otherContext] = [0, 0]
  for (const question of after.values()) {
    const other = matches.get(question)
    const repeats = repeatsOf(question)
    if (other === undefined) added.push(repeats)
    else if (other.message !== question.message)
      edited.push({ baseline: repeatsOf(other), candidate: repeats })
    else {
      paired.push({ baseline: repeatsOf(other), candidate: repeats })
      if (other.id !== question.id) renamed += 1
      if (other.path !== question.path) otherContext += 1
    }
  }
  const either = before.size + after.size - paired.length - edited.length
  const overlap: Overlap = {
    shared: paired.length,
    edited: edited.length,
    baseline: before.size,
    candidate: after.size,
    share: either === 0 ? undefined : paired.length / either,
  }
  return { paired, renamed, otherContext, edited, added, removed: vacant().map(repeatsOf), overlap }
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

interface Asked<T> {
  readonly id: string
  /** Its conversation up to it, the same for the same texts. */
  readonly path: number
  readonly place: string
  readonly message: string
  /** By repeat; never empty. */
  readonly turns: Map<number, T>
}

function questionsOf<T extends Pairable>(
  turns: Iterable<T>,
  pathsOf: (thread: readonly Pairable[]) => readonly number[],
): Map<string, Asked<T>> {
  const questions = new Map<string, Asked<T> & { path: number }>()
  const threads = new Map<string, T[]>()
  for (const turn of turns) {
    const { id, message, repeat, file, thread } = turn
    const known = questions.get(id)
    if (known !== undefined) {
      if (!known.turns.has(repeat)) known.turns.set(repeat, turn)
      continue
    }
    const place = JSON.stringify([file, thread, turn.turn])
    questions.set(id, { id, path: -1, place, message, turns: new Map([[repeat, turn]]) })
    const key = JSON.stringify([file, thread])
    const members = threads.get(key)
    if (members === undefined) threads.set(key, [turn])
    else members.push(turn)
  }
  for (const members of threads.values()) {
    members.sort((some, other) => some.turn - other.turn)
    for (const [place, path] of pathsOf(members).entries()) {
      const question = questions.get(members[place]?.id ?? '')
      if (question !== undefined) question.path = path
    }
  }
  return questions
}

const repeatsOf = <T extends Pairable>({ turns }: Asked<T>): T[] =>
  [...turns.values()].sort((some, other) => some.repeat - other.repeat)
