// What the pages change and send. Every request is checked: it may come from anywhere that has the cookie.
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Hono } from 'hono'
import * as z from 'zod'
import { RATINGS } from '../domain/review.ts'
import * as library from '../library/index.ts'
import { UsageError } from '../library/index.ts'
import { confined, newSetPath, pageNameOf, uploadPath } from './paths.ts'
import { FaultySet } from './refusals.ts'
import type { Served } from './served.ts'
import { DOWNLOADS } from './views.ts'

const text = z.string().max(100_000)
const review = z.object({
  run: text,
  id: text,
  message: text,
  answer: text,
  review: z.enum(RATINGS).nullable(),
  note: text,
  reviewer: text,
})
const start = z.object({
  set: text,
  columns: z.array(text),
  target: text,
  maxCalls: z.int().positive().nullable(),
  baseline: text.nullable(),
})
const resume = z.object({ run: text, maxCalls: z.int().positive().nullable() })
const again = z.object({ run: text, ids: z.array(text).min(1), target: text })
const ask = z.object({ target: text, conversation: text.nullable(), message: text })
const save = z.object({
  path: text,
  columns: z.array(text),
  rows: z.array(z.array(text)),
  digest: text.nullable(),
})
const add = z.object({ path: text, cells: z.record(z.string(), text) })
const one = z.object({ run: text })
const pair = z.object({ baseline: text, candidate: text })

export function addActions(app: Hono, { folder, work, watch, ports }: Served): void {
  const post = <Request>(
    path: string,
    schema: z.ZodType<Request>,
    act: (request: Request) => Promise<unknown>,
  ) =>
    app.post(path, async (context) => {
      const value = await act(schema.parse(await context.req.json()))
      return context.body(ports.secrets.mask(JSON.stringify(value ?? {})), 200, {
        'Content-Type': 'application/json; charset=utf-8',
      })
    })

  post('/api/review', review, async ({ run, id, message, answer, note, reviewer, ...given }) =>
    library.addReview(confined(folder, run), {
      questionId: id,
      message,
      answer,
      review: given.review ?? undefined,
      note,
      made: { by: reviewer, at: new Date().toISOString() },
    }),
  )
  post('/api/compare', pair, async ({ baseline, candidate }) => {
    const out = work.freeFolder(`compare-${basename(candidate)}`)
    const candidates = [confined(folder, candidate)]
    await library.compare({ baseline: confined(folder, baseline), candidates, out }, ports)
    return { path: pageNameOf(folder, out) }
  })
  post('/api/report', one, async ({ run }) => {
    const path = confined(folder, run)
    await library.report({ run: path, excel: true }, ports)
    const files = DOWNLOADS.filter((name) => existsSync(join(path, name)))
    return {
      files: files.map((name) => ({ path: `${run}/${name}`, bytes: statSync(join(path, name)).size })),
    }
  })
  post('/api/start', start, async (request) => ({ path: await work.start(request) }))
  post('/api/stop', one, async ({ run }) => work.stop(run))
  post('/api/resume', resume, async (request) => {
    const run = (await watch.read()).find(({ path }) => path === request.run)
    if (run === undefined) throw new UsageError(`${request.run} holds no run`)
    return { path: await work.resume(request, run) }
  })
  post('/api/again', again, async (request) => ({ path: await work.again(request) }))
  post('/api/ask', ask, async (request) => work.ask(request))
  post('/api/set', save, async ({ path, columns, rows, digest }) =>
    saved(
      folder,
      await library.saveSet(newSetPath(folder, path), columns, rows, { digest: digest ?? undefined }),
    ),
  )
  post('/api/set/add', add, async ({ path, cells }) =>
    saved(folder, await library.addToSet(newSetPath(folder, path), cells)),
  )
  app.post('/api/upload', async (context) => {
    const path = uploadPath(folder, context.req.query('name') ?? '')
    const bytes = new Uint8Array(await context.req.arrayBuffer())
    writeFileSync(path, bytes, { flag: 'wx' })
    return context.json({ path: pageNameOf(folder, path) })
  })
}

/** Throws FaultySet. */
function saved(folder: string, result: library.SavedSet): { readonly path: string | null } {
  if (result.kind === 'faulty') throw new FaultySet(result.faults)
  return { path: pageNameOf(folder, result.path) }
}
