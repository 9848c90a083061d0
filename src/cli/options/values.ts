// Option values from text to meaning. The same schemas read the command line and the config file.
import * as z from 'zod'
import { FORMAT_NAMES } from '../../dataset/formats.ts'
import { GATE_RULES, type GateRule } from '../../domain/comparison/rules.ts'
import { parseRate } from '../../pace/rate.ts'
import { namesUnknownFigure, readThreshold } from '../read-threshold.ts'
import { parseShard } from '../shard.ts'
import { didYouMean } from '../suggest.ts'
import { proposing } from './choice.ts'

const UNITS = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 } as const

/** `30s`, `2m`, `500ms`, `1h`: milliseconds. */
export const durationValue = z.string().transform((text, context) => {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|min|m|h)$/.exec(text.trim()) ?? []
  const ms = Number(number) * UNITS[(unit ?? 's') as keyof typeof UNITS]
  if (number !== undefined && ms > 0 && ms <= LONGEST_MS) return ms
  context.addIssue('must be a time like 30s, 2m or 1h')
  return z.NEVER
})
/** Node's timers overflow beyond 2^31 ms. */
const LONGEST_MS = 2 ** 31 - 1

export const countValue = z.string().transform((text, context) => {
  const count = Number(text.trim())
  if (/^\d{1,15}$/.test(text.trim()) && count > 0) return count
  context.addIssue('must be a whole number from 1 on')
  return z.NEVER
})

/** `2`, `0.5`: above 0. */
export const amountValue = z.string().transform((text, context) => {
  const amount = Number(text.trim())
  if (/^\d{0,9}(?:\.\d{1,6})?$/.test(text.trim()) && amount > 0) return amount
  context.addIssue('must be a number above 0, like 2 or 0.5')
  return z.NEVER
})

export const seedValue = z.string().transform((text, context) => {
  if (/^\d{1,9}$/.test(text.trim())) return Number(text.trim())
  context.addIssue('must be a whole number of at most 9 digits')
  return z.NEVER
})

/** Kept as it is understood, `2/4`; `parseShard` gives its meaning again. */
export const shardValue = z.string().transform((text, context) => {
  const shard = parseShard(text)
  if (shard !== undefined) return `${shard.index}/${shard.of}`
  context.addIssue('must be a part of a whole, counted from 1, like 1/4, 2/4, 3/4 and 4/4')
  return z.NEVER
})

export const concurrencyValue = z.string().transform((text, context) => {
  const word = text.trim()
  const count = Number(word)
  if (word === 'auto') return 'auto' as const
  if (/^\d{1,5}$/.test(word) && count >= 1 && count <= MOST_CONCURRENT) return count
  context.addIssue(`must be auto or a whole number from 1 to ${MOST_CONCURRENT}`)
  return z.NEVER
})
/** More connections to one origin than a process has file descriptors for would only fail later. */
const MOST_CONCURRENT = 1024

/** Kept as typed: the manifest shows it; `parseRate` gives its meaning again. */
export const rateValue = z.string().transform((text, context) => {
  if (parseRate(text) !== undefined) return text.trim().toLowerCase()
  context.addIssue('must be auto, unlimited, or a rate like 60/min, 5/s, 1000/h')
  return z.NEVER
})

export const knownRateValue = z.string().transform((text, context) => {
  if (parseRate(text)?.kind === 'known') return text.trim().toLowerCase()
  context.addIssue('must be a rate like 60/min, 5/s, 1000/h')
  return z.NEVER
})

export const shareValue = z.string().transform((text, context) => {
  const share = Number(text.trim())
  if (/^\d*\.?\d+$/.test(text.trim()) && share > 0 && share <= 1) return share
  context.addIssue('must be a number above 0 and up to 1, like 0.5')
  return z.NEVER
})

export const textValue = z.string().transform((text, context) => {
  if (text.trim() !== '') return text.trim()
  context.addIssue('must not be empty')
  return z.NEVER
})

/** An environment variable's name; a pasted key is no such thing, and is not repeated. */
export const variableValue = z.string().transform((text, context) => {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(text.trim())) return text.trim()
  context.addIssue('must be the name of an environment variable (a key is never an argument)')
  return z.NEVER
})

