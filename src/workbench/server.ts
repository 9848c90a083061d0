// `view`: a local web app over a folder of runs. It binds to loopback alone.
import { lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import * as z from 'zod'
import * as library from '../library/index.ts'
import { UsageError } from '../library/index.ts'
import { createGuard, IDENTITY } from './guard.ts'
import { createRoutes } from './routes.ts'
import { watchRuns } from './watch.ts'
import { Work, type WorkOptions } from './work.ts'

export interface WorkbenchOptions extends WorkOptions {
  /** Undefined: the usual one, or any that is free. */
  readonly port: number | undefined
  readonly isReadOnly: boolean
}

const USUAL_PORT = 8787
const HOST = '127.0.0.1'

/**
 * Whoever has the `url`, which holds the token, may use the workbench. `isOther`: another process serves the
 * folder already, and this one serves nothing. `close` ends runs as Ctrl-C does. Rejects with UsageError if
 * the folder is none, or the port cannot be used.
 */
export async function startWorkbench(options: WorkbenchOptions) {
  const folder = resolve(options.folder)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UsageError(`${options.folder} is not a folder; name the one that holds the runs`)
  if (!options.isReadOnly) mkdirSync(folder, { recursive: true })
  const list = await library.openRunList(folder)
  await list.read()
  // One that changes nothing must not lead to one that may.
  const other = options.isReadOnly ? undefined : await findOther(folder)
  if (other !== undefined) return { url: other, isOther: true, close: async () => undefined }
  let port = 0
  const started = { pid: process.pid, startedAt: new Date().toISOString() }
  const guard = createGuard(() => port, options.isReadOnly, identityOf(started.pid, started.startedAt))
  const work = new Work({ ...options, folder }, () => watch.look())
  const watch = watchRuns(list, () => work.budget.calls(), options.failed)
  const app = createRoutes({ ...options, folder, work, watch }, guard, options.failed)
  const server = createAdaptorServer({ fetch: app.fetch })
  port = await listen(server, options.port)
  const url = `http://${HOST}:${port}/?token=${guard.token}`
  if (!options.isReadOnly) writeNote(folder, { url, folder: realpathSync(folder), ...started })
  return {
    url,
    isOther: false,
    close: async () => {
      watch.close()
      await work.close()
      // Another one may serve the folder by now.
      if (readNote(folder)?.url === url) rmSync(noteOf(folder), { force: true })
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
    },
  }
}

async function listen(
  server: ReturnType<typeof createAdaptorServer>,
  port: number | undefined,
): Promise<number> {
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

// ---- The note that a workbench leaves in its folder, by which a second `view` finds it

const noteSchema = z.object({
  url: z.url(),
  /** The path is real: the note may travel with a copy of the folder. */
  folder: z.string(),
  pid: z.int().positive(),
  startedAt: z.string(),
})
type Note = z.infer<typeof noteSchema>

const noteOf = (folder: string): string => join(folder, '.workbench.json')

/** Process ids and ports come again; a process id with its start does not. */
const identityOf = (pid: number, startedAt: string): string => `${pid} ${startedAt}`

/** The note is for its owner alone. Without it, a second `view` serves the folder, too. */
function writeNote(folder: string, note: Note): void {
  try {
    rmSync(noteOf(folder), { force: true })
    writeFileSync(noteOf(folder), JSON.stringify(note), { mode: 0o600, flag: 'wx' })
  } catch {
    // It may be that of another user.
  }
}

/** A note of another user, or for another folder, counts for nothing. */
function readNote(folder: string): Note | undefined {
  try {
    const stat = lstatSync(noteOf(folder))
    const isPrivate =
      process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o077) === 0)
    const note = noteSchema.parse(JSON.parse(readFileSync(noteOf(folder), 'utf8')))
    return stat.isFile() && isPrivate && note.folder === realpathSync(folder) ? note : undefined
  } catch {
    return undefined
  }
}

async function findOther(folder: string): Promise<string | undefined> {
  const note = readNote(folder)
  if (note === undefined) return undefined
  const { origin, hostname } = new URL(note.url)
  if (hostname !== HOST) return undefined
  try {
    // Throws for one that is gone, and for another user's.
    process.kill(note.pid, 0)
    // Without the token: the port may be that of another program by now.
    const { headers } = await fetch(origin, { redirect: 'manual', signal: AbortSignal.timeout(2000) })
    return headers.get(IDENTITY) === identityOf(note.pid, note.startedAt) ? note.url : undefined
  } catch {
    return undefined
  }
}
