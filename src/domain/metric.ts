// The figures of `summary.json` and `load.json` by the names that thresholds use.
import * as z from 'zod'
import type { Unit } from './format.ts'
import { loadFiguresSchema } from './load.ts'
import { articlesSchema, figuresSchema, unsupportedSchema } from './summary.ts'

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
