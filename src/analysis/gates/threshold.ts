// Thresholds: `coverage[billing]>=80%`, `latency.p95<3s`, `errors<=0.01`, read and held against the figures of a file.
import type { ThresholdResult } from '../../domain/summary.ts'
import { type Message, message } from '../../domain/messages.ts'
import { METRICS, type Metric, type Unit } from '../../domain/metric.ts'
import { OUTCOMES } from '../../domain/outcome.ts'

const RELATIONS = {
  '>=': (value: number, limit: number) => value >= limit,
  '<=': (value: number, limit: number) => value <= limit,
  '>': (value: number, limit: number) => value > limit,
  '<': (value: number, limit: number) => value < limit,
  '==': (value: number, limit: number) => value === limit,
  '=': (value: number, limit: number) => value === limit,
  '!=': (value: number, limit: number) => value !== limit,
}
type Relation = keyof typeof RELATIONS

export interface Threshold {
  /** As it was written, but for outer white space. */
  readonly expression: string
  readonly metric: Metric
  /** Of an open metric: which value is counted. */
  readonly key: string | undefined
  readonly tag: string | undefined
  readonly relation: Relation
  /** In the metric's unit. */
  readonly limit: number
}

export type ParsedThreshold =
  | { readonly kind: 'threshold'; readonly threshold: Threshold }
  /** `unknown` is a word that is not one of `known`. */
  | {
      readonly kind: 'fault'
      readonly reason: string
      readonly unknown?: { readonly word: string; readonly known: readonly string[] }
    }

const EXPRESSION = /^(?<name>[^[\]<>=!]+)(?:\[(?<tag>.*)\])?\s*(?<relation>[<>=!]=?)\s*(?<limit>[^<>=!]+)$/su

/** `metrics`: what may be named; `file`: where it stands. */
export function parseThreshold(
  text: string,
  metrics: readonly Metric[] = METRICS,
  file = 'summary.json',
): ParsedThreshold {
  const expression = text.trim()
  const { name = '', tag, relation = '', limit = '' } = EXPRESSION.exec(expression)?.groups ?? {}
  if (!Object.hasOwn(RELATIONS, relation))
    return fault('must be a metric, a relation and a limit, like coverage>=80% or latency.p95[billing]<3s')
  const word = name.trim()
  const found = findMetric(word, metrics)
  if (found === undefined)
    return {
      ...fault(`names '${word}', which is not a figure of ${file}`),
      unknown: { word, known: metrics.map((metric) => metric.name) },
    }
  const { key } = found
  // The share of the answers with this status.
  const isShare = found.metric.name === 'status' && limit.trim().endsWith('%')
  const metric: Metric = isShare ? { ...found.metric, unit: 'share' } : found.metric
  if (tag !== undefined && !metric.byTag) return fault(`${metric.name} is not counted by tag`)
  const value = parseLimit(limit.trim(), metric.unit)
  if (typeof value === 'string') return fault(value)
  return {
    kind: 'threshold',
    threshold: { expression, metric, key, tag: tag?.trim(), relation: relation as Relation, limit: value },
  }
}

const fault = (reason: string) => ({ kind: 'fault', reason }) as const

/** Values that the endpoint chooses may be any; these are known. */
const KNOWN_KEYS: Readonly<Record<string, RegExp>> = {
  'errors.byOutcome': new RegExp(`^(?:${OUTCOMES.join('|')})$`),
  'errors.byHttpStatus': /^(?:\d{3}|none)$/,
}

/** A figure by its name, or one value of counts by value: `contextSource.KNOWLEDGE_BASE`. */
function findMetric(
  name: string,
  metrics: readonly Metric[],
): { readonly metric: Metric; readonly key: string | undefined } | undefined {
  const whole = metrics.find((metric) => !metric.isOpen && metric.name === name)
  if (whole !== undefined) return { metric: whole, key: undefined }
  const open = metrics.find((metric) => metric.isOpen && name.startsWith(`${metric.name}.`))
  const key = name.slice((open?.name.length ?? 0) + 1)
  const isKnown = key !== '' && (KNOWN_KEYS[open?.path.join('.') ?? '']?.test(key) ?? true)
  return open !== undefined && isKnown ? { metric: open, key } : undefined
}

