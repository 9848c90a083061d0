// Thresholds held against the figures of a run. A figure without a denominator keeps no threshold.
import type { ThresholdResult } from '../../domain/gate.ts'
import type { Figures, Summary } from '../../domain/summary.ts'
import type { Relation, Threshold } from './expression.ts'

/** What thresholds may name: the figures overall and by tag, and the pacing. */
export type Gated = Figures & Pick<Summary, 'pacing' | 'tags'>

/** `figures`: as they stand in the file that the threshold speaks of. */
export function evaluate(threshold: Threshold, figures: object): ThresholdResult {
  const { expression, tag, relation, limit } = threshold
  const value = valueOf(threshold, figures)
  const named = { expression, metric: threshold.metric.name, ...(tag === undefined ? {} : { tag }) }
  if (value === undefined)
    return {
      ...named,
      value: null,
      passed: false,
      reason: `there is nothing to measure ${nameOf(threshold)} by: ${whyNothing(threshold)}`,
    }
  const passed = RELATIONS[relation](value, limit)
  const is = `${nameOf(threshold)} is ${say(value, threshold)}${describeUnseen(threshold, figures)}`
  return {
    ...named,
    value,
    passed,
    reason: `${is}, ${passed ? 'as wanted' : `wanted ${relation} ${say(limit, threshold)}`}`,
  }
}

const RELATIONS: Record<Relation, (value: number, limit: number) => boolean> = {
  '>=': (value, limit) => value >= limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '<': (value, limit) => value < limit,
  '==': (value, limit) => value === limit,
  '!=': (value, limit) => value !== limit,
}

/** Undefined where the figure is `null` or the tag has none. */
function valueOf({ metric, key, tag }: Threshold, figures: object): number | undefined {
  const root: unknown = tag === undefined ? figures : own(own(figures, 'tags'), tag)
  const found = metric.path.reduce<unknown>((part, name) => own(part, name), root)
  const value = key === undefined || found === undefined ? found : (own(found, key) ?? 0)
  if (typeof value !== 'number') return undefined
  if (key === undefined || metric.unit !== 'share') return value
  const answered = own(own(root, 'turns'), 'answered')
  return typeof answered === 'number' && answered > 0 ? value / answered : undefined
}

/** A value that never came may be a misspelt one. */
function describeUnseen({ metric, key, tag }: Threshold, figures: object): string {
  if (key === undefined) return ''
  const root: unknown = tag === undefined ? figures : own(own(figures, 'tags'), tag)
  const counts = metric.path.reduce<unknown>((part, name) => own(part, name), root)
  if (typeof counts !== 'object' || counts === null || Object.hasOwn(counts, key)) return ''
  const seen = Object.keys(counts).slice(0, 10).join(', ') || 'nothing'
  return ` (it never came; seen: ${seen})`
}

/** Names come from data: `constructor` is no figure. */
const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** The one share that needs something said beforehand is that of the allowance. */
const whyNothing = ({ metric }: Threshold): string =>
  metric.path.at(-1) === 'shareOfQuota' ? 'no quota was named; say --quota N' : 'no turn counts toward it'

function nameOf({ metric, key, tag }: Threshold): string {
  const name = key === undefined ? metric.name : `${metric.name}.${key}`
  return tag === undefined ? name : `${name}[${tag}]`
}

function say(value: number, { metric }: Threshold): string {
  if (metric.unit === 'share') return `${Number((value * 100).toFixed(2))}%`
  if (metric.unit === 'perSecond') return `${Number(value.toFixed(2))}/s`
  return metric.unit === 'milliseconds' ? `${Number(value.toFixed(1))} ms` : String(value)
}
