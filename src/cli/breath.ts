// Work that never waits by itself lets signals and timers in from time to time.
import { setImmediate as otherEvents } from 'node:timers/promises'
import type { Steps } from '../stats/steps.ts'

/** A person who presses Ctrl-C does not notice so long a wait. */
const MOST_MS = 50

/** What it returns resolves at once, or once other events have had their turn where that is due. */
export function createBreath(): () => Promise<void> {
  let due = performance.now() + MOST_MS
  return async () => {
    if (performance.now() < due) return
    await otherEvents()
    due = performance.now() + MOST_MS
  }
}

/** Walks all steps, with a breath after each where one is due. */
export async function walkBreathing<T>(steps: Steps<T>): Promise<T> {
  const breathe = createBreath()
  for (;;) {
    const step = steps.next()
    await breathe()
    if (step.done === true) return step.value
  }
}
