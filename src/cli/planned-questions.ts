// Questions in the order of the set, and the threads made of them: numbers, of a set that may be larger than memory.
import { NumberList } from '../columns/number-list.ts'
import { sequenceOf, type Sequence } from '../columns/sequence.ts'
import { holdThreads, type Threads } from '../dataset/threads.ts'
import type { Question, Thread } from '../domain/question.ts'
import type { PlannedTurn, ThreadState } from '../runner/thread-state.ts'
import { ThreadTable } from '../runner/thread-table.ts'
import { LazyTurn } from './planned-turn.ts'

export interface PlannedQuestions {
  readonly turns: Sequence<PlannedTurn>
  /** Each thread as often as it is asked, from 1. */
  readonly openThreads: (repeats: number) => Sequence<ThreadState>
}

/**
 * Reads each thread once, to learn the order of the questions: by file, line and turn. `isAsked`: which threads are asked;
 * their questions keep the numbers that they have among all.
 */
export function planQuestions(
  given: readonly Thread[] | Threads,
  isAsked?: (thread: Thread) => boolean,
): PlannedQuestions {
  const threads = 'turnAt' in given ? given : holdThreads(given)
  const places = new QuestionPlaces(threads)
  const read = (index: number): Question | undefined => places.read(index)
  const turnOf = (index: number): PlannedTurn => new LazyTurn(index, read)
  const table = new ThreadTable(turnOf)
  const openThreads: PlannedQuestions['openThreads'] = (repeats) => table.open(repeats)
  if (isAsked === undefined) {
    for (let thread = 0; thread < threads.length; thread += 1) table.add(places.indicesOf(thread))
    return { turns: sequenceOf(places.length, turnOf), openThreads }
  }
  const asked = new NumberList()
  let number = 0
  for (const thread of threads) {
    if (isAsked(thread)) {
      table.add(places.indicesOf(number))
      for (const index of places.indicesOf(number)) asked.push(index)
    }
    number += 1
  }
  const inOrder = Uint32Array.from(asked).sort()
  return { turns: sequenceOf(inOrder.length, (place) => turnOf(inOrder[place] ?? NaN)), openThreads }
}

/** Which question of the set, by its number, stands where in which thread. */
class QuestionPlaces {
  readonly #threads: Threads
  /** By thread: the number of its first question, were they numbered thread by thread. */
  readonly #starts = new NumberList()
  readonly length: number
  /** By index, that number, and the other way round; absent where both are the same. */
  #order: { readonly numbers: Uint32Array; readonly indices: Uint32Array } | undefined

  constructor(threads: Threads) {
    this.#threads = threads
    const [files, lines, turns] = [new NumberList(), new NumberList(), new NumberList()]
    let length = 0
    for (const thread of threads) {
      this.#starts.push(length)
      for (const { file, line, turn } of thread.turns) {
        files.push(file)
        lines.push(line)
        turns.push(turn)
        length += 1
      }
    }
    this.length = length
    const compare = (a: number, b: number): number =>
      files.at(a) - files.at(b) || lines.at(a) - lines.at(b) || turns.at(a) - turns.at(b)
    let isInOrder = true
    for (let number = 1; number < length; number += 1) isInOrder &&= compare(number - 1, number) <= 0
    if (isInOrder) return
    const numbers = Uint32Array.from({ length }, (_, number) => number).sort(compare)
    const indices = new Uint32Array(length)
    for (const [index, number] of numbers.entries()) indices[number] = index
    this.#order = { numbers, indices }
  }

  *indicesOf(thread: number): Generator<number> {
    const end = thread + 1 < this.#starts.length ? this.#starts.at(thread + 1) : this.length
    for (let number = this.#starts.at(thread); number < end; number += 1)
      yield this.#order?.indices[number] ?? number
  }

  read(index: number): Question | undefined {
    const number = this.#order?.numbers[index] ?? index
    const thread = this.#threadOf(number)
    return this.#threads.turnAt(thread, number - this.#starts.at(thread))
  }

  /** The last that begins at or before this question. */
  #threadOf(number: number): number {
    let [low, high] = [0, this.#starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.#starts.at(middle) <= number) low = middle
      else high = middle - 1
    }
    return low
  }
}
