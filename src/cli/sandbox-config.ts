// The sandbox's config file: YAML through the sandbox's own schema, every fault with its place.
import { sandboxConfigSchema, type SandboxConfig } from '../sandbox/config.ts'
import { readYaml } from './read-yaml.ts'
import { describeFaults, wordsOfFault } from './sandbox-faults.ts'
import { UsageError } from '../library/usage-error.ts'

/** Throws UsageError with every fault in the file, each on a line of its own. */
export function loadSandboxConfig(path: string): SandboxConfig {
  const value = readYaml(path) ?? {}
  const parsed = sandboxConfigSchema.safeParse(value, { error: wordsOfFault })
  if (parsed.success) return parsed.data
  const faults = describeFaults(parsed.error.issues, value, { whole: 'the file', before: '' })
  throw new UsageError(faults.map((fault) => `${path}: ${fault}`).join('\n'))
}
