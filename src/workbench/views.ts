// What the pages show: the session, the runs, one run, one set, what is to do, files.
import { createReadStream, existsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { validator } from 'hono/validator'
import * as z from 'zod'
import * as library from '../library/index.ts'
import { UsageError } from '../library/index.ts'
import type { ListedRun } from '../domain/listed-run.ts'
import type { ToDo } from '../domain/to-do.ts'
import { gateText } from '../report/history.ts'
import { renderSpreadsheet, type SheetColumn } from '../report/spreadsheet.ts'
import { setBlocks } from '../report/plan-documents.ts'
import type { RunToDo, RunView, SeriesGate, SetView, WorkbenchEvent, WorkbenchSession } from './api.ts'
import { confined, pageNameOf, setPath } from './paths.ts'
import { answer, checking, DOWNLOADS, type Served, text, texts } from './served.ts'
import { columnsOf, openSetList } from './sets.ts'

export function createViews(served: Served) {
  const { folder, isReadOnly, work, watch, ports } = served
  const listSets = openSetList(served)
  const query = <Shape extends z.ZodRawShape>(shape: Shape) => validator('query', checking(shape, ports))
  const wholeRuns = async (): Promise<ListedRun[]> =>
    (await watch.read()).filter(
      ({ path, kind, isPart }) =>
        kind === 'run' && !isPart && existsSync(join(confined(folder, path), 'articles.csv')),
    )
  /** The last whole run at each target counts, the newest first; what is to do after both stands once. */
  const toDo = async (): Promise<RunToDo[]> => {
    const ended = (await wholeRuns()).filter(
      ({ state, verdict, reportedAt }) =>
        ['complete', 'decided'].includes(state) && verdict !== null && reportedAt !== null,
    )
    const said = new Set<string>()
    const lists: RunToDo[] = []
    for (const [index, run] of ended.entries()) {
      if (ended.findIndex(({ target }) => target === run.target) < index) continue
      const path = confined(folder, run.path)
      const all = await library.toDo(path, await work.expectationsOf(path), ports)
      lists.push({ run, items: all.filter((item) => !said.has(JSON.stringify(item))) })
      all.forEach((item) => said.add(JSON.stringify(item)))
    }
    return lists
  }
  const gates = openGates(served)
  return new Hono()
    .get('/api/session', async (context) => {
      const last = (await watch.read()).find(({ kind }) => kind === 'run')
      return answer<WorkbenchSession>(context, {
        folder: basename(folder),
        isReadOnly,
        targets: work.targets(),
        lastTarget: last?.target ?? null,
        articles: (await wholeRuns())[0]?.path ?? null,
        calls: work.budget.calls(),
        sets: await listSets(),
        reviewer: userInfo().username,
      })
    })
    .get('/api/runs', async (context) => answer(context, await watch.read()))
    .get('/api/gates', async (context) => answer(context, await gates()))
    .get('/api/run', query({ path: text }), async (context) =>
      answer(context, await runView(context.req.valid('query').path, served)),
    )
    .get('/api/set', query({ path: text, column: z.union([text, texts]).optional() }), async (context) => {
      const { path, column: chosen } = context.req.valid('query')
      const set = setPath(folder, path)
      const column = chosen ? [chosen].flat() : await columnsOf(served, set)
      const options = { column, ...work.estimating() }
      const { survey, estimate, ...read } = await library.readSet(set, options)
      const blocks = survey === null || estimate === null ? [] : setBlocks(survey, estimate)
      const savedAs = path.replace(/\.xlsx(?:#.*)?$/i, '.csv')
      const worstCalls = estimate?.calls.worst ?? 0
      return answer<SetView>(context, { path, savedAs, columns: column, ...read, blocks, worstCalls })
    })
    .get('/api/todo', async (context) => answer(context, await toDo()))
    .get('/api/article', query({ run: text, article: text }), async (context) => {
      const { run, article } = context.req.valid('query')
      return answer(context, await library.wholeArticle(confined(folder, run), article))
    })
    .get('/api/events', (context) => events(context, served))
    .get('/file', async (context) => {
      if (context.req.query('todo') !== undefined) {
        const rows = (await toDo()).flatMap(({ run, items }) => items.map((item) => ({ run, item })))
        // Excel reads UTF-8 by this mark, as in the files that the page saves.
        const table = ['\uFEFF', ...renderSpreadsheet({ columns: TO_DO_COLUMNS, rows })].join('')
        return context.body(ports.secrets.mask(table), 200, attachment('to-do.csv'))
      }
      const path = confined(folder, context.req.query('path') ?? '')
      if (!DOWNLOADS.includes(basename(path)) || !existsSync(path))
        throw new UsageError('there is no such file')
      const name = `${basename(dirname(path))}-${basename(path)}`.replaceAll(/[^\w.-]/g, '-')
      return context.body(Readable.toWeb(createReadStream(path)) as ReadableStream, 200, {
        ...attachment(name),
        'Content-Length': String(statSync(path).size),
      })
    })
}

const events = (context: Context, { work, watch, ports }: Served): Response =>
  streamSSE(context, async (stream) => {
    const send = async (event: WorkbenchEvent): Promise<void> =>
      stream.writeSSE({ data: ports.secrets.mask(JSON.stringify(event)) })
    // Listens first: the page may leave while the first event is sent.
    const left = new Promise<void>((resolve) => {
      stream.onAbort(resolve)
    })
    await send({ kind: 'calls', calls: work.budget.calls() })
    const stop = watch.subscribe((event) => void send(event).catch(() => undefined))
    await left
    stop()
  })

const attachment = (name: string) => ({
  'Content-Type': 'application/octet-stream',
  'Content-Disposition': `attachment; filename="${name}"`,
})

const TO_DO_COLUMNS: readonly SheetColumn<{ readonly run: ListedRun; readonly item: ToDo }>[] = [
  ['article', ({ item }) => item.article?.article],
  ['title', ({ item }) => item.article?.title],
  ['section', ({ item }) => item.article?.section],
  ['to_do', ({ item }) => item.kind],
  ['what', ({ item }) => item.text],
  ['id', ({ item }) => item.question?.id],
  ['message', ({ item }) => item.question?.message],
  ['target', ({ run }) => run.target],
  ['run', ({ run }) => run.path],
]

/** Tries the gates again when a run has ended. */
function openGates({ folder, watch, ports }: Served): () => Promise<SeriesGate[]> {
  let tried: { readonly runs: string; readonly gates: Promise<SeriesGate[]> } | undefined
  const attempt = async (): Promise<SeriesGate[]> =>
    (await library.gateTrials(folder, ports)).flatMap(({ name, gate }) => {
      const says = gateText(gate)
      return says === undefined ? [] : [{ series: name, says }]
    })
  return async () => {
    const runs = (await watch.read()).map(({ path, reportedAt }) => `${path} ${reportedAt}`).join('\n')
    if (tried?.runs !== runs) tried = { runs, gates: attempt() }
    return tried.gates
  }
}

/** Throws UsageError for a folder that is not listed. */
async function runView(path: string, served: Served): Promise<RunView> {
  const { folder, isReadOnly, work, watch, ports } = served
  const whole = confined(folder, path)
  const runs = await watch.read()
  const run = runs.find((listed) => listed.path === path)
  if (run === undefined) throw new UsageError(`${path} holds no run`)
  const mayWrite = !isReadOnly && !work.isOwn(path) && run.state !== 'running'
  const { page, reason } = await library.recordedReport({ folder: whole, mayWrite }, ports)
  const candidate =
    run.kind === 'comparison' ? runs.find(({ kind, ids }) => kind === 'run' && ids[0] === run.ids[1]) : run
  const reviewed = candidate?.kind === 'run' ? candidate.path : null
  const asked = reviewed === null ? undefined : confined(folder, reviewed)
  const sets = asked === undefined ? { paths: [], column: [] } : await served.work.expectationsOf(asked)
  const articles = asked === undefined ? [] : await library.articlesOfRun(asked)
  return {
    run,
    isOwn: work.isOwn(path),
    // A run that is sent shows no report of an earlier session.
    report: run.state === 'running' ? null : page,
    // The report of a run of this process is being written.
    reason: work.isOwn(path) ? '' : reason,
    reviews: asked === undefined ? [] : await library.reviewsIn(asked),
    decisions: asked === undefined ? [] : await library.decisionsOf(asked),
    expected: await library.expectedNow(sets.paths, sets.column),
    reviewed,
    articles: articles.map(({ article, title }) => ({ article, title })),
    columns: sets.column,
    sets: sets.paths.map((set) => pageNameOf(folder, set) ?? ''),
  }
}
