// `view`: a local web app over a folder of runs. It binds to loopback alone.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import * as z from 'zod'
import * as library from '../library/index.ts'
import { UsageError } from '../library/index.ts'
import { createGuard } from './guard.ts'
import { createRoutes } from './routes.ts'
import { watchRuns } from './watch.ts'
import { Work, type WorkOptions } from './work.ts'

export interface WorkbenchOptions extends Pick<
  WorkOptions,
  'folder' | 'options' | 'targets' | 'articles' | 'kb' | 'maxCalls' | 'ports'
> {
  /** Undefined: the usual one, or any that is free. */
  readonly port: number | undefined
  readonly isReadOnly: boolean
  /** Told of faults that no page shows. */
  readonly failed: (error: unknown) => void
}

export interface Workbench {
  /** With the token: whoever has it may use the workbench. */
  readonly url: string
  /** Another process serves this folder already; this one serves nothing. */
  readonly isOther: boolean
  /** Ends runs as Ctrl-C does. */
  readonly close: () => Promise<void>
}

const USUAL_PORT = 8787
const HOST = '127.0.0.1'

/** Rejects with UsageError if the folder is none, or the port cannot be used. */
export async function startWorkbench(given: WorkbenchOptions): Promise<Workbench> {
  const folder = resolve(given.folder)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UsageError(`${given.folder} is not a folder; name the one that holds the runs`)
  if (!given.isReadOnly) mkdirSync(folder, { recursive: true })
  const list = await library.openRunList(folder)
  await list.read()
  // One that changes nothing must not lead to one that may.
  const other = given.isReadOnly ? undefined : await findOther(folder)
  if (other !== undefined) return { url: other, isOther: true, close: async () => undefined }
  let port = 0
  const guard = createGuard(() => port, given.isReadOnly)
  const work = new Work({ ...given, folder, changed: () => watch.look() })
  const watch = watchRuns(list, () => work.calls(), given.failed)
  const app = createRoutes({ ...given, folder, work, watch }, guard, given.failed)
  const server = createAdaptorServer({ fetch: app.fetch })
  port = await listen(server, given.port)
  const url = `http://${HOST}:${port}/?token=${guard.token}`
  if (!given.isReadOnly) writeFileSync(noteOf(folder), JSON.stringify({ url }), { mode: 0o600 })
  return {
    url,
    isOther: false,
    close: async () => {
      watch.close()
      await work.close()
      if (!given.isReadOnly) rmSync(noteOf(folder), { force: true })
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
    },
  }
}

type Server = ReturnType<typeof createAdaptorServer>

async function listen(server: Server, port: number | undefined): Promise<number> {
  const attempt = async (on: number): Promise<number> =>
    new Promise((taken, failed) => {
      server.once('error', failed)
      server.listen(on, HOST, () => {
        server.off('error', failed)
        taken((server.address() as AddressInfo).port)
      })
    })
  try {
    return await attempt(port ?? USUAL_PORT)
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (isTaken && port === undefined) return attempt(0)
    const why = isTaken ? 'is in use' : `cannot be used (${(error as Error).message})`
    throw new UsageError([{ path: 'port', message: `${port ?? USUAL_PORT} ${why}; choose another` }])
  }
}

/** Where a workbench leaves its address for the next one on the same folder. */
const noteOf = (folder: string): string => join(folder, '.workbench.json')

/** The address of a workbench that serves the folder; undefined without one that answers. */
async function findOther(folder: string): Promise<string | undefined> {
  if (!existsSync(noteOf(folder))) return undefined
  try {
    const { url } = z.object({ url: z.url() }).parse(JSON.parse(readFileSync(noteOf(folder), 'utf8')))
    if (!library.isLoopback(new URL(url).hostname)) return undefined
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(2000) })
    return answer.status === 303 ? url : undefined
  } catch {
    return undefined
  }
}
