// The sandbox's config file: YAML through the sandbox's own schema, every fault with its place.
import { z } from 'zod'
import { sandboxConfigSchema, type SandboxConfig } from '../sandbox/config.ts'
import { readYaml } from './config.ts'
import { didYouMean } from './suggest.ts'
import { UsageError } from './usage-error.ts'

/** Throws UsageError with every fault in the file. */
export function loadSandboxConfig(path: string): SandboxConfig {
  const parsed = sandboxConfigSchema.safeParse(readYaml(path) ?? {})
  if (parsed.success) return parsed.data
  throw new UsageError(parsed.error.issues.map((issue) => `${path}: ${describe(issue)}`).join('\n'))
}

function describe(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String).join('.')
  if (issue.code !== 'unrecognized_keys') return `${place || 'the file'}: ${issue.message}`
  const known = [...keysOf(z.toJSONSchema(sandboxConfigSchema, { io: 'input', unrepresentable: 'any' }))]
  return issue.keys
    .map((key) => `${place === '' ? '' : `${place}.`}${key} is unknown${didYouMean(key, known)}`)
    .join('\n')
}

/** Names of all properties, however deep. */
function* keysOf(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') yield* Object.keys(value as object)
    yield* keysOf(value)
  }
}
