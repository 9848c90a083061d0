// Starts a sandbox for one test, with a plain client.
import { afterEach } from 'vitest'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { startSandbox, type RunningSandbox, type ServerOptions } from '../../src/sandbox/server.ts'

export const KNOWLEDGE_BASE = fileURLToPath(new URL('fixtures/knowledge-base', import.meta.url))

export type ConfigInput = z.input<typeof sandboxConfigSchema>
type Options = Omit<ServerOptions, 'config'> & { readonly config?: ConfigInput }

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // Tests read bodies of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export type Client = Awaited<ReturnType<typeof startClient>>

const running: RunningSandbox[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (sandbox) => sandbox.close()))
})

/** Closes after the test. */
export async function startClient({ config, ...options }: Options = {}) {
  const sandbox = await startSandbox({
    knowledgeBase: KNOWLEDGE_BASE,
    ...options,
    config: sandboxConfigSchema.parse(config ?? {}),
  })
  running.push(sandbox)
  const call = async (method: string, path: string, init: RequestInit = {}): Promise<Reply> => {
    const response = await fetch(sandbox.url + path, { redirect: 'manual', ...init, method })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }
  return {
    ...sandbox,
    call,
    /** Sends an Assist request with the first key or the given one; `key: null` sends none. */
    ask: async (
      body: unknown,
      { key = sandbox.apiKey, headers = {} }: { key?: string | null; headers?: Record<string, string> } = {},
    ) =>
      call('POST', '/api/v1/assist', {
        headers: {
          'content-type': 'application/json',
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...headers,
        },
        body:
          typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      }),
    admin: async (method: string, path: string) =>
      call(method, path, { headers: { authorization: `Bearer ${sandbox.adminKey}` } }),
  }
}

export const VPN = 'How do I set up the VPN?'

/** Two organizations, and a key without the scope. */
export const TWO_ORGANIZATIONS = {
  organizations: {
    acme: {
      keys: [{ key: 'acme-key' }, { key: 'acme-no-scope', scopes: ['tickets.read'] }, { key: 'acme-second' }],
    },
    globex: { keys: [{ key: 'globex-key' }] },
  },
} satisfies ConfigInput
