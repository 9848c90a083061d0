// The config of a sandbox as a program gives it.
import { sandboxConfigSchema, type SandboxConfig } from '../sandbox/config.ts'
import { wordsOfType } from '../cli/options/written-value.ts'
import { UsageError } from '../cli/usage-error.ts'

/** Throws UsageError with every fault in it. */
export function readSandboxConfig(value: unknown): SandboxConfig {
  const parsed = sandboxConfigSchema.safeParse(value, { error: wordsOfType })
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => `sandbox.${path.join('.')}: ${message}`)
  throw new UsageError(faults.join('\n'))
}
