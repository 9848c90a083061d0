// A clock that jumps to the next timer when nothing else is left to run, so that tests wait without real
// time.
import type { Clock } from '../../src/domain/clock.ts'
import type { AssistRequest, AttemptResult } from '../../src/domain/attempt.ts'
import type { Ports } from '../../src/library/index.ts'

interface Timer {
  readonly at: number
  readonly run: () => void
}

export class VirtualClock implements Clock {
  #now = 0
  readonly #timers = new Set<Timer>()

  now(): number {
    return this.#now
  }
  wall(): number {
    return 1_700_000_000_000 + this.#now
  }
  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }
  async sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.after(ms, resolve)
    })
  }
  /** Lets time pass without running anything, like a process that gets no processor. */
  jump(ms: number): void {
    this.#now += ms
  }
  get timers(): number {
    return this.#timers.size
  }
  /**
   * Lets promises settle, then jumps to the next timer, until `task` is done. `turns`: how many real timers must
   * run, while the next timer stays the same, before a jump: for what waits for real timers, too, as the
   * limiter's queue does. Their number does not depend on the speed of the machine, as a time would.
   */
  async runUntil<T>(task: Promise<T>, turns = 0): Promise<T> {
    let done = false
    const finished = task.finally(() => {
      done = true
    })
    let before: Timer | undefined
    for (let round = 0; round < 1_000_000; round += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
      for (let turn = 0; turn < turns; turn += 1)
        await new Promise((resolve) => {
          setTimeout(resolve, 1)
        })
      if (done) return finished
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at)
      const isSettled = turns === 0 || next === before
      before = next
      // Without a timer, the task waits for a file.
      if (next === undefined || !isSettled) continue
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.run()
    }
    throw new Error('the task did not end')
  }
}

interface VirtualAnswer {
  readonly ms: number
  readonly result: AttemptResult
}

/** What opens an endpoint on a virtual clock, which decides about each call when it is sent. */
export const virtualEndpoint =
  (clock: VirtualClock, answer: (request: AssistRequest) => VirtualAnswer): Ports['connect'] =>
  async () =>
    Promise.resolve({
      send: (request, { beforeSend, ended }) => {
        beforeSend?.()
        const sentAt = clock.now()
        const { ms, result } = answer(request)
        clock.after(ms, () => ended({ sentAt, endedAt: clock.now(), result }))
      },
      close: async () => Promise.resolve(),
    })