export const patternValue = z.string().transform((text, context) => {
  try {
    return new RegExp(text, 'iu').source
  } catch (error) {
    context.addIssue(`must be a regular expression: ${error instanceof Error ? error.message : 'it is not'}`)
    return z.NEVER
  }
})

export const wordsValue = z.array(z.string()).transform((texts, context) => {
  const words = texts.flatMap((text) => text.split(',')).map((word) => word.trim())
  if (words.length > 0 && words.every((word) => word !== '')) return words
  context.addIssue('must be one or more values, separated by commas')
  return z.NEVER
})

export const formatValue = proposing(
  z.string().transform((text, context) => {
    const name = text.trim().toLowerCase()
    if (FORMAT_NAMES.includes(name)) return name
    context.addIssue(`must be one of ${FORMAT_NAMES.join(', ')}${didYouMean(name, FORMAT_NAMES)}`)
    return z.NEVER
  }),
  FORMAT_NAMES,
)

/** Kept as written; what it means is decided by the figures and the set: a run and a load test have other figures. */
export const thresholdsValue = z.array(z.string()).transform((texts, context) => {
  const fault = texts
    .filter((text) => !namesUnknownFigure(text))
    .map(readThreshold)
    .find((one) => typeof one === 'string')
  if (fault === undefined) return texts.map((text) => text.trim())
  context.addIssue(fault)
  return z.NEVER
})

/** A count or a percentage, kept as written. */
export const allowanceValue = z.string().transform((text, context) => {
  const word = text.trim()
  const number = Number(word.replace(/%$/, ''))
  if (/^\d{1,15}$/.test(word) || (/^\d+(\.\d+)?%$/.test(word) && number <= 100)) return word
  context.addIssue('must be a whole number of turns or a percentage, like 3 or 2%')
  return z.NEVER
})

export const confirmValue = z.string().transform((text, context) => {
  if (/^\d{1,2}$/.test(text.trim())) return Number(text.trim())
  context.addIssue('must be a whole number from 0 to 99')
  return z.NEVER
})

export const levelValue = z.string().transform((text, context) => {
  const level = Number(text.trim())
  if (/^\d*\.?\d+$/.test(text.trim()) && level > 0 && level < 1) return level
  context.addIssue('must be a number between 0 and 1, like 0.05')
  return z.NEVER
})

/** Percentage points, as a share: `2`, `2%`. */
export const pointsValue = z.string().transform((text, context) => {
  const [, points] = /^(\d+(?:\.\d+)?)\s*%?$/.exec(text.trim()) ?? []
  if (points !== undefined && Number(points) <= 100) return Number(points) / 100
  context.addIssue('must be a number of percentage points, like 2 or 0.5')
  return z.NEVER
})

/** `80%`, `0.8`. */
export const shareOfAllValue = z.string().transform((text, context) => {
  const [, number, percent] = /^(\d*\.?\d+)\s*(%)?$/.exec(text.trim()) ?? []
  const share = Number(number) / (percent === undefined ? 1 : 100)
  if (number !== undefined && share >= 0 && share <= 1) return share
  context.addIssue('must be a share, like 80% or 0.8')
  return z.NEVER
})

export const rulesValue = proposing(
  z.array(z.string()).transform((texts, context): GateRule[] => {
    const words = texts.flatMap((text) => text.split(',')).map((word) => word.trim().toLowerCase())
    const unknown = words.find((word) => word !== 'none' && !isRule(word))
    if (unknown === undefined && words.length > 0 && (words.length === 1 || !words.includes('none')))
      return GATE_RULES.filter((rule) => words.includes(rule))
    context.addIssue(
      unknown === undefined
        ? 'must be none alone, or one or more rules separated by commas'
        : `must be one or more of ${GATE_RULES.join(', ')}, or none${didYouMean(unknown, [...GATE_RULES, 'none'])}`,
    )
    return z.NEVER
  }),
  [...GATE_RULES, 'none'],
)
const isRule = (word: string): boolean => (GATE_RULES as readonly string[]).includes(word)

export const textsValue = z.array(textValue)
export const flagValue = z.boolean()
