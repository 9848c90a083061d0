// The wait of a loop that sends: until a time, or until something has happened.
import type { Clock } from '../domain/clock.ts'

export class Wait {
  readonly #clock: Clock
  #wake: () => void = () => undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async until(at: number): Promise<void> {
    let cancel: () => void = () => undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (at < Infinity) cancel = this.#clock.after(Math.max(0, at - this.#clock.now()), resolve)
    })
    cancel()
  }

  wake(): void {
    this.#wake()
  }
}
