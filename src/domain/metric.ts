// The figures of `summary.json` by the names that thresholds use.
import * as z from 'zod'
import { figuresSchema, summarySchema } from './summary.ts'

/** `share`: 0 to 1. */
export type Unit = 'share' | 'milliseconds' | 'count' | 'perSecond'

export interface Metric {
  /** As a threshold names it: `coverage`, `latency.p95`, `turns.answered`. */
  readonly name: string
  /** Where it stands in the summary, or in the figures of a tag. */
  readonly path: readonly string[]
  readonly unit: Unit
  readonly byTag: boolean
  /** Counts by values that the endpoint chooses: a value that never came counts 0. */
  readonly isOpen: boolean
}

/** How the figures of a file are named and measured. */
export interface Naming {
  /** What thresholds call a part of the file, by its path; the first is how it is spoken of. */
  readonly short: Readonly<Record<string, string | readonly string[]>>
  /** First words of the paths that hold times, but for their counts. */
  readonly milliseconds: ReadonlySet<string>
  /** Whole paths of figures a second; what else is called a `rate` is a share. */
  readonly perSecond: ReadonlySet<string>
}

const SUMMARY_NAMING: Naming = {
  short: {
    latencyMs: 'latency',
    failureLatencyMs: 'failureLatency',
    waitMs: 'wait',
    'coverage.rate': ['coverage', 'grounded'],
    'errors.rate': 'errors',
    'expectations.rate': 'passed',
    'pacing.rate429': 'rate429',
  },
  milliseconds: new Set(['latencyMs', 'failureLatencyMs', 'waitMs']),
  perSecond: new Set(),
}
const SHARES = new Set(['rate', 'rate429', 'low', 'high', 'shareOfQuota'])

/** Every figure that the schema holds. */
export function metricsOf(
  schema: z.ZodType,
  naming: Naming,
  byTag: boolean,
  path: readonly string[] = [],
): Metric[] {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([key, part]) =>
      metricsOf(part, naming, byTag, [...path, key]),
    )
  const isOpen = inner instanceof z.ZodRecord && unwrap(inner.valueType as z.ZodType) instanceof z.ZodNumber
  if (!isOpen && !(inner instanceof z.ZodNumber)) return []
  const metric = { path, unit: unitOf(path, naming), byTag, isOpen }
  return namesOf(path, naming).map((name) => ({ name, ...metric }))
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema
}

function unitOf(path: readonly string[], { milliseconds, perSecond }: Naming): Unit {
  const [first = '', last = ''] = [path[0], path.at(-1)]
  if (milliseconds.has(first)) return last === 'count' ? 'count' : 'milliseconds'
  if (perSecond.has(path.join('.'))) return 'perSecond'
  return SHARES.has(last) ? 'share' : 'count'
}

/** The short names first, then the one that the file shows. */
function namesOf(path: readonly string[], { short }: Naming): string[] {
  const full = path.join('.')
  const [first = '', ...rest] = path
  const names = [short[full] ?? short[first] ?? []].flat()
  const whole = short[full] === undefined ? names.map((name) => [name, ...rest].join('.')) : names
  return [...new Set([...whole, full])]
}

export const METRICS: readonly Metric[] = [
  ...metricsOf(figuresSchema, SUMMARY_NAMING, true),
  ...metricsOf(summarySchema.pick({ pacing: true }), SUMMARY_NAMING, false).filter(
    ({ path }) => path.length === 2,
  ),
]
