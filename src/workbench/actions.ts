// What the pages change and send.
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Hono } from 'hono'
import * as library from '../library/index.ts'
import { UsageError } from '../library/index.ts'
import type { Answers, Made, Saved, SetFault } from './api.ts'
import { confined, newSetPath, pageNameOf, uploadPath } from './paths.ts'
import { REQUESTS, type Requests } from './requests.ts'
import { answer, DOWNLOADS, type Served } from './views.ts'

export class FaultySet extends Error {
  readonly faults: readonly SetFault[]
  constructor(faults: readonly SetFault[]) {
    super('The set is not saved: it has faults.')
    this.faults = faults
  }
}

export function addActions(app: Hono, { folder, work, watch, ports }: Served): void {
  const post = <Path extends keyof Requests>(
    path: Path,
    act: (request: Requests[Path]) => Promise<Answers[Path]>,
  ) =>
    app.post(path, async (context) => {
      const text = ports.secrets.mask(await context.req.text())
      const request = REQUESTS[path].parse(JSON.parse(text)) as Requests[Path]
      return answer(context, await act(request), ports)
    })
  const made = (path: string): Made => ({ path: pageNameOf(folder, path) ?? '' })
  const saved = (result: library.SavedSet): Saved => {
    if (result.kind === 'faulty') throw new FaultySet(result.faults)
    return { ...made(result.path), change: result.change }
  }

  post('/api/review', async ({ run, id, review, reviewer, ...request }) => {
    const by = { by: reviewer, at: new Date().toISOString() }
    const added = { ...request, questionId: id, review: review ?? undefined, made: by }
    await library.addReview(confined(folder, run), added)
    watch.tellAll({ kind: 'review', run, review: added })
    return {}
  })
  post('/api/decide', async ({ run, reviewer, ...request }) => {
    const decision = { ...request, by: reviewer, at: new Date().toISOString() }
    await library.addDecision(confined(folder, run), decision)
    watch.tellAll({ kind: 'decision', run, decision })
    return {}
  })
  post('/api/name', async ({ run, name }) => {
    await library.nameRun(confined(folder, run), name)
    watch.look()
    return {}
  })
  post('/api/compare', async ({ baseline, candidate }) => {
    const out = work.freeFolder(`compare-${basename(candidate)}`)
    const runs = { baseline: confined(folder, baseline), candidate: confined(folder, candidate) }
    await library.compare({ ...runs, out }, ports)
    return made(out)
  })
  post('/api/report', async ({ run }) => {
    const path = confined(folder, run)
    await library.report({ run: path, excel: true }, ports)
    const names = DOWNLOADS.filter((name) => existsSync(join(path, name)))
    const files = names.map((name) => ({ path: `${run}/${name}`, bytes: statSync(join(path, name)).size }))
    return { files }
  })
  post('/api/start', async (request) => ({ path: await work.start(request) }))
  post('/api/stop', async ({ run }) => {
    work.stop(run)
    return {}
  })
  post('/api/resume', async (request) => {
    const run = (await watch.read()).find(({ path }) => path === request.run)
    if (run === undefined) throw new UsageError(`${request.run} holds no run`)
    return { path: await work.resume(request, run) }
  })
  post('/api/again', async (request) => ({ path: await work.again(request) }))
  post('/api/ask', async (request) => work.ask(request))
  post('/api/set', async ({ path, columns, rows, digest }) => {
    const column = await library.columnsOfSet(path, work.columns, columns)
    const reading = { column, digest: digest ?? undefined }
    return saved(await library.saveSet(newSetPath(folder, path), columns, rows, reading))
  })
  post('/api/set/add', async ({ path, columns, cells }) => {
    const set = newSetPath(folder, path)
    const column = await library.columnsOfSet(set, [...columns, ...work.columns])
    return saved(await library.addToSet(set, cells, { column }))
  })
  post('/api/set/undo', async ({ path, ...change }) => {
    await library.undoSet(confined(folder, path), change)
    return {}
  })
  app.post('/api/upload', async (context) => {
    const path = uploadPath(folder, context.req.query('name') ?? '')
    const bytes = new Uint8Array(await context.req.arrayBuffer())
    writeFileSync(path, bytes, { flag: 'wx' })
    return context.json(made(path))
  })
}
