// What the pages show: the session, the runs, one run, one set, the articles, files.
import { createReadStream, existsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import * as library from '../library/index.ts'
import { UsageError } from '../library/index.ts'
import { AGAIN, type ListedRun } from '../domain/listed-run.ts'
import type { ToDo } from '../domain/to-do.ts'
import { renderSpreadsheet, type SheetColumn } from '../report/spreadsheet.ts'
import { setBlocks } from '../report/plan-documents.ts'
import type { RunToDo, RunView, Views, WorkbenchEvent } from './api.ts'
import { confined, expectationsPath, setPath } from './paths.ts'
import { openSetList } from './sets.ts'
import type { Watch } from './watch.ts'
import type { Work } from './work.ts'

export interface Served {
  readonly folder: string
  readonly isReadOnly: boolean
  readonly work: Work
  readonly watch: Watch
  readonly ports: library.Ports
}

/** Answers with JSON that holds no secrets. */
export const answer = (
  context: Context,
  value: unknown,
  { secrets }: library.Ports,
  status: 200 | 400 | 500 | 507 = 200,
): Response =>
  context.body(secrets.mask(JSON.stringify(value)), status, {
    'Content-Type': 'application/json; charset=utf-8',
  })

export function addViews(app: Hono, served: Served): void {
  const { folder, isReadOnly, work, watch, ports } = served
  const listSets = openSetList(folder, work.columns)
  const show = <Path extends keyof Views>(
    path: Path,
    view: (context: Context) => Views[Path] | Promise<Views[Path]>,
  ): void => void app.get(path, async (context) => answer(context, await view(context), ports))
  show('/api/session', async () => ({
    folder: basename(folder),
    isReadOnly,
    targets: work.targets(),
    lastTarget: (await watch.read()).find(({ kind }) => kind === 'run')?.target ?? null,
    calls: work.calls(),
    sets: await listSets(),
    reviewer: userInfo().username,
  }))
  show('/api/runs', async () => watch.read())
  show('/api/run', async (context) => runView(context.req.query('path') ?? '', served))
  show('/api/set', async ({ req }) => {
    const path = req.query('path') ?? ''
    const set = setPath(folder, path)
    const column = req.queries('column') ?? (await library.columnsOfSet(set, work.columns))
    const options = { column, ...work.estimating() }
    const { survey, estimate, ...read } = await library.readSet(set, options)
    const blocks = survey === null || estimate === null ? [] : setBlocks(survey, estimate)
    const savedAs = path.replace(/\.xlsx(?:#.*)?$/i, '.csv')
    return { path, savedAs, columns: column, ...read, blocks, worstCalls: estimate?.calls.worst ?? 0 }
  })
  // A few questions that were asked again say too little of the articles.
  const wholeRuns = async (): Promise<ListedRun[]> =>
    (await watch.read()).filter(
      ({ path, kind, sets }) =>
        kind === 'run' &&
        !sets.some((set) => basename(set).startsWith(AGAIN)) &&
        existsSync(join(confined(folder, path), 'articles.csv')),
    )
  const toDo = async (): Promise<RunToDo[]> => {
    const ended = (await wholeRuns()).filter(
      ({ state, verdict, reportedAt }) =>
        ['complete', 'decided'].includes(state) && verdict !== null && reportedAt !== null,
    )
    const last = new Map(ended.toReversed().map((run) => [run.target, run]))
    return Promise.all(
      [...last.values()].map(async (run) => ({
        run,
        items: await library.toDo(confined(folder, run.path), ports),
      })),
    )
  }
  show('/api/todo', toDo)
  show('/api/articles', async () => ({ run: (await wholeRuns())[0]?.path ?? null }))
  show('/api/article', async ({ req }) => {
    const { run = '', article = '' } = req.query()
    return library.wholeArticle(confined(folder, run), article)
  })
  app.get('/api/events', (context) => events(context, served))
  app.get('/file', async (context) => {
    if (context.req.query('todo') !== undefined) {
      const rows = (await toDo()).flatMap(({ run, items }) => items.map((item) => ({ run, item })))
      const table = [...renderSpreadsheet({ columns: TO_DO_COLUMNS, rows })].join('')
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
    await send({ kind: 'calls', calls: work.calls() })
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

export const DOWNLOADS = [
  'report.html',
  'results.xlsx',
  'results.csv',
  'reviews.csv',
  'comparison.csv',
  'junit.xml',
]

/** Throws UsageError for a folder that is not listed. */
async function runView(path: string, { folder, isReadOnly, work, watch, ports }: Served): Promise<RunView> {
  const whole = confined(folder, path)
  const runs = await watch.read()
  const run = runs.find((listed) => listed.path === path)
  if (run === undefined) throw new UsageError(`${path} holds no run`)
  const mayWrite = !isReadOnly && !work.isOwn(path) && run.state !== 'running'
  const { page, reason } = await library.recordedReport({ folder: whole, mayWrite }, ports)
  const candidate =
    run.kind === 'comparison' ? runs.find(({ kind, ids }) => kind === 'run' && ids[0] === run.ids[1]) : run
  const reviewed = candidate?.kind === 'run' ? candidate.path : null
  const articles = reviewed === null ? [] : await library.articlesOfRun(confined(folder, reviewed))
  const sets = reviewed === null ? undefined : await library.setsOfRun(confined(folder, reviewed))
  return {
    run,
    isOwn: work.isOwn(path),
    // A run that is sent shows no report of an earlier session.
    report: run.state === 'running' ? null : page,
    // The report of a run of this process is being written.
    reason: work.isOwn(path) ? '' : reason,
    reviews: reviewed === null ? [] : await library.reviewsIn(confined(folder, reviewed)),
    decisions: reviewed === null ? [] : await library.decisionsOf(confined(folder, reviewed)),
    reviewed,
    articles: articles.map(({ article, title }) => ({ article, title })),
    sets: sets?.paths.map((set) => expectationsPath(folder, set)) ?? [],
    columns: sets?.column ?? [],
  }
}
