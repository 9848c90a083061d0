// Starts a sandbox, for `startSandbox` and for a run that sends to one.
import type * as z from 'zod'
import { messageOf, optionError, UsageError } from '../options/faults.ts'
import { type CommandOptions, readOptions, withDefaults } from '../options/settings.ts'
import { type SandboxConfig, sandboxConfigSchema } from '../sandbox/config.ts'
import type { RunningSandbox, ServerOptions } from '../sandbox/server.ts'
import { resolveShipped, SHIPPED_KNOWLEDGE_BASE } from './ports.ts'

/** Has the form of the sandbox's config file (`datasets/sandbox.yaml`). */
export type SandboxOptions = z.input<typeof sandboxConfigSchema>

export interface StartOptions extends CommandOptions<'sandbox'> {
  readonly config?: SandboxOptions | undefined
  /** Names the config in errors. Defaults to `config`. */
  readonly configName?: string | undefined
  /** Is called with what happens in the sandbox. */
  readonly say?: ((line: string) => void) | undefined
}

export async function startSandbox(options: StartOptions = {}): Promise<RunningSandbox> {
  const { config, configName = 'config', say = () => undefined, ...written } = options
  const { port, kb } = withDefaults(readOptions('sandbox', written))
  return launch(kb, { port, notice: say, config: config && readConfig(config, configName) })
}

export async function launch(kb: string | undefined, options: ServerOptions) {
  const { port, notice = () => undefined } = options
  const knowledgeBase = kb === undefined ? SHIPPED_KNOWLEDGE_BASE : resolveShipped(kb, notice)
  const { startSandbox: start } = await import('../sandbox/server.ts')
  const { ArticlesError } = await import('../articles/read.ts')
  const started = await start({ ...options, knowledgeBase }).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof ArticlesError)
      throw optionError('kb', `${error.message}; name a folder of Markdown articles`)
    if (error.code === 'EADDRINUSE') throw optionError('port', `${port} is in use; choose another`)
    throw new UsageError(`the sandbox cannot start: ${messageOf(error)}`)
  })
  return { ...started, knowledgeBase }
}

/** Reads a config; `where` names it in messages. Throws UsageError with every fault. */
export function readConfig(value: unknown, where: string): SandboxConfig {
  const parsed = sandboxConfigSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new UsageError(
    parsed.error.issues.map((issue) => {
      const place = issue.path.length === 0 ? [] : [issue.path.join('.')]
      return { path: '', message: [where, ...place, describeZodIssue(issue)].join(': ') }
    }),
  )
}

function describeZodIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `unknown: ${issue.keys.join(', ')}`
  const message = issue.message.replace(
    /^Invalid discriminator value. Expected .+/,
    (list) => `must be one of ${list.match(/(?<=')[\w-]+(?=')/g)?.join(', ')}`,
  )
  return message.charAt(0).toLowerCase() + message.slice(1)
}
