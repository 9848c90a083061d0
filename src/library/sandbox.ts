// The config of a sandbox as a program gives it.
import { sandboxConfigSchema, type SandboxConfig } from '../sandbox/config.ts'
import { describeFaults, wordsOfFault } from '../cli/sandbox-faults.ts'
import { UsageError } from './usage-error.ts'

/** Throws UsageError with every fault in it. */
export function readSandboxConfig(value: unknown): SandboxConfig {
  const parsed = sandboxConfigSchema.safeParse(value, { error: wordsOfFault })
  if (parsed.success) return parsed.data
  throw new UsageError(
    describeFaults(parsed.error.issues, value, { whole: 'sandbox', before: 'sandbox.' }).join('\n'),
  )
}
