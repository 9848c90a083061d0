// Gates as they were said: checked against the figures that exist and the tags that the set has.
import { NO_GATES, type GateOptions } from '../domain/gate.ts'
import type { RunSettings } from '../library/read-options.ts'
import { readThreshold } from './read-threshold.ts'
import { didYouMean } from '../library/suggest.ts'
import { UsageError } from '../library/usage-error.ts'

export function gateOptions({ threshold, passPolicy }: RunSettings): GateOptions {
  return {
    thresholds: threshold ?? NO_GATES.thresholds,
    passPolicy: passPolicy ?? NO_GATES.passPolicy,
  }
}

/**
 * Throws UsageError where no question has the tag of a threshold, or where a threshold cannot be read: one that a run has
 * recorded may come from another version, and a gate that is not understood must not pass. `readTags`: asked at most once.
 */
export function checkThresholds(expressions: readonly string[], readTags: () => ReadonlySet<string>): void {
  let tags: ReadonlySet<string> | undefined
  for (const expression of expressions) {
    const threshold = readThreshold(expression)
    if (typeof threshold === 'string') throw new UsageError(`--threshold ${threshold}`)
    const { tag } = threshold
    if (tag === undefined) continue
    tags ??= readTags()
    if (!tags.has(tag))
      throw new UsageError(
        `--threshold '${expression}': no question has the tag '${tag}'${didYouMean(tag, [...tags])}`,
      )
  }
}
