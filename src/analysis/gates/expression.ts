// A threshold from text to meaning: `coverage[billing]>=80%`, `latency.p95<3s`, `errors<=0.01`.
import { METRICS, type Metric, type Unit } from '../../domain/metric.ts'
import { OUTCOMES } from '../../domain/outcome.ts'

export type Relation = '>=' | '<=' | '>' | '<' | '==' | '!='

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

const EXPRESSION =
  /^(?<name>[^[\]<>=!]+)(?:\[(?<tag>.*)\](?<rest>\.[\w.]+)?)?\s*(?<relation>[<>=!]=?)\s*(?<limit>[^<>=!]+)$/su

/** What may be named, and in which file it stands. */
export interface Vocabulary {
  readonly metrics: readonly Metric[]
  readonly file: string
}

const SUMMARY: Vocabulary = { metrics: METRICS, file: 'summary.json' }

export const parseThreshold = (text: string): ParsedThreshold => parseThresholdOf(SUMMARY, text)

export function parseThresholdOf({ metrics, file }: Vocabulary, text: string): ParsedThreshold {
  const expression = text.trim()
  const parts = EXPRESSION.exec(expression)?.groups
  if (parts === undefined)
    return fault('must be a figure, a relation and a limit, like coverage>=80% or latency.p95<3s')
  const { name = '', tag, rest = '', relation = '', limit = '' } = parts
  const found = findMetric(`${name.trim()}${rest}`, metrics)
  if (found === undefined) {
    const word = `${name.trim()}${rest}`
    return {
      kind: 'fault',
      reason: `names '${word}', which is no figure of ${file}`,
      unknown: { word, known: namesIn(metrics) },
    }
  }
  const { key } = found
  const isShare = found.metric.name === 'status' && limit.trim().endsWith('%')
  const metric: Metric = isShare ? { ...found.metric, unit: 'share' } : found.metric
  if (tag !== undefined && !metric.byTag) return fault(`${metric.name} is not counted by tag`)
  const asRelation = relation === '=' ? '==' : relation
  if (!isRelation(asRelation)) return fault(`must compare with >=, <=, >, <, == or !=, not ${relation}`)
  const value = parseLimit(limit.trim(), metric.unit)
  if (typeof value === 'string') return fault(value)
  return {
    kind: 'threshold',
    threshold: { expression, metric, key, tag: tag?.trim(), relation: asRelation, limit: value },
  }
}

const fault = (reason: string): ParsedThreshold => ({ kind: 'fault', reason })

const RELATIONS: readonly string[] = ['>=', '<=', '>', '<', '==', '!='] satisfies Relation[]
const isRelation = (text: string): text is Relation => RELATIONS.includes(text)

/** A figure by its name, or one value of counts by value: `contextSource.KNOWLEDGE_BASE`. */
function findMetric(
  name: string,
  metrics: readonly Metric[],
): { readonly metric: Metric; readonly key: string | undefined } | undefined {
  const whole = metrics.find((metric) => !metric.isOpen && metric.name === name)
  if (whole !== undefined) return { metric: whole, key: undefined }
  const open = metrics.find((metric) => metric.isOpen && name.startsWith(`${metric.name}.`))
  const key = open === undefined ? '' : name.slice(open.name.length + 1)
  if (open === undefined || key === '' || !mayHold(open, key)) return undefined
  return { metric: open, key }
}

/** Values that the endpoint chooses may be any; outcomes and statuses are known. */
function mayHold({ path }: Metric, key: string): boolean {
  const name = path.join('.')
  if (name === 'errors.byOutcome') return (OUTCOMES as readonly string[]).includes(key)
  return name !== 'errors.byHttpStatus' || /^(?:\d{3}|none)$/.test(key)
}

/** What can be named, those of known values among them: what a suggestion is taken from. */
const namesIn = (metrics: readonly Metric[]): string[] => [
  ...metrics.map((metric) => metric.name),
  ...OUTCOMES.map((outcome) => `errors.byOutcome.${outcome}`),
]

const UNIT_WORDS = { share: 'share', count: 'count', milliseconds: 'time', perSecond: 'rate' } as const
const UNITS = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 } as const
const NUMBER = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,2})?$/i

/** The limit in the metric's unit, or what is wrong with it. */
function parseLimit(text: string, unit: Unit): number | string {
  if (text.endsWith('%')) {
    const percent = text.slice(0, -1).trim()
    if (unit !== 'share') return `a percentage is the limit of a share, not of a ${UNIT_WORDS[unit]}`
    return NUMBER.test(percent) ? Number(percent) / 100 : `the limit ${text} is no percentage`
  }
  const [, number, timeUnit] = /^(.*?\d)\s*(ms|s|min|m|h)$/.exec(text) ?? []
  if (number !== undefined && timeUnit !== undefined) {
    if (unit !== 'milliseconds') return `a time is the limit of a time, not of a ${UNIT_WORDS[unit]}`
    return NUMBER.test(number)
      ? Number(number) * UNITS[timeUnit as keyof typeof UNITS]
      : `the limit ${text} is no time`
  }
  if (unit === 'perSecond') return parseRate(text)
  if (!NUMBER.test(text)) return `the limit ${text} is no number, percentage or time`
  const value = Number(text)
  return unit === 'share' && Math.abs(value) > 1
    ? `a share lies between 0 and 1: write ${text}% for ${value / 100}`
    : value
}

const PER = { s: 1, min: 60, h: 3600 } as const

/** `20`, `20/s`, `600/min`. */
function parseRate(text: string): number | string {
  const [, number = '', per = 's'] = /^(.*?)(?:\s*\/\s*(s|min|h))?$/.exec(text) ?? []
  return NUMBER.test(number)
    ? Number(number) / PER[per as keyof typeof PER]
    : `the limit ${text} is no rate: write it like 20/s or 600/min`
}
