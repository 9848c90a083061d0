// Figures of many recorded runs over time, read from their `summary.json` files.
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import * as z from 'zod'
import {
  gateTrial,
  looseThresholds,
  MIN_RUNS,
  type TriedNight,
  type FoundRuns,
  makeHistory,
  questionsOf,
} from '../analysis/comparing/history.ts'
import { compareWithBaseline } from '../analysis/comparing/judged-run.ts'
import {
  type FoundRun,
  type GateTrial,
  type History,
  type HistoryRun,
  type HistorySeries,
  type LeftOut,
  recordedSummarySchema,
} from '../domain/history.ts'
import { makeMessage } from '../domain/format.ts'
import { optionError, UsageError } from '../options/faults.ts'
import { type CommandOptions, readOptions, withDefaults } from '../options/settings.ts'
import { runsOf } from '../report/history.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { HISTORY_COLUMNS } from '../report/tables.ts'
import { makeFolder, readKnown, writeFiles } from '../store/files.ts'
import { findRunFolders, isRun, runFolder } from '../store/folder.ts'
import { recordedArticles } from './articles.ts'
import { earlierRuns } from './earlier-runs.ts'
import { type Ports, realPorts, VERSION } from './ports.ts'
import { openRun, type RunRecord } from './recorded-run.ts'

export interface HistoryOptions extends CommandOptions<'history'> {
  readonly folder: string
}

export interface HistoryResult {
  readonly history: History
  readonly table: string
}

export async function history(options: HistoryOptions, ports: Ports = realPorts()): Promise<HistoryResult> {
  const { folder, ...written } = options
  const settings = readOptions('history', written)
  const { out = folder, last } = withDefaults(settings)
  const found = findRuns(folder)
  if (isRun(out))
    throw new UsageError(`${out} is a run, which must not change: name another folder with --out`)
  const counted = makeHistory(found, VERSION)
  if (counted.series.length === 0) throw new UsageError(whyNone(folder, counted.leftOut))
  const made = { ...counted, series: await tryGates(folder, counted.series, last, ports) }
  const table = join(out, 'history.csv')
  // A table of the user's is not replaced.
  if (existsSync(table) && !/^\uFEFF?"?series"?,"?started_at"?,/.test(readFileSync(table, 'utf8')))
    throw optionError('out', `${table} was not written by history: name another folder`)
  makeFolder(out)
  await writeFiles([[table, renderSpreadsheet({ columns: HISTORY_COLUMNS, rows: runsOf(made) })]])
  return { history: made, table }
}

/** Lists the series below a folder with the trial of their gate, where they have one; writes nothing. */
export async function gateTrials(folder: string, ports: Ports = realPorts()) {
  const { last } = withDefaults(readOptions('history', {}))
  const series = await tryGates(folder, makeHistory(findRuns(folder), VERSION).series, last, ports)
  return series.flatMap(({ name, gate }) => (gate === undefined ? [] : [{ name, gate }]))
}

async function tryGates(folder: string, all: readonly HistorySeries[], last: number, ports: Ports) {
  const tried: HistorySeries[] = []
  for (const series of all) tried.push({ ...series, gate: await tryGate(folder, series.runs, last, ports) })
  return tried
}

/** Opens the runs one after the other: two are compared at a time. */
async function tryGate(
  root: string,
  all: readonly HistoryRun[],
  last: number,
  ports: Ports,
): Promise<GateTrial | undefined> {
  const runs = all.filter(({ state }) => state === 'complete')
  if (runs.length < MIN_RUNS) return undefined
  const tried = runs.slice(-last)
  const nights: TriedNight[] = []
  let edited = 0
  let before: Opened | undefined
  for (const night of tried) {
    const run = await openNight(root, night, ports)
    if (before !== undefined && run !== undefined) {
      if (isChanged(before, run)) edited += 1
      else {
        const judging = { reviews: undefined, harnessVersion: VERSION }
        const { comparison: compared } = compareWithBaseline(before.run, run.run, judging)
        const areArticlesKnown = before.articles !== undefined && run.articles !== undefined
        nights.push({ folder: night.folder, compared, areArticlesKnown })
      }
    }
    before?.run.close()
    before = run
  }
  before?.run.close()
  return gateTrial(nights, edited, tried)
}

