// The sandbox for programs, and its config as a program or a file gives it.
import type * as z from 'zod'
import { sandboxConfigSchema, type SandboxConfig } from '../sandbox/config.ts'
import type { RunningSandbox } from '../sandbox/server.ts'
import { type CommandSettings, readOptions } from './options.ts'
import { resolveShipped, SHIPPED_KNOWLEDGE_BASE } from './shipped.ts'
import { messageOf, UsageError, type Issue } from './usage-error.ts'

/** As the sandbox's config file (`datasets/sandbox.yaml`). */
export type SandboxOptions = z.input<typeof sandboxConfigSchema>

export interface StartOptions extends CommandSettings<'sandbox'> {
  readonly config?: SandboxOptions | undefined
  /** Hears what happens in it; with `log`, each request, too. */
  readonly say?: ((line: string) => void) | undefined
}

/** A local Assist endpoint that keeps the whole contract, until it is closed. Rejects with UsageError where it cannot start. */
export async function startSandbox({
  config,
  say = () => undefined,
  ...written
}: StartOptions = {}): Promise<RunningSandbox> {
  const { host = '127.0.0.1', port = 8787, seed = 1, kb, log } = readOptions('sandbox', written)
  const { startSandbox: start } = await import('../sandbox/server.ts')
  return start({
    host,
    port,
    seed,
    knowledgeBase: kb === undefined ? SHIPPED_KNOWLEDGE_BASE : resolveShipped(kb, say),
    notice: say,
    log: log === true ? say : undefined,
    config: config && readConfig(config, 'config'),
  }).catch((error: unknown) => {
    throw new UsageError(`the sandbox cannot start: ${messageOf(error)}`)
  })
}

/** Of `run`: whether it starts one, and with which config. Throws UsageError. */
export const readSandbox = (value: unknown): boolean | SandboxConfig =>
  typeof value === 'boolean' ? value : readConfig(value, 'sandbox')

/** `where`: the file, or what holds the config. Throws UsageError with every fault. */
export function readConfig(value: unknown, where: string): SandboxConfig {
  const parsed = sandboxConfigSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new UsageError(
    parsed.error.issues.map((issue): Issue => ({
      path: '',
      message: [where, ...(issue.path.length === 0 ? [] : [issue.path.join('.')]), wordsOf(issue)].join(': '),
    })),
  )
}

const wordsOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'unrecognized_keys') return `unknown: ${issue.keys.join(', ')}`
  const { message } = issue
  return message.charAt(0).toLowerCase() + message.slice(1)
}
