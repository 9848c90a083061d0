// `--sandbox`: an endpoint of our own on a free loopback port, as the target.
import { createSecret } from '../domain/secret.ts'
import { parseBaseUrl } from '../endpoint/address.ts'
import type { SandboxConfig } from '../sandbox/config.ts'
import { startSandbox } from '../sandbox/server.ts'
import { fingerprintOf } from './environment.ts'
import { keepSecret } from './output.ts'
import { knowledgeBaseAsBefore, knowledgeBaseAt } from './knowledge-base.ts'
import { SHIPPED_KNOWLEDGE_BASE } from './shipped.ts'
import type { Target } from './targets.ts'

/** What a sandbox answers from: `kb` as it was given, or `before`, where the articles of a run that resumes are. */
export type SandboxArticles = { readonly kb: string | undefined } | { readonly before: string }

/**
 * `config`: absent for a sandbox without limits and faults. Throws UsageError where the articles cannot be read.
 */
export async function startSandboxTarget(
  articles: SandboxArticles,
  config?: SandboxConfig,
): Promise<{
  target: Omit<Target, 'settings'>
  close: () => Promise<void>
}> {
  const knowledgeBase = await ('before' in articles
    ? knowledgeBaseAsBefore(articles.before)
    : knowledgeBaseAt(articles.kb))
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
