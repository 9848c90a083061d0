// The quota account: how many calls the endpoint counted for certain, and how many at most.
import type { Usage, UsageClass } from '../domain/usage.ts'

/** The classes' counts as an account; usage lies in [min, max]. */
export function accountOf({ certain, possible, notCounted }: Readonly<Record<UsageClass, number>>): Usage {
  return {
    attempts: certain + possible + notCounted,
    certain,
    possible,
    notCounted,
    min: certain,
    max: certain + possible,
  }
}
