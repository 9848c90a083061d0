// Starts the sandbox: loads the knowledge base, sets up the desk, listens.
import { adminRoutes } from './admin.ts'
import { assist } from './assist.ts'
import { sandboxConfigSchema, type SandboxConfig } from './config.ts'
import { ASSIST_PATH, ASSIST_SCOPE } from './contract.ts'
import { openDesk, withKeys } from './desk.ts'
import { listen, type HttpRoute } from './http.ts'
import { openAssistant } from './assistant.ts'

export interface ServerOptions {
  /** Defaults to 0: any free port. */
  readonly port?: number
  /** Defaults to no limits, latency or faults, and one organization with a generated key. */
  readonly config?: SandboxConfig | undefined
  /** Names a folder of Markdown articles. Without it, every reply is model-only. */
  readonly knowledgeBase?: string
  /** Makes each grounded reply name its article in a further field, `sandboxArticle`. */
  readonly namesArticles?: boolean
  readonly seed?: number
  /** Is called with warnings, such as an empty knowledge base, and internal errors. */
  readonly notice?: (line: string) => void
  readonly clock?: () => number
}

export interface RunningSandbox {
  /** Is an origin, without a trailing slash. */
  readonly url: string
  /** Is the first key that may use Assist. */
  readonly apiKey: string
  readonly adminKey: string
  readonly organization: string
  readonly close: () => Promise<void>
}

/** Starts a sandbox. Throws if the knowledge base cannot be read or the port is taken. */
export async function startSandbox(options: ServerOptions = {}): Promise<RunningSandbox> {
  const startedAt = Date.now() - performance.now()
  // The limits count by it: they must not stand still while the wall clock is set back.
  const steadyClock = (): number => Math.round(startedAt + performance.now())
  const { port = 0, seed = 1, clock = steadyClock, notice = () => {}, namesArticles = false } = options
  const config = withKeys(options.config ?? sandboxConfigSchema.parse({}))
  const ask = await openAssistant(options.knowledgeBase, notice)
  const desk = openDesk(config, seed, { clock, ask, namesArticles })
  const assistRoute: HttpRoute = { method: 'POST', path: ASSIST_PATH, handle: (call) => assist(desk, call) }
  const routes = [assistRoute, ...adminRoutes(desk)]
  const { url, close } = await listen(port, routes, notice)
  const keys = Object.entries(config.organizations).flatMap(([organization, { keys: held }]) =>
    held.map(({ key, scopes }) => ({ organization, apiKey: key, mayAssist: scopes.includes(ASSIST_SCOPE) })),
  )
  const { organization = '', apiKey = '' } = keys.find(({ mayAssist }) => mayAssist) ?? keys[0] ?? {}
  return { url, adminKey: config.adminKey, organization, apiKey, close }
}
