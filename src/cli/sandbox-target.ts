// `--sandbox`: an endpoint of our own on a free loopback port, with the shipped knowledge base, as the target.
import { createSecret } from '../domain/secret.ts'
import { parseBaseUrl } from '../endpoint/address.ts'
import type { SandboxConfig } from '../sandbox/config.ts'
import { startSandbox } from '../sandbox/server.ts'
import { fingerprintOf } from './environment.ts'
import { keepSecret } from './output.ts'
import { SHIPPED_KNOWLEDGE_BASE } from './shipped.ts'
import type { Target } from './targets.ts'

/** `config`: absent for a sandbox without limits and faults. */
export async function startSandboxTarget(config?: SandboxConfig): Promise<{
  target: Omit<Target, 'settings'>
  close: () => Promise<void>
}> {
  const sandbox = await startSandbox({
    knowledgeBase: SHIPPED_KNOWLEDGE_BASE,
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
    target: { name: 'sandbox', address, key, organization, apiKeyEnv: '', sandbox: true },
    close,
  }
}
