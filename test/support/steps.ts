// Walks long work step by step, with somebody who looks at it after each.
import type { Steps } from '../../src/stats/steps.ts'

export function forEachStep<T>(steps: Steps<T>, look: () => void): T {
  for (;;) {
    const step = steps.next()
    look()
    if (step.done === true) return step.value
  }
}
