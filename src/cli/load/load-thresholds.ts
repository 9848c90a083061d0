// Thresholds of a load test as they were typed: those that gate it at its end, and those that end it early.
import type { Relation, Threshold } from '../../analysis/gates/expression.ts'
import { relationsThatAbort } from '../../analysis/load/abort-watch.ts'
import { parseLoadThreshold } from '../../analysis/load/judge-load.ts'
import { explainThreshold } from '../read-threshold.ts'
import { UsageError } from '../usage-error.ts'

/** Throws UsageError that names the option, the expression and the mend. */
export function loadThresholds(
  expressions: readonly string[],
  option: '--threshold' | '--abort-on',
): Threshold[] {
  return expressions.map((expression) => {
    const threshold = explainThreshold(expression, parseLoadThreshold(expression))
    if (typeof threshold === 'string') throw new UsageError(`${option} ${threshold}`)
    return option === '--abort-on' ? asMustHold(threshold) : threshold
  })
}

const OPPOSITE: Readonly<Partial<Record<Relation, Relation>>> = { '>': '<=', '>=': '<', '<': '>=', '<=': '>' }

/** `errors>10%` is what ends the test, `errors<=10%` what must hold: the way that it points tells which is meant. */
function asMustHold(threshold: Threshold): Threshold {
  const { expression, metric, relation } = threshold
  const known = relationsThatAbort(threshold)
  if (known.includes(relation)) return threshold
  const opposite = OPPOSITE[relation]
  if (opposite !== undefined) return { ...threshold, relation: opposite }
  throw new UsageError(
    `--abort-on '${expression}' cannot be told from chance while the test goes on: compare with ${known.join(' or ')}, ` +
      `like ${metric.name}${known[0] ?? ''}${expression.slice(expression.lastIndexOf(relation) + relation.length).trim()}`,
  )
}
