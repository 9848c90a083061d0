// Thresholds of a load test as they were typed.
import { parseLoadThreshold } from '../../analysis/load/judge-load.ts'
import { explainThreshold } from '../read-threshold.ts'
import { UsageError } from '../../library/usage-error.ts'

/** Throws UsageError that names the expression and the fix. */
export function checkLoadThresholds(expressions: readonly string[]): void {
  for (const expression of expressions) {
    const threshold = explainThreshold(expression, parseLoadThreshold(expression))
    if (typeof threshold === 'string') throw new UsageError(`--threshold ${threshold}`)
  }
}
