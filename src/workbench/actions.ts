// What the pages change and send. Each request is declared once, with its validation: it may come from
// anywhere that has the cookie. Paths are relative to the folder, with `/`.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Hono } from 'hono'
import { validator } from 'hono/validator'
import * as z from 'zod'
import { RATINGS } from '../domain/review.ts'
import * as library from '../library/index.ts'
import { UsageError } from '../library/index.ts'
import { textOf } from '../report/document.ts'
import type { EncodedFile, Saved, SetFault, TriedEdit } from './api.ts'
import { confined, newPath, pageNameOf, uploadPath } from './paths.ts'
import { TRY_EDIT } from './guard.ts'
import { columnsOf } from './sets.ts'
import { answer, checking, DOWNLOADS, type Served, text, texts } from './served.ts'

export class FaultySet extends Error {
  readonly faults: readonly SetFault[]
  constructor(faults: readonly SetFault[]) {
    super('The set is not saved: it has faults.')
    this.faults = faults
  }
}

const said = { run: text, id: text, message: text, reviewer: text }
/** Without a rating and a note, the review is taken back. */
const review = { ...said, answer: text, review: z.enum(RATINGS).nullable(), note: text }
/** The `article` with this id answers the question; null: none does; absent: takes a decision back. */
const decision = { ...said, article: text.nullable().optional() }
/** Only a run on the sandbox may have none; for a run that goes on it holds for the whole, null as before. */
const maxCalls = z.int().positive().nullable()
const edit = { run: text, files: z.array(z.object({ name: text, base64: z.string() })).readonly() }
/** Columns are written like `--column`: `message=Description`. */
const start = { set: text, columns: texts, target: text, maxCalls, baseline: text.nullable() }
/** Sends these questions with those before them, in a run of its own that is compared with `run`. */
const again = { run: text, ids: z.array(text).min(1).readonly(), target: text }
/** `conversation` is that of an earlier answer; null starts one. */
const ask = { target: text, conversation: text.nullable(), message: text }

const jsonFor =
  (ports: library.Ports) =>
  <Shape extends z.ZodRawShape>(shape: Shape) =>
    validator('json', checking(shape, ports))

export function createActions({ folder, work, watch, ports }: Served) {
  const json = jsonFor(ports)
  return new Hono()
    .post('/api/review', json(review), async (context) => {
      const { run, id: questionId, reviewer: by, ...others } = context.req.valid('json')
      const made = { by, at: new Date().toISOString() }
      const added = { ...others, questionId, review: others.review ?? undefined, made }
      await library.addReview(confined(folder, run), added)
      watch.tellAll({ kind: 'review', run, review: added })
      return answer(context, {})
    })
    .post('/api/decide', json(decision), async (context) => {
      const { run, reviewer: by, ...others } = context.req.valid('json')
      const added = { ...others, by, at: new Date().toISOString() }
      await library.addDecision(confined(folder, run), added)
      watch.tellAll({ kind: 'decision', run, decision: added })
      return answer(context, {})
    })
    .post('/api/name', json({ run: text, name: text }), async (context) => {
      const { run, name } = context.req.valid('json')
      await library.nameRun(confined(folder, run), name)
      watch.look()
      return answer(context, {})
    })
    .post('/api/compare', json({ baseline: text, candidate: text }), async (context) => {
      const { baseline, candidate } = context.req.valid('json')
      const out = work.freeFolder(`compare-${basename(candidate)}`)
      const runs = { baseline: confined(folder, baseline), candidate: confined(folder, candidate) }
      await library.compare({ ...runs, out }, ports)
      return answer(context, { path: pageNameOf(folder, out) ?? '' })
    })
    .post('/api/report', json({ run: text }), async (context) => {
      const { run } = context.req.valid('json')
      const path = confined(folder, run)
      await library.report({ run: path, excel: true }, ports)
      const files = DOWNLOADS.filter((name) => existsSync(join(path, name)))
      return answer(context, { files: files.map((name) => `${run}/${name}`) })
    })
    .post(TRY_EDIT, json(edit), async (context) => {
      const { run, files } = context.req.valid('json')
      const { document, affected } = await withFiles(files, async (articles) =>
        library.tryEdit(confined(folder, run), articles, ports),
      )
      const blocks = document.sections.flatMap((section) => section.blocks)
      return answer<TriedEdit>(context, {
        says: textOf(document.verdict.reason, (foreign) => foreign),
        blocks,
        affected,
      })
    })
    .post('/api/start', json(start), async (context) =>
      answer(context, { path: await work.start(context.req.valid('json')) }),
    )
    .post('/api/stop', json({ run: text }), (context) => {
      work.stop(context.req.valid('json').run)
      return answer(context, {})
    })
    .post('/api/resume', json({ run: text, maxCalls }), async (context) => {
      const { run: path, maxCalls: most } = context.req.valid('json')
      const run = (await watch.read()).find((listed) => listed.path === path)
      if (run === undefined) throw new UsageError(`${path} holds no run`)
      return answer(context, { path: await work.resume(most, run) })
    })
    .post('/api/again', json(again), async (context) =>
      answer(context, { path: await work.again(context.req.valid('json')) }),
    )
    .post('/api/ask', json(ask), async (context) =>
      answer(context, await work.conversations.ask(context.req.valid('json'))),
    )
}

