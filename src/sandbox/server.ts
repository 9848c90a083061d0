// Starts the sandbox: reads the knowledge base, opens the desk, listens.
import { adminRoutes } from './admin.ts'
import { assist } from './assist.ts'
import { sandboxConfigSchema, type SandboxConfig } from './config.ts'
import { openApi } from './openapi.ts'
import { ASSIST_PATH } from './contract.ts'
import { openDesk, type Desk } from './desk.ts'
import { isSameKey, makeKey } from './keys.ts'
import { openLibrary } from './knowledge/library.ts'
import { memoryStore } from './ledger.ts'
import { firstKey, organizationsOf } from './keys.ts'
import { makeAnswer } from './serving/route.ts'
import { atOnce, jsonForm } from './serving/listen.ts'
import { listen } from './serving/listen.ts'
import type { Route } from './serving/route.ts'

export interface SandboxOptions {
  /** Default: loopback, 127.0.0.1. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** Default: no limit, no latency, no fault, and one organization with a key made now. */
  readonly config?: SandboxConfig
  /** Folder of Markdown articles. Without one every reply is model-only. */
  readonly knowledgeBase?: string
  /** Of everything random: faults, latency, foreign traffic. */
  readonly seed?: number
  /** Reload the knowledge base when it changes. */
  readonly watch?: boolean
  /** Gets a line a request. */
  readonly log?: (line: string) => void
  /** Gets what else is worth knowing: a knowledge base reloaded, a fault of our own. */
  readonly notice?: (line: string) => void
  /** Milliseconds since the Unix epoch. */
  readonly clock?: () => number
}

export interface RunningSandbox {
  /** Origin, without a slash at the end. */
  readonly url: string
  /** The first organization's first key that may use Assist. */
  readonly apiKey: string
  readonly adminKey: string
  readonly organization: string
  /** Ends every connection, busy ones too. */
  readonly close: () => Promise<void>
}

/** Throws where the knowledge base cannot be read, or the port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const { host = '127.0.0.1', port = 0, seed = 1, clock = Date.now, log = () => {}, notice = log } = options
  const config = options.config ?? sandboxConfigSchema.parse({})
  const organizations = organizationsOf(config)
  const adminKey = config.adminKey ?? makeKey('admin')
  const { relevance } = config.assistant
  const library = await openLibrary({
    path: options.knowledgeBase,
    relevance,
    watch: options.watch ?? false,
    log: notice,
  })
  try {
    const desk = openDesk({ config, organizations, store: memoryStore(), clock, seed, ask: library.ask })
    const routes = routesOf(desk, adminKey)
    const server = await listen(host, port, config.maxBodyBytes, makeAnswer({ routes, clock, log, notice }))
    return {
      url: server.url,
      adminKey,
      ...firstKey(organizations),
      async close() {
        await server.close()
        await library.close()
      },
    }
  } catch (error) {
    await library.close()
    throw error
  }
}

function routesOf(desk: Desk, adminKey: string): Route[] {
  return [
    { method: 'POST', path: ASSIST_PATH, handle: (call) => assist(desk, call) },
    {
      method: 'GET',
      path: '/openapi.json',
      handle: ({ headers }) =>
        atOnce(jsonForm(200, openApi(`http://${headers.host}`, desk.config.maxMessageLength))),
    },
    ...adminRoutes(desk, (key) => isSameKey(key, adminKey)),
  ]
}
