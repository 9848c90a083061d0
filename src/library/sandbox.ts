// `startSandbox`, and the check of a sandbox config.
import type * as z from 'zod'
import { messageOf, optionError, UsageError } from '../options/faults.ts'
import { type CommandOptions, readOptions, withDefaults } from '../options/settings.ts'
import { type SandboxConfig, sandboxConfigSchema } from '../sandbox/config.ts'
import type { RunningSandbox } from '../sandbox/server.ts'
import { resolveShipped, SHIPPED_KNOWLEDGE_BASE } from './shipped.ts'

export type { RunningSandbox }

/** It has the form of the sandbox's config file (`datasets/sandbox.yaml`). */
export type SandboxOptions = z.input<typeof sandboxConfigSchema>

export interface StartOptions extends CommandOptions<'sandbox'> {
  readonly config?: SandboxOptions | undefined
  /** Names the config in errors. Default: `config`. */
  readonly configName?: string | undefined
  /** Called with what happens in the sandbox. */
  readonly say?: ((line: string) => void) | undefined
}

export async function startSandbox(options: StartOptions = {}): Promise<RunningSandbox> {
  const { config, configName = 'config', say = () => undefined, ...written } = options
  const { port, kb } = withDefaults(readOptions('sandbox', written))
  const { startSandbox: start } = await import('../sandbox/server.ts')
  return start({
    port,
    knowledgeBase: kb === undefined ? SHIPPED_KNOWLEDGE_BASE : resolveShipped(kb, say),
    notice: say,
    config: config && readConfig(config, configName),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw optionError('port', `${port} is in use; choose another`)
    throw new UsageError(`the sandbox cannot start: ${messageOf(error)}`)
  })
}

export const readSandbox = (value: unknown): boolean | SandboxConfig =>
  typeof value === 'boolean' ? value : readConfig(value, 'sandbox')

/** `where` names the file or option in messages. Throws UsageError with every fault. */
export function readConfig(value: unknown, where: string): SandboxConfig {
  const parsed = sandboxConfigSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new UsageError(
    parsed.error.issues.map((issue) => ({
      path: '',
      message: [
        where,
        ...(issue.path.length === 0 ? [] : [issue.path.join('.')]),
        describeZodIssue(issue),
      ].join(': '),
    })),
  )
}

const describeZodIssue = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'unrecognized_keys') return `unknown: ${issue.keys.join(', ')}`
  const message = issue.message.replace(
    /^Invalid discriminator value. Expected .+/,
    (list) => `must be one of ${list.match(/(?<=')[\w-]+(?=')/g)?.join(', ')}`,
  )
  return message.charAt(0).toLowerCase() + message.slice(1)
}
