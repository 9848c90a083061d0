// Starts the sandbox: reads the knowledge base, opens the desk, listens.
import { adminRoutes } from './admin.ts'
import { assist } from './assist.ts'
import { sandboxConfigSchema, type SandboxConfig } from './config.ts'
import { ASSIST_PATH } from './contract.ts'
import { openDesk } from './desk.ts'
import { isSameKey, makeKey, firstKey, organizationsOf } from './keys.ts'
import { openLibrary } from './knowledge/library.ts'
import { memoryStore } from './ledger.ts'
import { makeAnswer } from './serving/route.ts'
import { listen, type IncomingCall } from './serving/listen.ts'

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
  const ask = await openLibrary(options.knowledgeBase, config.assistant.relevance, notice)
  const desk = openDesk({ config, organizations, store: memoryStore(), clock, seed, ask })
  const routes = [
    { method: 'POST' as const, path: ASSIST_PATH, handle: (call: IncomingCall) => assist(desk, call) },
    ...adminRoutes(desk, (key) => isSameKey(key, adminKey)),
  ]
  const answer = makeAnswer({ routes, clock, log, notice })
  const { url, close } = await listen(host, port, config.maxBodyBytes, answer)
  return { url, adminKey, ...firstKey(organizations), close }
}
