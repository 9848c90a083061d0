// Values of a load test's options from text to meaning.
import * as z from 'zod'
import type { ThinkTime } from '../../domain/load/load-options.ts'
import { parseRate } from '../../pace/rate.ts'
import { anyCase, formedValue, writtenAs } from './form.ts'
import { DURATION, durationValue, KNOWN_RATE } from './time-values.ts'

const ARRIVAL_RATE = String.raw`(?:0+(?:\.0+)?\s*/\s*[A-Za-z]+|${KNOWN_RATE})`
const STAGE = String.raw`${DURATION}\s*:\s*${ARRIVAL_RATE}`
const TIME_OR_NONE = String.raw`(?:0+(?:\.0+)?\s*(?:ms|s|min|m|h)?|${DURATION})`
const ZERO = { const: 0 }

/** `2/s`, `90/min`, also `0/s`: threads a second; undefined for anything else. */
function readArrivalRate(text: string): number | undefined {
  if (/^0+(?:\.0+)?\s*\/\s*[a-z]+$/i.test(text.trim())) return 0
  const rate = parseRate(text)
  return rate?.kind === 'known' ? rate.perSecond : undefined
}

export const arrivalRateValue = formedValue(
  { text: ARRIVAL_RATE },
  'must be a rate of threads like 2/s, 90/min or 1000/h',
  readArrivalRate,
)

/** `30s:5/s,1m:5/s`: the rate goes to 5 a second within 30 s, from where it was, and stays there for a minute. */
export const stagesValue = writtenAs(
  z.array(z.string()).transform((texts, context) => {
    const stages = texts.flatMap((text) => text.split(',')).map(readStage)
    if (stages.every((one) => one !== undefined)) return stages
    context.addIssue('must be a time and a rate of threads, like 30s:5/s,1m:5/s')
    return z.NEVER
  }),
  { text: String.raw`${STAGE}(?:\s*,\s*${STAGE})*` },
)

function readStage(text: string): { readonly durationMs: number; readonly to: number } | undefined {
  const [, time = '', rate = ''] = /^([^:]+):([^:]+)$/.exec(text.trim()) ?? []
  const durationMs = durationValue.safeParse(time)
  const to = readArrivalRate(rate)
  return durationMs.success && to !== undefined ? { durationMs: durationMs.data, to } : undefined
}

/** A time that may be none: `0`, `0s`. */
function readTimeOrNone(text: string): number | undefined {
  if (/^0+(?:\.0+)?\s*(?:ms|s|min|m|h)?$/.test(text.trim())) return 0
  const ms = durationValue.safeParse(text)
  return ms.success ? ms.data : undefined
}

const TWO_TIMES = String.raw`\s*:\s*${TIME_OR_NONE}\s*:\s*${TIME_OR_NONE}`

export const thinkTimeValue = formedValue(
  {
    text: anyCase(String.raw`(?:constant\s*:\s*)?${TIME_OR_NONE}|(?:uniform|lognormal)${TWO_TIMES}`),
    number: ZERO,
  },
  'must be a time like 2s, two like uniform:1s:5s, or a median and a 95th percentile above it like lognormal:3s:10s',
  readThinkTime,
)

function readThinkTime(text: string): ThinkTime | undefined {
  const words = text
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
