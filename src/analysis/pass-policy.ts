// When a question that was asked several times has passed.
import type { PassPolicy } from '../domain/gate.ts'
import type { Grade } from '../domain/turn.ts'

/**
 * Over the repeats that have a verdict: errors are not graded and count elsewhere.
 * Undefined where no repeat has a verdict.
 */
export function passes(policy: PassPolicy, grades: Iterable<Grade>): boolean | undefined {
  let [passed, failed] = [0, 0]
  for (const { kind } of grades) {
    if (kind === 'passed') passed += 1
    if (kind === 'failed') failed += 1
  }
  return passed + failed === 0 ? undefined : suffices(policy, passed, failed)
}

/** Whether so many passes beside so many failures are enough. `majority` is more than half. */
export function suffices(policy: PassPolicy, passed: number, failed: number): boolean {
  switch (policy) {
    case 'all':
      return failed === 0
    case 'majority':
      return passed > failed
    case 'any':
      return passed > 0
  }
}
