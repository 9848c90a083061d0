// Which turns of a run are done, and how they ended: one byte each.
import { NumberList } from '../columns/number-list.ts'
import type { ThreadStanding } from '../analysis/standing-of-run.ts'
import type { Sequence } from '../columns/sequence.ts'
import { firstTurn, type ThreadState } from '../runner/thread-state.ts'

/** `done`: answered without its context, skipped, or in an earlier sitting, whose journal knows more. */
const STATES = ['open', 'done', 'error', 'grounded', 'ungrounded'] as const
type State = (typeof STATES)[number]
const OPEN = STATES.indexOf('open')

export class TurnStates {
  readonly #threads: Sequence<ThreadState>
  readonly #states = new NumberList(Uint8Array)
  readonly #counts = STATES.map(() => 0)
  /** By a thread's first turn: its place, plus one. Made with the first thread that starts again. */
  #places: NumberList | undefined
  readonly total: number
  readonly repeats: number

  constructor(threads: Sequence<ThreadState>) {
    this.#threads = threads
    let [total, repeats] = [0, 1]
    for (const { turns, repeat } of threads) {
      total += turns.length
      repeats = Math.max(repeats, repeat)
    }
    this.total = total
    this.repeats = repeats
    // A resumed run has some behind it; whether those were grounded is the journal's to know.
    for (const { turns, next, repeat } of threads)
      for (let place = 0; place < next; place += 1) {
        const turn = turns.at(place)
        if (turn !== undefined) this.end(turn.index, repeat, 'done')
      }
  }

  get done(): number {
    return (
      this.#countOf('done') + this.#countOf('error') + this.#countOf('grounded') + this.#countOf('ungrounded')
    )
  }

  counts(): { readonly errors: number; readonly answered: number; readonly grounded: number } {
    const grounded = this.#countOf('grounded')
    return { errors: this.#countOf('error'), answered: grounded + this.#countOf('ungrounded'), grounded }
  }

  end(index: number, repeat: number, state: State): void {
    const turn = this.#numberOf(index, repeat)
    this.#count(this.#states.at(turn), -1)
    this.#states.set(turn, STATES.indexOf(state))
    this.#count(STATES.indexOf(state), 1)
  }

  /** The threads as far as they came: turns behind one that has not ended are to be asked again with it. */
  *standing(): Generator<ThreadStanding> {
    for (const thread of this.#threads) {
      const { turns, repeat } = thread
      let next = 0
      for (const { index } of turns) {
        if (this.#states.at(this.#numberOf(index, repeat)) === OPEN) break
        next += 1
      }
      yield { question: firstTurn(thread).index, turns, next, resumed: next > 0 }
    }
  }

  /** `first`: the question that the thread begins with. */
  restart(first: number, repeat: number): void {
    this.#places ??= this.#placeThreads()
    const thread = this.#threads.at(this.#places.at(this.#numberOf(first, repeat)) - 1)
    for (const { index } of thread?.turns ?? []) this.end(index, repeat, 'open')
  }

  #placeThreads(): NumberList {
    const places = new NumberList()
    let place = 0
    for (const thread of this.#threads) {
      place += 1
      places.set(this.#numberOf(firstTurn(thread).index, thread.repeat), place)
    }
    return places
  }

  #numberOf(index: number, repeat: number): number {
    return index * this.repeats + repeat - 1
  }

  #countOf(state: State): number {
    return this.#counts[STATES.indexOf(state)] ?? 0
  }

  #count(state: number, more: 1 | -1): void {
    this.#counts[state] = (this.#counts[state] ?? 0) + more
  }
}
