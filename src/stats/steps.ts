// Long work in short steps: between two of them whoever walks it may let other things happen.

/** Yields where a step ends, and returns what the work was for: the same, whatever happens in between. */
export type Steps<T> = Generator<undefined, T>

/** Numbers drawn, added or moved: a millisecond's worth, or a few. */
const OPERATIONS_A_STEP = 2 ** 16
/** Things that are looked at one by one, and may have to be read from a disk for it. */
const ITEMS_A_STEP = 2 ** 8

/** To be asked after each piece of work, with the operations that it took: whether the step is over. */
export function createStepMeter(): (operations: number) => boolean {
  let walked = 0
  return (operations) => {
    walked += operations
    if (walked < OPERATIONS_A_STEP) return false
    walked = 0
    return true
  }
}

/** One after the other. */
export function* forEachInSteps<T>(items: Iterable<T>, act: (item: T) => void): Steps<void> {
  let left = ITEMS_A_STEP
  for (const item of items) {
    act(item)
    left -= 1
    if (left > 0) continue
    yield
    left = ITEMS_A_STEP
  }
}

/** All steps at once, for work that is known to be short. */
export function walk<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
