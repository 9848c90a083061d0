// `--sandbox`: an endpoint of our own on a free loopback port, as the target.
import { createSecret } from '../domain/secret.ts'
import { parseBaseUrl } from '../endpoint/address.ts'
import type { SandboxConfig } from '../sandbox/config.ts'
import { startSandbox } from '../sandbox/server.ts'
import { fingerprintOf } from './environment.ts'
import { keepSecret } from './output.ts'
import { knowledgeBaseAsBefore, knowledgeBaseHere } from './knowledge-base.ts'
import { SHIPPED_KNOWLEDGE_BASE } from './shipped.ts'
import type { Target } from './targets.ts'

/** What a sandbox answers from: `path` where it is not what the package ships. */
export interface SandboxArticles {
  readonly path: string | undefined
}

/**
 * `config`: absent for a sandbox without limits and faults. `before`: of a run that goes on, the articles that it was begun
 * with. Throws UsageError where they cannot be read.
 */
export async function startSandboxTarget(
  config?: SandboxConfig,
  before?: SandboxArticles,
): Promise<{
  target: Omit<Target, 'settings'>
  close: () => Promise<void>
}> {
  const knowledgeBase = await articlesOf(before)
  const sandbox = await startSandbox({
    knowledgeBase,
    ...(config === undefined ? {} : { config }),
  })
  const address = parseBaseUrl(sandbox.url, false)
  if (address.kind === 'refused') throw new Error(`the sandbox's own address ${address.reason}`)
  const key = createSecret(sandbox.apiKey, fingerprintOf(sandbox.apiKey))
  keepSecret(key)
  const { close } = sandbox
  // Two sandboxes on one machine are two organizations, whatever they are called.
  const organization = `${sandbox.organization} at ${address.origin}`
  return {
    target: {
      name: 'sandbox',
      address,
      key,
      organization,
      apiKeyEnv: '',
      sandbox: true,
      ...(knowledgeBase === SHIPPED_KNOWLEDGE_BASE ? {} : { knowledgeBase }),
    },
    close,
  }
}

async function articlesOf(before: SandboxArticles | undefined): Promise<string> {
  if (before === undefined) return knowledgeBaseHere()
  return before.path === undefined ? SHIPPED_KNOWLEDGE_BASE : knowledgeBaseAsBefore(before.path)
}
