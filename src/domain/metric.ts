// The figures of `summary.json` by the names that thresholds use.
import * as z from 'zod'
import { figuresSchema, summarySchema } from './summary.ts'

/** `share`: 0 to 1. */
export type Unit = 'share' | 'milliseconds' | 'count'

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

/** What thresholds call a part of the summary. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  latencyMs: 'latency',
  failureLatencyMs: 'failureLatency',
  waitMs: 'wait',
  'coverage.rate': 'coverage',
  'errors.rate': 'errors',
  'expectations.rate': 'passed',
  'pacing.rate429': 'rate429',
}
const SHARES = new Set(['rate', 'rate429', 'low', 'high', 'shareOfQuota'])
const MILLISECONDS = new Set(['latencyMs', 'failureLatencyMs', 'waitMs'])

function walk(schema: z.ZodType, path: readonly string[], byTag: boolean): Metric[] {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([key, part]) =>
      walk(part, [...path, key], byTag),
    )
  const isOpen = inner instanceof z.ZodRecord && unwrap(inner.valueType as z.ZodType) instanceof z.ZodNumber
  if (!isOpen && !(inner instanceof z.ZodNumber)) return []
  const metric = { path, unit: unitOf(path), byTag, isOpen }
  return namesOf(path).map((name) => ({ name, ...metric }))
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema
}

function unitOf(path: readonly string[]): Unit {
  const [first = '', last = ''] = [path[0], path.at(-1)]
  if (MILLISECONDS.has(first)) return last === 'count' ? 'count' : 'milliseconds'
  return SHARES.has(last) ? 'share' : 'count'
}

/** The short name first, then the one that `summary.json` shows. */
function namesOf(path: readonly string[]): string[] {
  const full = path.join('.')
  const [first = '', ...rest] = path
  const short =
    SHORT_NAMES[full] ?? (SHORT_NAMES[first] === undefined ? full : [SHORT_NAMES[first], ...rest].join('.'))
  return [...new Set([short, full])]
}

export const METRICS: readonly Metric[] = [
  ...walk(figuresSchema, [], true),
  ...walk(summarySchema.pick({ pacing: true }), [], false).filter(({ path }) => path.length === 2),
]
