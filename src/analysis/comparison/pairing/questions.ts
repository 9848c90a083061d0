// The questions of a run as numbers: what tells them apart, and which turns are of each.
import type { Sequence } from '../../../columns/sequence.ts'
import { forEachInSteps, type Steps } from '../../../stats/steps.ts'
import type { TurnSummary } from '../turn-summary.ts'
import { createNumbering, createPairNumbering } from './numbering.ts'

/** What pairing needs of a turn. */
export type Pairable = Pick<TurnSummary, 'id' | 'repeat' | 'file' | 'thread' | 'turn' | 'message'>

/** In the order in which questions first come, by that number. The same number means the same thing in both runs. */
export interface NumberedQuestions {
  readonly count: number
  readonly ids: Uint32Array
  readonly messages: Uint32Array
  /** The conversation that a question stands in, up to it: the same where all of its texts are, whatever it is called. */
  readonly paths: Uint32Array
  /** File, thread and turn. */
  readonly places: Uint32Array
  /** The turns of a question by repeat, as their places in the run: never empty. */
  readonly turnsOf: (question: number) => Uint32Array
}

/** Numbers the questions of any number of runs alike; a place without a turn is passed over. */
export function createQuestionNumbering(): (
  turns: Sequence<Pairable | undefined>,
) => Steps<NumberedQuestions> {
  const [numberOfId, numberOfMessage, numberOfThread] = [
    createNumbering(),
    createNumbering(),
    createNumbering(),
  ]
  const [numberOfPath, numberOfPlace] = [createPairNumbering(), createPairNumbering()]
  return function* (turns) {
    const [ids, messages, threads, places, within] = columns(turns.length)
    const owners = new Uint32Array(turns.length)
    const repeats = new Uint32Array(turns.length)
    /** By the number of its id, a question of this run plus one. */
    const known = new Map<number, number>()
    let next = 0
    yield* forEachInSteps(turns, (turn) => {
      const place = next
      next += 1
      if (turn === undefined) {
        owners[place] = NOBODY
        return
      }
      const id = numberOfId(turn.id)
      const question = known.get(id) ?? known.size
      owners[place] = question
      repeats[place] = turn.repeat
      if (question < known.size) return
      known.set(id, question)
      const thread = numberOfThread(`${turn.file} ${turn.thread}`)
      ids[question] = id
      messages[question] = numberOfMessage(turn.message)
      threads[question] = thread
      within[question] = turn.turn
      places[question] = numberOfPlace(thread, turn.turn)
    })
    const count = known.size
    return {
      count,
      ids: ids.subarray(0, count),
      messages: messages.subarray(0, count),
      places: places.subarray(0, count),
      paths: pathsOf(count, { threads, within, messages }, numberOfPath),
      turnsOf: groupTurns(count, owners, repeats),
    }
  }
}

const columns = (
  length: number,
): readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array] => [
  new Uint32Array(length),
  new Uint32Array(length),
  new Uint32Array(length),
  new Uint32Array(length),
  new Uint32Array(length),
]

interface Conversations {
  readonly threads: Uint32Array
  readonly within: Uint32Array
  readonly messages: Uint32Array
}

/** A trie of texts, its nodes numbered: each question goes on from the one before it in its thread. */
function pathsOf(
  count: number,
  { threads, within, messages }: Conversations,
  numberOfPath: (before: number, message: number) => number,
): Uint32Array {
  const at = (column: Uint32Array, place: number): number => column[place] ?? 0
  const order = Uint32Array.from({ length: count }, (_, question) => question).sort(
    (some, other) =>
      at(threads, some) - at(threads, other) || at(within, some) - at(within, other) || some - other,
  )
  const paths = new Uint32Array(count)
  /** 0 is the conversation that has not begun. */
  let [path, thread] = [0, -1]
  for (const question of order) {
    if (at(threads, question) !== thread) [path, thread] = [0, at(threads, question)]
    path = numberOfPath(path, at(messages, question)) + 1
    paths[question] = path
  }
  return paths
}

/** Owns a place without a turn. */
const NOBODY = 2 ** 32 - 1

/** A repeat that came before is passed over. */
function groupTurns(count: number, owners: Uint32Array, repeats: Uint32Array): NumberedQuestions['turnsOf'] {
  const starts = new Uint32Array(count + 1)
  for (const owner of owners) if (owner !== NOBODY) starts[owner + 1] = (starts[owner + 1] ?? 0) + 1
  for (let question = 0; question < count; question += 1)
    starts[question + 1] = (starts[question + 1] ?? 0) + (starts[question] ?? 0)
  const next = starts.slice()
  const grouped = new Uint32Array(owners.length)
  for (const [place, owner] of owners.entries()) {
    if (owner === NOBODY) continue
    const slot = next[owner] ?? 0
    grouped[slot] = place
    next[owner] = slot + 1
  }
  const repeatAt = (place: number): number => repeats[place] ?? 0
  return (question) => {
    const turns = grouped.subarray(starts[question] ?? 0, starts[question + 1] ?? 0)
    if (turns.length === 1) return turns
    const inOrder = turns.slice().sort((some, other) => repeatAt(some) - repeatAt(other) || some - other)
    return inOrder.filter(
      (turn, place) => place === 0 || repeatAt(turn) !== repeatAt(inOrder[place - 1] ?? 0),
    )
  }
}
