// What is wrong with a sandbox's config, each fault with its place, in our words instead of the validator's.
import * as z from 'zod'
import { sandboxConfigSchema } from '../sandbox/config.ts'
import { didYouMean } from '../library/suggest.ts'

/** What is said of a value, fit to stand behind its place; the schema's own words go before. */
export function wordsOfFault(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : PLAIN[issue.expected]
    case 'too_small':
      return issue.origin === 'number'
        ? `must be ${issue.inclusive === true ? `${issue.minimum} or more` : `above ${issue.minimum}`}`
        : 'must not be empty'
    case 'too_big':
      return `must be ${issue.inclusive === true ? `${issue.maximum} or less` : `below ${issue.maximum}`}`
    case 'invalid_key':
      return 'a name must not be empty'
    case 'invalid_union':
      return Array.isArray(issue['options']) ? `must be one of ${issue['options'].join(', ')}` : undefined
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_value':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return undefined
  }
}

const PLAIN: Readonly<Record<string, string>> = {
  boolean: 'must be true or false',
  number: 'must be a number',
  int: 'must be a whole number',
  string: 'must be text',
  array: 'must be a list',
  object: 'must hold keys, each with its value, as in { key: value }',
  record: 'must hold keys, each with its value, as in { key: value }',
}

interface Place {
  /** What is called at fault where all of it is. */
  readonly whole: string
  /** Before each place. */
  readonly before: string
}

export function describeFaults(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  { whole, before }: Place,
): string[] {
  return issues.flatMap((issue) => {
    // A name that is empty is told at what holds it.
    const place = issue.path.map(String).join('.').replace(/\.$/, '')
    if (issue.code !== 'unrecognized_keys')
      return [`${place === '' ? whole : before + place}: ${issue.message}`]
    const schema = z.toJSONSchema(sandboxConfigSchema, { io: 'input', unrepresentable: 'any' })
    const known = keysAt(schema as Schema, issue.path, value)
    return issue.keys.map(
      (key) => `${before}${place === '' ? '' : `${place}.`}${key} is unknown${didYouMean(key, known)}`,
    )
  })
}

/** As much of JSON Schema as the config needs. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly const?: unknown
}

/** The keys allowed at a place of the file, where what the file has there decides between kinds. */
function keysAt(schema: Schema, path: readonly PropertyKey[], value: unknown): string[] {
  const kinds = schema.oneOf ?? schema.anyOf
  if (kinds !== undefined) {
    const kind = inside(value, 'kind')
    const fitting = kinds.filter((one) => one.properties?.['kind']?.const === kind)
    return fitting.flatMap((one) => keysAt(one, path, value))
  }
  const [step, ...rest] = path
  if (step === undefined) return Object.keys(schema.properties ?? {})
  const next = schema.properties?.[String(step)] ?? schema.items ?? schema.additionalProperties
  return typeof next === 'object' ? keysAt(next, rest, inside(value, step)) : []
}

const inside = (value: unknown, step: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[step] : undefined