/** Says which gates of a run are loose or harsh, by the last runs of its sets beside it. */
export async function gateNotes({ path, manifest }: RunRecord, ports: Ports): Promise<string[]> {
  const { threshold: expressions, baseline } = manifest.options
  if (manifest.shard !== undefined || (expressions.length === 0 && baseline === null)) return []
  const root = dirname(path)
  const runs = earlierRuns(path, manifest, (run) => existsSync(runFolder(run).summary)).flatMap((run) => {
    const { known: summary } = readKnown(runFolder(run).summary, recordedSummarySchema)
    if (summary?.state !== 'complete' || summary.shard !== undefined) return []
    return setsOf(summary.run) === setsOf(manifest) ? [{ folder: relative(root, run), ...summary }] : []
  })
  const loose = looseThresholds(runs, expressions).map(
    ({ expression, runs: count, tight }) =>
      `The gate ${expression} is loose: it lies far from what the ${count} runs before this one measured. ` +
      `Tight: ${tight}`,
  )
  if (baseline === null) return loose
  return [...loose, ...(await harshNotes(root, runs, manifest.options.confirm, ports))]
}

const setsOf = ({ datasets }: { readonly datasets: readonly { readonly path: string }[] }): string =>
  datasets.map((set) => set.path).join('\n')

/** Comparing these takes a second or two. */
const MAX_COMPARED_TURNS = 20_000

async function harshNotes(root: string, latestFirst: readonly FoundRun[], confirm: number, ports: Ports) {
  let turns = 0
  const compared = latestFirst.filter(({ turns: { total } }) => (turns += total) <= MAX_COMPARED_TURNS)
  const [series] = makeHistory({ runs: compared, leftOut: [] }, VERSION).series
  const gate = series && (await tryGate(root, series.runs, compared.length, ports))
  const failed = gate?.failed.length ?? 0
  // A gate at 5 % fails one clean night by chance now and then.
  if (gate === undefined || failed < 2) return []
  const every = Math.round(gate.nights / failed)
  const advice = confirm > 0 ? '' : '. --confirm 2 sends a question again before it fails a night'
  return [
    `This gate fails 1 clean night in ${every}: ${failed} of ${gate.nights} before which nothing was ` +
      `edited${advice}`,
  ]
}

type Opened = NonNullable<Awaited<ReturnType<typeof openNight>>>

/** Returns undefined for a run whose journal cannot be read any more: its neighbours are not compared. */
async function openNight(root: string, night: HistoryRun, ports: Ports) {
  const path = join(root, night.folder)
  try {
    const run = await openRun(path, '', { ports })
    const records = await recordedArticles(run.folder)
    const articles = records?.map(({ article, digest }) => `${article} ${digest}`).join('\n')
    // A baseline that was accepted in its place has the same path, but is another run.
    const { known } = readKnown(join(path, 'comparison.json'), comparedSchema)
    return { run, questions: questionsOf(night), articles, baseline: known?.runs[0].id }
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

const comparedSchema = z.object({ runs: z.tuple([z.object({ id: z.string() })]).rest(z.unknown()) })

const isChanged = (before: Opened, { questions, articles, baseline }: Opened): boolean =>
  before.questions !== questions ||
  (before.articles ?? articles) !== (articles ?? before.articles) ||
  (before.baseline ?? baseline) !== (baseline ?? before.baseline)

function findRuns(root: string): FoundRuns {
  const runs: FoundRun[] = []
  const leftOut: LeftOut[] = []
  for (const { path, name: folder, fault } of findRunFolders(root)) {
    const files = runFolder(path)
    const leaveOut = (code: string, text: string): void =>
      void leftOut.push({ folder, reason: makeMessage(code, `${basename(files.summary)} ${text}`) })
    if (fault === undefined && !existsSync(files.summary)) {
      const text = 'is missing: a load test has none. For a run, the report command writes it.'
      leaveOut('history-no-summary', text)
      continue
    }
    const read = fault === undefined ? readKnown(files.summary, recordedSummarySchema) : { fault }
    if (read.fault === undefined) runs.push({ folder, ...read.known })
    else leaveOut('history-unreadable', `cannot be read (${read.fault}). The report command writes it again.`)
  }
  return { runs, leftOut }
}

function whyNone(folder: string, [first, ...others]: readonly LeftOut[]): string {
  if (first === undefined)
    return `${folder} holds no runs; name the folder that holds the run folders, such as reports`
  const rest = others.length > 0 ? `, and ${others.length} more` : ''
  return `${folder} holds no run that history can show: ${first.folder} (${first.reason.text})${rest}`
}
