// Thresholds such as `coverage[billing]>=80%`: the figures that they name, parsed, and evaluated on a file's.
import * as z from 'zod'
import { makeMessage, type Message, parseDuration, type Unit, WRITTEN } from '../../domain/format.ts'
import { loadFiguresSchema } from '../../domain/load.ts'
import { OUTCOMES } from '../../domain/outcome.ts'
import {
  articlesSchema,
  figuresSchema,
  type ThresholdResult,
  unsupportedSchema,
} from '../../domain/summary.ts'

export const RELATIONS = {
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
  readonly expression: string
  readonly metric: Metric
  readonly key: string | undefined
  readonly tag: string | undefined
  readonly relation: Relation
  readonly limit: number
}

export type ParsedThreshold =
  | { readonly kind: 'threshold'; readonly threshold: Threshold }
  | {
      readonly kind: 'fault'
      readonly reason: string
      readonly unknown?: { readonly word: string; readonly known: readonly string[] }
    }

const EXPRESSION = /^(?<name>[^[\]<>=!]+)(?:\[(?<tag>.*)\])?\s*(?<relation>[<>=!]=?)\s*(?<limit>[^<>=!]+)$/su

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
  // A percentage means the share of answers with this status.
  const isShare = found.metric.name === 'status' && limit.trim().endsWith('%')
  const metric: Metric = isShare ? { ...found.metric, unit: 'share' } : found.metric
  if (tag !== undefined && !metric.byTag) return fault(`names ${metric.name}, which is not counted by tag`)
  const value = parseLimit(limit.trim(), metric.unit)
  if (typeof value === 'string') return fault(value)
  return {
    kind: 'threshold',
    threshold: { expression, metric, key, tag: tag?.trim(), relation: relation as Relation, limit: value },
  }
}

/** Skips what cannot be read: it was rejected before, unless another version wrote it. */
export const readThresholds = (expressions: readonly string[], parse = parseThreshold): Threshold[] =>
  expressions.flatMap((expression) => {
    const parsed = parse(expression)
    return parsed.kind === 'threshold' ? [parsed.threshold] : []
  })

const fault = (reason: string) => ({ kind: 'fault', reason }) as const

/** Only these open metrics have a fixed set of values; the endpoint chooses those of the others. */
const KNOWN_KEYS: Readonly<Record<string, RegExp>> = {
  'errors.byOutcome': new RegExp(`^(?:${OUTCOMES.join('|')})$`),
  'errors.byHttpStatus': /^(?:\d{3}|none)$/,
}

/** Finds a figure by name, or one count of an open metric: `contextSource.KNOWLEDGE_BASE`. */
function findMetric(name: string, metrics: readonly Metric[]) {
  const whole = metrics.find((metric) => !metric.isOpen && metric.name === name)
  if (whole !== undefined) return { metric: whole, key: undefined }
  const open = metrics.find((metric) => metric.isOpen && name.startsWith(`${metric.name}.`))
  const key = name.slice((open?.name.length ?? 0) + 1)
  const isKnown = key !== '' && (KNOWN_KEYS[open?.path.join('.') ?? '']?.test(key) ?? true)
  return open !== undefined && isKnown ? { metric: open, key } : undefined
}

