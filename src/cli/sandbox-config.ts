// The sandbox's config file: YAML through the sandbox's own schema, every fault with its place.
import * as z from 'zod'
import { sandboxConfigSchema, type SandboxConfig } from '../sandbox/config.ts'
import { wordsOfType } from './options/written-value.ts'
import { readYaml } from './read-yaml.ts'
import { didYouMean } from './suggest.ts'
import { UsageError } from './usage-error.ts'

/** Throws UsageError with every fault in the file, each on a line of its own. */
export function loadSandboxConfig(path: string): SandboxConfig {
  const value = readYaml(path) ?? {}
  const parsed = sandboxConfigSchema.safeParse(value, { error: wordsOfType })
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.flatMap((issue) => describe(issue, value))
  throw new UsageError(faults.map((fault) => `${path}: ${fault}`).join('\n'))
}

function describe(issue: z.core.$ZodIssue, value: unknown): string[] {
  const place = issue.path.map(String).join('.')
  if (issue.code !== 'unrecognized_keys') return [`${place || 'the file'}: ${issue.message}`]
  const schema = z.toJSONSchema(sandboxConfigSchema, { io: 'input', unrepresentable: 'any' })
  const known = keysAt(schema as Schema, issue.path, value)
  return issue.keys.map(
    (key) => `${place === '' ? '' : `${place}.`}${key} is unknown${didYouMean(key, known)}`,
  )
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
