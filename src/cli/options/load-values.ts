// Values of a load test's options from text to meaning.
import * as z from 'zod'
import type { ThinkTime } from '../../domain/load/load-options.ts'
import { parseRate } from '../../pace/rate.ts'
import { durationValue } from './values.ts'

/** `2/s`, `90/min`, also `0/s`: threads a second; undefined for anything else. */
function readArrivalRate(text: string): number | undefined {
  if (/^0+(?:\.0+)?\s*\/\s*[a-z]+$/.test(text.trim())) return 0
  const rate = parseRate(text)
  return rate?.kind === 'known' ? rate.perSecond : undefined
}

export const arrivalRateValue = z.string().transform((text, context) => {
  const rate = readArrivalRate(text)
  if (rate !== undefined) return rate
  context.addIssue('must be a rate of threads like 2/s, 90/min or 1000/h')
  return z.NEVER
})

/** `30s:5/s`: the rate goes to 5 a second within 30 s, from where it was. */
export const stagesValue = z.array(z.string()).transform((texts, context) => {
  const stages = texts.map(readStage)
  if (stages.every((one) => one !== undefined)) return stages
  context.addIssue('must be a time and a rate of threads, like 30s:5/s')
  return z.NEVER
})

function readStage(text: string): { readonly durationMs: number; readonly to: number } | undefined {
  const [, time = '', rate = ''] = /^([^:]+):([^:]+)$/.exec(text) ?? []
  const durationMs = durationValue.safeParse(time)
  const to = readArrivalRate(rate)
  return durationMs.success && to !== undefined ? { durationMs: durationMs.data, to } : undefined
}

/** A time that may be none: `0`, `0s`. */
export const timeOrNoneValue = z.string().transform((text, context) => {
  const ms = readTimeOrNone(text)
  if (ms !== undefined) return ms
  context.addIssue('must be a time like 10s or 2m, or 0 for none')
  return z.NEVER
})

function readTimeOrNone(text: string): number | undefined {
  if (/^0+(?:\.0+)?\s*(?:ms|s|min|m|h)?$/.test(text.trim())) return 0
  const ms = durationValue.safeParse(text)
  return ms.success ? ms.data : undefined
}

export const thinkTimeValue = z.string().transform((text, context): ThinkTime => {
  const thinkTime = readThinkTime(text)
  if (thinkTime !== undefined) return thinkTime
  context.addIssue(
    'must be a time like 2s, two like uniform:1s:5s, or a median and a 95th percentile above it like lognormal:3s:10s',
  )
  return z.NEVER
})

function readThinkTime(text: string): ThinkTime | undefined {
  const words = text
    .trim()
    .toLowerCase()
    .split(':')
    .map((word) => word.trim())
  const [kind = '', ...given] = words.length === 1 ? ['constant', ...words] : words
  const [first, second, ...more] = given.map(readTimeOrNone)
  if (first === undefined || more.length > 0) return undefined
  if (kind === 'constant' && given.length === 1) return { kind, ms: first }
  if (second === undefined) return undefined
  if (kind === 'uniform' && first <= second) return { kind, fromMs: first, toMs: second }
  if (kind === 'lognormal' && 0 < first && first < second) return { kind, medianMs: first, p95Ms: second }
  return undefined
}