const LIMIT = /^(?<number>[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,2})?)\s*(?<suffix>%|\/\s*(?:s|min|h))?$/i
const SUFFIXES: Readonly<Record<string, readonly [unit: Unit, inUnit: (number: number) => number]>> = {
  '%': ['share', (percent) => percent / 100],
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

/** Returns the limit in the metric's unit, or an error text. A number without a suffix has that unit. */
function parseLimit(text: string, unit: Unit): number | string {
  const wrong = `has the limit ${text}: write it like ${EXAMPLES[unit]}`
  const ms = parseDuration(text)
  if (ms !== undefined) return unit === 'milliseconds' ? ms : wrong
  const { number, suffix } = LIMIT.exec(text)?.groups ?? {}
  if (number === undefined) return wrong
  if (suffix === undefined) {
    const isPercent = unit === 'share' && Math.abs(Number(number)) > 1
    return isPercent ? `has a limit above 1: write ${number}% for ${Number(number) / 100}` : Number(number)
  }
  const [measured, inUnit] = SUFFIXES[suffix.replace(/\s/g, '').toLowerCase()] ?? []
  return inUnit === undefined || measured !== unit ? wrong : inUnit(Number(number))
}

/** The `figures` are the contents of the file. A figure without a value fails every threshold. */
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

function valueOf(threshold: Threshold, figures: object): number | undefined {
  const { metric, key, tag } = threshold
  const root = tag === undefined ? figures : ownValue(ownValue(figures, 'tags'), tag)
  const found = metric.path.reduce<unknown>(ownValue, root)
  const value = key === undefined || found === undefined ? found : (ownValue(found, key) ?? 0)
  if (typeof value !== 'number') return undefined
  if (key === undefined || metric.unit !== 'share') return value
  const answered = ownValue(ownValue(root, 'turns'), 'answered')
  return typeof answered === 'number' && answered > 0 ? value / answered : undefined
}

/** Own properties only: names come from users, and `constructor` is not a figure. */
const ownValue = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

export function figureName({ metric, key, tag }: Threshold): string {
  const whole = key === undefined ? metric.name : `${metric.name}.${key}`
  return tag === undefined ? whole : `${whole}[${tag}]`
}

const WITHOUT_VALUE = [
  ['shareOfQuota', 'threshold-without-quota', 'give the monthly allowance with --quota N'],
  ['weighted', 'threshold-without-weight', 'the set has no column weight, or no answer counts toward it'],
  ['misfits', 'threshold-without-articles', 'give the articles with --articles'],
  ['unsupported', 'threshold-without-articles', 'no --articles, or no answer with a fact to look for'],
  ['p99', 'threshold-few-values', 'fewer than ten answers count toward it'],
] as const
const NOTHING_COUNTS = ['', 'threshold-without-value', 'no question counts toward it'] as const

export function reasonOf(threshold: Threshold, value: number | undefined): Message {
  const { metric, relation, limit } = threshold
  const name = figureName(threshold)
  if (value === undefined) {
    const [, code, why] = WITHOUT_VALUE.find(([part]) => metric.path.includes(part)) ?? NOTHING_COUNTS
    return makeMessage(code, `${name} has no value: ${why}`)
  }
  const [found, required] = [value, limit].map(WRITTEN[metric.unit])
  return makeMessage('threshold', `${name} is ${found}, required ${relation} ${required}`)
}

export interface Metric {
  /** A threshold names it so: `coverage`, `latency.p95`, `turns.answered`. */
  readonly name: string
  readonly path: readonly string[]
  readonly unit: Unit
  readonly byTag: boolean
  /** The endpoint chooses the values that are counted. A value that never occurred counts 0. */
  readonly isOpen: boolean
}

/** A figure has short names by its path, a group by its first word. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  latencyMs: ['latency'],
  failureLatencyMs: ['failureLatency'],
  waitMs: ['wait'],
  // As in a run, latency is service time.
  serviceMs: ['service', 'latency'],
  responseMs: ['response'],
  sendLagMs: ['lag'],
  'coverage.rate': ['coverage', 'grounded'],
  'coverage.weighted.rate': ['coverage.weighted', 'grounded.weighted'],
  'errors.rate': ['errors'],
  'expectations.rate': ['passed'],
  'pacing.rate429': ['rate429'],
  'unsupported.rate': ['unsupported'],
  'dropped.threads': ['dropped'],
  'articles.misfits.count': ['misfits'],
}

function metricsOf(schema: z.ZodType, byTag: boolean, path: readonly string[] = []): Metric[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return metricsOf(schema.unwrap() as z.ZodType, byTag, path)
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, part]) =>
      metricsOf(part, byTag, [...path, key]),
    )
  const isOpen = schema instanceof z.ZodRecord
  if (!isOpen && !(schema instanceof z.ZodNumber)) return []
  const [full, [first = '', ...rest]] = [path.join('.'), path]
  const names = SHORT[full] ?? (SHORT[first] ?? []).map((name) => [name, ...rest].join('.'))
  const metric = { path, unit: unitOf(path), byTag, isOpen }
  return [...new Set([...names, full])].map((name) => ({ name, ...metric }))
}

const RATES = new Set(['offered.rate', 'achieved.rate'])
const SHARES = new Set(['rate', 'rate429', 'low', 'high', 'shareOfQuota'])

/** Groups of times end in `Ms`, rates in `PerSecond`. */
function unitOf(path: readonly string[]): Unit {
  const [first = '', last = ''] = [path[0], path.at(-1)]
  if (first.endsWith('Ms')) return last === 'count' ? 'count' : 'milliseconds'
  if (last.endsWith('PerSecond') || RATES.has(path.join('.'))) return 'perSecond'
  return SHARES.has(last) ? 'share' : 'count'
}

export const METRICS: readonly Metric[] = [
  ...metricsOf(figuresSchema, true),
  ...metricsOf(loadFiguresSchema.pick({ pacing: true }), false),
  ...metricsOf(unsupportedSchema, false, ['unsupported']),
  ...metricsOf(articlesSchema.pick({ misfits: true }), false, ['articles']),
]

export const LOAD_METRICS: readonly Metric[] = metricsOf(loadFiguresSchema, false)
