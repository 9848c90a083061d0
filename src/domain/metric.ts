// The figures of `summary.json` and `load.json` by the names that thresholds use.
import * as z from 'zod'
import { loadFiguresSchema } from './load.ts'
import { figuresSchema, summarySchema } from './summary.ts'

/** `share`: 0 to 1. */
export type Unit = 'share' | 'milliseconds' | 'count' | 'perSecond'

export interface Metric {
  /** As a threshold names it: `coverage`, `latency.p95`, `turns.answered`. */
  readonly name: string
  /** Its path in the file, or in the figures of a tag. */
  readonly path: readonly string[]
  readonly unit: Unit
  readonly byTag: boolean
  /** Counts by values that the endpoint chooses. A value that never occurred counts 0. */
  readonly isOpen: boolean
}

/** Short names of a figure, by its path, or of a group, by its first word. */
type ShortNames = Readonly<Record<string, readonly string[]>>

/** Every number of the schema, by its short names and by its path. */
function metricsOf(
  schema: z.ZodType,
  short: ShortNames,
  byTag: boolean,
  path: readonly string[] = [],
): Metric[] {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([key, part]) =>
      metricsOf(part, short, byTag, [...path, key]),
    )
  const isOpen = inner instanceof z.ZodRecord
  if (!isOpen && !(inner instanceof z.ZodNumber)) return []
  const [full, [first = '', ...rest]] = [path.join('.'), path]
  const names = short[full] ?? (short[first] ?? []).map((name) => [name, ...rest].join('.'))
  const metric = { path, unit: unitOf(path), byTag, isOpen }
  return [...new Set([...names, full])].map((name) => ({ name, ...metric }))
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema
}

const RATES = new Set(['offered.rate', 'achieved.rate'])
const SHARES = new Set(['rate', 'rate429', 'low', 'high', 'shareOfQuota'])

/** By naming convention: groups of times end in `Ms`, rates in `PerSecond`. */
function unitOf(path: readonly string[]): Unit {
  const [first = '', last = ''] = [path[0], path.at(-1)]
  if (first.endsWith('Ms')) return last === 'count' ? 'count' : 'milliseconds'
  if (last.endsWith('PerSecond') || RATES.has(path.join('.'))) return 'perSecond'
  return SHARES.has(last) ? 'share' : 'count'
}

const SHORT: ShortNames = {
  latencyMs: ['latency'],
  failureLatencyMs: ['failureLatency'],
  waitMs: ['wait'],
  'coverage.rate': ['coverage', 'grounded'],
  'errors.rate': ['errors'],
  'expectations.rate': ['passed'],
  'pacing.rate429': ['rate429'],
}

export const METRICS: readonly Metric[] = [
  ...metricsOf(figuresSchema, SHORT, true),
  ...metricsOf(summarySchema.shape.pacing.pick({ rate429: true, rateLimited: true }), SHORT, false, [
    'pacing',
  ]),
]

export const LOAD_METRICS: readonly Metric[] = metricsOf(
  loadFiguresSchema,
  {
    // As in a run, latency is service time.
    serviceMs: ['service', 'latency'],
    responseMs: ['response'],
    waitMs: ['wait'],
    sendLagMs: ['lag'],
    'dropped.threads': ['dropped'],
    'coverage.rate': ['coverage', 'grounded'],
    'errors.rate': ['errors'],
    'pacing.rate429': ['rate429'],
  },
  false,
)
