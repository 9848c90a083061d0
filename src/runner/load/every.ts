// Something done again and again at fixed moments; one that is late does not delay the next.
import type { Clock } from '../../domain/clock.ts'

/** Returns the function that ends it. Moments that were missed altogether are left out. */
export function every(ms: number, clock: Clock, act: () => void): () => void {
  let due = clock.now() + ms
  let cancel = clock.after(ms, run)
  let isOver = false
  function run(): void {
    act()
    const now = clock.now()
    due += ms * Math.max(1, Math.ceil((now - due) / ms))
    if (!isOver) cancel = clock.after(due - now, run)
  }
  return () => {
    isOver = true
    cancel()
  }
}