/** The one reader of articles reads a folder, or an export: the files are in one of their own meanwhile. */
async function withFiles<T>(files: readonly EncodedFile[], use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'assist-harness-'))
  try {
    for (const { name, base64 } of files)
      writeFileSync(newPath(folder, name), Buffer.from(base64, 'base64'), { mode: 0o600 })
    const [name = '', ...others] = files.map((file) => file.name)
    const isExport = others.length === 0 && /\.(?:csv|xlsx|json)$/i.test(name)
    return await use(isExport ? join(folder, name) : folder)
  } catch (error) {
    // A page knows no path of this machine.
    if (error instanceof Error) error.message = error.message.replaceAll(folder, 'the chosen folder')
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Nothing is written if the file has no longer this digest, nor with faults, which the refusal has. */
const whole = { path: text, columns: texts, rows: z.array(texts).readonly(), digest: text.nullable() }
/** Appends a question, or sets cells of the one with that id or message; makes the set if it is not there. */
const row = { path: text, columns: texts, cells: z.record(z.string(), text) }
const change = { path: text, digest: text, isNew: z.boolean() }

export function createSetActions(served: Served) {
  const { folder, work, ports } = served
  const json = jsonFor(ports)
  const made = (path: string) => ({ path: pageNameOf(folder, path) ?? '' })
  const saved = (result: library.SavedSet): Saved => {
    if (result.kind === 'faulty') throw new FaultySet(result.faults)
    return { ...made(result.path), change: result.change }
  }
  return new Hono()
    .post('/api/set', json(whole), async (context) => {
      const { path, columns, rows, digest } = context.req.valid('json')
      const set = newPath(folder, path)
      const reading = { column: await columnsOf(served, set, columns), digest: digest ?? undefined }
      return answer(context, saved(await library.saveSet(set, columns, rows, reading)))
    })
    .post('/api/set/add', json(row), async (context) => {
      const { path, columns, cells } = context.req.valid('json')
      const set = newPath(folder, path)
      const column = await library.columnsOfSet(set, [...new Set([...columns, ...work.columns])])
      return answer(context, saved(await library.addToSet(set, cells, { column })))
    })
    .post('/api/set/undo', json(change), async (context) => {
      const { path, ...last } = context.req.valid('json')
      await library.undoSet(confined(folder, path), last)
      return answer(context, {})
    })
    .post('/api/upload', validator('query', checking({ name: text }, ports)), async (context) => {
      const path = uploadPath(folder, context.req.valid('query').name)
      writeFileSync(path, new Uint8Array(await context.req.arrayBuffer()), { flag: 'wx' })
      return answer(context, made(path))
    })
}
