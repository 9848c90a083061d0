// Option values from text to meaning. The same schemas read the command line and the config file.
import * as z from 'zod'
import { FORMAT_NAMES } from '../../dataset/formats.ts'
import { GATE_RULES, type GateRule } from '../../domain/comparison/rules.ts'
import { namesUnknownFigure, readThreshold } from '../read-threshold.ts'
import { parseShard } from '../shard.ts'
import { didYouMean } from '../suggest.ts'
import { proposing } from './choice.ts'
import { anyCase, formedValue, writtenAs } from './form.ts'
import { NOT_ZERO } from './ranges.ts'

/** Kept as it is understood, `2/4`; `parseShard` gives its meaning again. */
export const shardValue = formedValue(
  { text: String.raw`${NOT_ZERO}\d{1,5}\s*/\s*${NOT_ZERO}\d{1,5}` },
  'must be a part of a whole, counted from 1, like 1/4, 2/4, 3/4 and 4/4',
  (text) => {
    const shard = parseShard(text)
    return shard && `${shard.index}/${shard.of}`
  },
)

export const textValue = formedValue(
  { text: String.raw`\S[\s\S]*`, number: { type: 'number' } },
  'must not be empty',
  (text) => text,
)

/** An environment variable's name; a pasted key is no such thing, and is not repeated. */
export const variableValue = formedValue(
  { text: '[A-Za-z_][A-Za-z0-9_]{0,99}' },
  'must be the name of an environment variable (a key is never an argument)',
  (text) => text,
)

export const patternValue = z.string().transform((text, context) => {
  try {
    return new RegExp(text, 'iu').source
  } catch (error) {
    context.addIssue(`must be a regular expression: ${error instanceof Error ? error.message : 'it is not'}`)
    return z.NEVER
  }
})

const listOf = (item: string): string => String.raw`${item}(?:\s*,\s*${item})*`

export const wordsValue = writtenAs(
  z.array(z.string()).transform((texts, context) => {
    const words = texts.flatMap((text) => text.split(',')).map((word) => word.trim())
    if (words.length > 0 && words.every((word) => word !== '')) return words
    context.addIssue('must be one or more values, separated by commas')
    return z.NEVER
  }),
  { text: listOf(String.raw`[^,\s](?:[^,]*[^,\s])?`), number: { type: 'number' } },
)

export const formatValue = proposing(
  writtenAs(
    z.string().transform((text, context) => {
      const name = text.trim().toLowerCase()
      if (FORMAT_NAMES.includes(name)) return name
      context.addIssue(`must be one of ${FORMAT_NAMES.join(', ')}${didYouMean(name, FORMAT_NAMES)}`)
      return z.NEVER
    }),
    { text: anyCase(FORMAT_NAMES.join('|')) },
  ),
  FORMAT_NAMES,
)

/** Kept as written; what it means is decided by the figures and the set: a run and a load test have other figures. */
export const thresholdsValue = writtenAs(
  z.array(z.string()).transform((texts, context) => {
    const fault = texts
      .filter((text) => !namesUnknownFigure(text))
      .map(readThreshold)
      .find((one) => typeof one === 'string')
    if (fault === undefined) return texts.map((text) => text.trim())
    context.addIssue(fault)
    return z.NEVER
  }),
  { text: String.raw`[\s\S]*` },
)

const NONE = 'none'
const RULES_OR_NONE = [...GATE_RULES, NONE]

export const rulesValue = proposing(
  writtenAs(
    z.array(z.string()).transform((texts, context): GateRule[] => {
      const words = texts.flatMap((text) => text.split(',')).map((word) => word.trim().toLowerCase())
      const unknown = words.find((word) => word !== NONE && !isRule(word))
      if (unknown === undefined && words.length > 0 && (words.length === 1 || !words.includes(NONE)))
        return GATE_RULES.filter((rule) => words.includes(rule))
      context.addIssue(
        unknown === undefined
          ? 'must be none alone, or one or more rules separated by commas'
          : `must be one or more of ${GATE_RULES.join(', ')}, or none${didYouMean(unknown, RULES_OR_NONE)}`,
      )
      return z.NEVER
    }),
    { text: listOf(`(?:${anyCase(RULES_OR_NONE.join('|'))})`) },
  ),
  RULES_OR_NONE,
)
const isRule = (word: string): boolean => (GATE_RULES as readonly string[]).includes(word)

export const textsValue = writtenAs(z.array(textValue), {
  text: String.raw`\S[\s\S]*`,
  number: { type: 'number' },
})
/** One at least. */
export const namesValue = writtenAs(z.array(textValue).min(1, 'must name one or more, or be left out'), {
  text: String.raw`\S[\s\S]*`,
  number: { type: 'number' },
})
export const flagValue = z.boolean()