const LIMIT =
  /^(?<number>[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,2})?)\s*(?<suffix>%|ms|s|min|m|h|\/\s*(?:s|min|h))?$/i
/** What a number with a suffix measures, and how much that is in the unit of the figures. */
const SUFFIXES: Readonly<Record<string, readonly [unit: Unit, inUnit: (number: number) => number]>> = {
  '%': ['share', (percent) => percent / 100],
  ms: ['milliseconds', (ms) => ms],
  s: ['milliseconds', (seconds) => seconds * 1000],
  m: ['milliseconds', (minutes) => minutes * 60_000],
  min: ['milliseconds', (minutes) => minutes * 60_000],
  h: ['milliseconds', (hours) => hours * 3_600_000],
  '/s': ['perSecond', (perSecond) => perSecond],
  '/min': ['perSecond', (perMinute) => perMinute / 60],
  '/h': ['perSecond', (perHour) => perHour / 3600],
}
const EXAMPLES: Readonly<Record<Unit, string>> = {
  share: '80% or 0.8',
  milliseconds: '500ms or 3s',
  count: '5',
  perSecond: '20/s or 600/min',
}

/** The limit in the metric's unit, or what is wrong with it. A bare number has the metric's unit. */
function parseLimit(text: string, unit: Unit): number | string {
  const wrong = `has the limit ${text}: write it like ${EXAMPLES[unit]}`
  const { number, suffix } = LIMIT.exec(text)?.groups ?? {}
  if (number === undefined) return wrong
  if (suffix === undefined) {
    const isPercent = unit === 'share' && Math.abs(Number(number)) > 1
    return isPercent ? `has a limit above 1: write ${number}% for ${Number(number) / 100}` : Number(number)
  }
  const [measured, inUnit] = SUFFIXES[suffix.replace(/\s/g, '').toLowerCase()] ?? []
  return inUnit === undefined || measured !== unit ? wrong : inUnit(Number(number))
}

/** `figures`: as they stand in the file that the threshold speaks of. A figure without a value fails every threshold. */
export function evaluate(threshold: Threshold, figures: object): ThresholdResult {
  const { expression, relation, limit } = threshold
  const value = valueOf(threshold, figures)
  return {
    expression,
    value: value ?? null,
    passed: value !== undefined && RELATIONS[relation](value, limit),
    reason: reasonOf(threshold, value),
  }
}

/** Undefined where the figure is `null` or the tag has none. */
function valueOf(threshold: Threshold, figures: object): number | undefined {
  const { metric, key } = threshold
  const found = metric.path.reduce<unknown>((part, name) => own(part, name), rootOf(threshold, figures))
  const value = key === undefined || found === undefined ? found : (own(found, key) ?? 0)
  if (typeof value !== 'number') return undefined
  if (key === undefined || metric.unit !== 'share') return value
  const answered = own(own(rootOf(threshold, figures), 'turns'), 'answered')
  return typeof answered === 'number' && answered > 0 ? value / answered : undefined
}

const rootOf = ({ tag }: Threshold, figures: object): unknown =>
  tag === undefined ? figures : own(own(figures, 'tags'), tag)

/** Names come from data: `constructor` is no figure. */
const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

function reasonOf({ metric, key, tag, relation, limit }: Threshold, value: number | undefined): Message {
  const whole = key === undefined ? metric.name : `${metric.name}.${key}`
  const name = tag === undefined ? whole : `${whole}[${tag}]`
  if (value === undefined) {
    const last = metric.path.at(-1)
    if (last === 'shareOfQuota') return message('threshold-without-quota', { name })
    return message(last === 'p99' ? 'threshold-few-values' : 'threshold-without-value', { name })
  }
  const [found, required] = [write(value, metric.unit), `${relation} ${write(limit, metric.unit)}`]
  return message('threshold', { name, found, required })
}

function write(value: number, unit: Unit): string {
  if (unit === 'share') return `${Number((value * 100).toFixed(2))}%`
  if (unit === 'perSecond') return `${Number(value.toFixed(2))}/s`
  return unit === 'milliseconds' ? `${Number(value.toFixed(1))} ms` : String(value)
}
