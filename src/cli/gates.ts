// Gates as they were said: checked against the figures that exist and the tags that the set has.
import { parseThreshold, type Threshold } from '../analysis/gates/expression.ts'
import { NO_GATES, type GateOptions } from '../domain/gate.ts'
import type { RunSettings } from './options/run-options.ts'
import { didYouMean } from './suggest.ts'
import { UsageError } from './usage-error.ts'

export function gateOptions({ threshold, allowErrors, passPolicy, confirm }: RunSettings): GateOptions {
  return {
    thresholds: threshold ?? NO_GATES.thresholds,
    allowErrors: allowErrors ?? NO_GATES.allowErrors,
    passPolicy: passPolicy ?? NO_GATES.passPolicy,
    confirm: confirm ?? NO_GATES.confirm,
  }
}

/** Throws UsageError where a metric does not exist or no question has the tag. */
export function checkThresholds(expressions: readonly string[], tags: ReadonlySet<string>): Threshold[] {
  return expressions.map((expression) => {
    const parsed = parseThreshold(expression)
    if (parsed.kind === 'fault') {
      const { reason, unknown } = parsed
      const hint = unknown === undefined ? '' : didYouMean(unknown.word, unknown.known)
      throw new UsageError(`--threshold '${expression}' ${reason}${hint}`)
    }
    const { tag } = parsed.threshold
    if (tag !== undefined && !tags.has(tag))
      throw new UsageError(
        `--threshold '${expression}': no question has the tag '${tag}'${didYouMean(tag, [...tags])}`,
      )
    return parsed.threshold
  })
}
