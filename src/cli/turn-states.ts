// Which turns of a run are done, and how they ended.
import type { ThreadStanding } from '../analysis/standing-of-run.ts'
import { firstTurn, type ThreadState } from '../runner/thread-state.ts'

/** `done`: answered without its context, skipped, or in an earlier sitting, whose journal knows more. */
type State = 'open' | 'done' | 'error' | 'grounded' | 'ungrounded'

export class TurnStates {
  readonly #threads: readonly ThreadState[]
  /** By the number of the turn and its repeat; `open` stands for none. */
  readonly #states: State[] = []
  readonly #counts = { open: 0, done: 0, error: 0, grounded: 0, ungrounded: 0 }
  readonly #byFirst = new Map<number, ThreadState>()
  readonly total: number
  readonly repeats: number

  constructor(threads: readonly ThreadState[]) {
    this.#threads = threads
    this.total = threads.reduce((sum, { turns }) => sum + turns.length, 0)
    this.repeats = threads.reduce((most, { repeat }) => Math.max(most, repeat), 1)
    for (const thread of threads) {
      this.#byFirst.set(this.#numberOf(firstTurn(thread).index, thread.repeat), thread)
      // A resumed run has some behind it; whether those were grounded is the journal's to know.
      for (const { index } of thread.turns.slice(0, thread.next)) this.end(index, thread.repeat, 'done')
    }
  }

  get done(): number {
    const { done, error, grounded, ungrounded } = this.#counts
    return done + error + grounded + ungrounded
  }

  counts(): { readonly errors: number; readonly answered: number; readonly grounded: number } {
    const { error: errors, grounded, ungrounded } = this.#counts
    return { errors, answered: grounded + ungrounded, grounded }
  }

  end(index: number, repeat: number, state: State): void {
    const number = this.#numberOf(index, repeat)
    this.#counts[this.#states[number] ?? 'open'] -= 1
    this.#states[number] = state
    this.#counts[state] += 1
  }

  /** The threads as far as they came: turns behind one that has not ended are to be asked again with it. */
  *standing(): Generator<ThreadStanding> {
    for (const thread of this.#threads) {
      const { turns, repeat } = thread
      const isOpen = (index: number): boolean =>
        (this.#states[this.#numberOf(index, repeat)] ?? 'open') === 'open'
      const open = turns.findIndex(({ index }) => isOpen(index))
      const next = open === -1 ? turns.length : open
      yield { question: firstTurn(thread).index, turns, next, resumed: next > 0 }
    }
  }

  /** `first`: the question that the thread begins with. */
  restart(first: number, repeat: number): void {
    for (const { index } of this.#byFirst.get(this.#numberOf(first, repeat))?.turns ?? [])
      this.end(index, repeat, 'open')
  }

  #numberOf(index: number, repeat: number): number {
    return index * this.repeats + repeat - 1
  }
}
