// A value of an option as a config file or a program writes it: YAML and JavaScript have types of their own.
import type * as z from 'zod'
import type { OptionSpec } from './option-spec.ts'

/** The value's meaning; on failure the first issue says the mend, fit to stand behind the option's name. */
export const readWritten = (value: unknown, spec: OptionSpec): z.ZodSafeParseResult<unknown> =>
  spec.value.safeParse(asTyped(value, spec), { error: spec.kind === 'list' ? wordsOfItem : wordsOfType })

/** The schemas take what the command line could have held. */
function asTyped(value: unknown, { kind }: OptionSpec): unknown {
  const toText = (one: unknown): unknown => (typeof one === 'number' ? String(one) : one)
  if (kind === 'flag') return value
  if (kind === 'text') return toText(value)
  return (Array.isArray(value) ? value : [value]).map(toText)
}

const PLAIN: Readonly<Record<string, string>> = {
  number: 'must be a number',
  int: 'must be a whole number',
  array: 'must be a list',
  object: 'must hold keys, each with its value, as in { key: value }',
  record: 'must hold keys, each with its value, as in { key: value }',
}

/**
 * What is said of a value of another type, instead of the validator's own words. A text is not repeated where one is wanted:
 * it may be a key.
 */
export function wordsOfType({ code, expected, input }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'invalid_type' || input === undefined) return undefined
  if (expected === 'boolean') return `must be true or false, not ${excerpt(input)}`
  if (expected !== 'string') return PLAIN[expected]
  if (Array.isArray(input)) return 'must be one value, not a list'
  if (typeof input === 'object' && input !== null) return 'must be one value, not keys with values'
  if (typeof input === 'number') return 'must be text: put it in quotation marks'
  return `must be text or a number, not ${excerpt(input)}`
}

/** Of an option that takes several values: the place is not to be said to take but one. */
function wordsOfItem(issue: z.core.$ZodRawIssue): string | undefined {
  const { code, expected, input } = issue
  if (code !== 'invalid_type' || expected !== 'string' || typeof input !== 'object' || input === null)
    return wordsOfType(issue)
  return `must be one value or a list of values, not ${Array.isArray(input) ? 'lists in a list' : excerpt(input)}`
}

const LONGEST = 40

function excerpt(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'keys with values'
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
