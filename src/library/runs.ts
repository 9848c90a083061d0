// All runs and comparisons below a folder, as a list shows them.
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import * as z from 'zod'
import { makeHistory } from '../analysis/comparing/history.ts'
import { selects } from '../analysis/figures/fold.ts'
import { createRunCounts, type RunCounts } from '../analysis/judging/progress.ts'
import { recordedSummarySchema } from '../domain/history.ts'
import { createTurnJoiner, type JournalRecord, type RecordOf } from '../domain/journal.ts'
import type { ListedRun, LiveRun } from '../domain/listed-run.ts'
import type { Question } from '../domain/question.ts'
import { usageSchema } from '../domain/quota.ts'
import { guard } from '../domain/storage-error.ts'
import { compareTexts } from '../domain/text.ts'
import { followJournal } from '../journal/read.ts'
import { messageOf, UsageError } from '../options/faults.ts'
import { isPart, type RunManifest } from '../options/manifest.ts'
import { openThreads } from '../runner/thread.ts'
import { readJson, readKnown, writeWhole } from '../store/files.ts'
import { findReportFolders, isComparison, isRun, noRun, runFolder, type RunFolder } from '../store/folder.ts'
import { isHeld } from '../store/lock.ts'
import { readManifest } from '../store/manifest.ts'
import { turnsIn } from './question-sets.ts'

export type RunList = ReturnType<typeof openRunList>

const listedSummarySchema = recordedSummarySchema.extend({
  expectations: z.object({ rate: z.number().nullable(), passed: z.int(), failed: z.int() }),
  quota: usageSchema,
})

const comparisonSchema = z.object({
  verdict: z.string(),
  runs: z.array(z.object({ id: z.string(), label: z.string(), target: z.string() })),
})

/** Stays valid while the files of its folder stay the same: its state is `running` after its process, too. */
interface Entry extends ReturnType<typeof readRun> {
  readonly path: string
  readonly stamp: string
}

export function openRunList(root: string) {
  let known: ReadonlyMap<string, Entry> = new Map()
  return {
    /**
     * Gives them as they are now, the newest first. Reads again only what has changed. A run whose files
     * cannot be read has the state `unreadable`. Throws UsageError if the folder is gone.
     */
    read: async (): Promise<readonly ListedRun[]> => {
      const entries = new Map<string, Entry>()
      const rows: ListedRun[] = []
      const unreadable = (row: ListedRun, error: unknown): ListedRun => {
        const fault = messageOf(error).replaceAll(`${root}${sep}`, '')
        return { ...row, state: 'unreadable', fault }
      }
      for (const { path, name, fault } of findReportFolders(root))
        try {
          if (fault !== undefined) throw new UsageError(fault)
          entries.set(path, readEntry(path, name, known.get(path)))
        } catch (error) {
          rows.push(unreadable(emptyRow(join(root, name), name), error))
        }
      known = entries
      const runs = [...entries.values()].flatMap(({ summary, row }) =>
        summary === undefined ? [] : [{ ...summary, folder: row.path }],
      )
      const trends = new Map(
        makeHistory({ runs, leftOut: [] }, '').series.flatMap(({ name: series, runs: inSeries }) =>
          inSeries.map(({ folder, groundedChange: change }) => [folder, { series, change }] as const),
        ),
      )
      for (const { row, path, follow } of entries.values()) {
        const trend = trends.get(row.path)
        const series = trend?.series ?? `${row.sets.join(' + ')} of ${row.target}`
        const grounded = row.grounded && { ...row.grounded, change: trend?.change ?? null }
        const listed = { ...row, series, grounded }
        try {
          if (row.state !== 'running') rows.push(listed)
          // A run whose process is gone before its end was stopped.
          else if (!isHeld(path)) rows.push({ ...listed, state: 'stopped' })
          else rows.push({ ...listed, live: (await follow?.()) ?? null })
        } catch (error) {
          rows.push(unreadable(row, error))
        }
      }
      const typed = new Map(
        rows.flatMap(({ kind, ids, path, name }) =>
          kind !== 'run' || name === basename(path) ? [] : [[ids[0] ?? '', name] as const],
        ),
      )
      const named = rows.map((row) =>
        row.kind === 'comparison'
          ? { ...row, sets: row.sets.map((label, index) => typed.get(row.ids[index] ?? '') ?? label) }
          : row,
      )
      return named.toSorted((a, b) => compareTexts(b.startedAt, a.startedAt) || compareTexts(a.path, b.path))
    },
  }
}

const timeOf = (path: string): string | null =>
  statSync(path, { throwIfNoEntry: false })?.mtime.toISOString() ?? null

const emptyRow = (path: string, relative: string): ListedRun => ({
  path: relative,
  name: nameOf(path),
  kind: 'run',
  ids: [],
  sets: [],
  isPart: false,
  target: '',
  series: '',
  startedAt: timeOf(path) ?? new Date(0).toISOString(),
  endedAt: null,
  state: 'complete',
  fault: null,
  reportedAt: timeOf(runFolder(path).page),
  verdict: null,
  grounded: null,
  expectations: null,
  calls: null,
  live: null,
})

function readEntry(path: string, name: string, before: Entry | undefined): Entry {
  const folder = runFolder(path)
  const { manifest, summary, load, limit, page } = folder
  const comparison = join(path, 'comparison.json')
  const stamps = [manifest, summary, load, limit, comparison, page, nameFile(path)].map((file) => {
    const stat = statSync(file, { throwIfNoEntry: false })
    return stat === undefined ? '' : `${stat.mtimeMs} ${stat.size}`
  })
  const stamp = stamps.join(' ')
  if (before?.stamp === stamp) return before
  const empty = emptyRow(path, name)
  const read = stamps[0] === '' ? readComparison(comparison, empty) : readRun(folder, empty)
  // The counts of a run that is still written go on; another run may be in its folder by now.
  const isSame = before?.row.ids[0] === read.row.ids[0]
  return {
    path,
    stamp,
    ...read,
    follow: read.follow && ((isSame ? before?.follow : undefined) ?? read.follow),
  }
}

function readRun(folder: RunFolder, empty: ListedRun) {
  const manifest = readManifest(folder)
  const { kind, state, startedAt, endedAt } = manifest
  const isOpen = state === 'running'
  // The summary of an earlier session says nothing of this one.
  const summary = isOpen ? undefined : readKnown(folder.summary, listedSummarySchema).known
  const row: ListedRun = {
    ...empty,
    kind,
    ids: [manifest.runId],
    sets: manifest.datasets.map(({ path }) => path),
    isPart: isPart(manifest) || selects(manifest),
    target: manifest.target.name,
    startedAt,
    endedAt,
    state,
    verdict: summary?.verdict ?? (kind === 'run' ? null : 'done'),
    ...(summary && {
      grounded: { rate: summary.coverage.rate, answered: summary.turns.answered, change: null },
      expectations: { passed: summary.expectations.passed, failed: summary.expectations.failed },
      calls: summary.quota.attempts,
    }),
  }
  return { row, summary, follow: isOpen && kind === 'run' ? followRun(folder, manifest) : undefined }
}

function readComparison(path: string, empty: ListedRun) {
  const { verdict, runs } = comparisonSchema.parse(readJson(path))
  const [ids, sets] = [runs.map(({ id }) => id), runs.map(({ label }) => label)]
  const at = statSync(path).mtime.toISOString()
  const target = runs.at(-1)?.target ?? ''
  const row: ListedRun = {
    ...empty,
    kind: 'comparison',
    ids,
    sets,
    target,
    startedAt: at,
    endedAt: at,
    verdict,
  }
  return { row, summary: undefined, follow: undefined }
}

const MAX_GAPS = 20

/** Follows a run that is being sent: each call reads what the journal has gained. */
function followRun({ journal }: RunFolder, { options }: RunManifest): () => Promise<LiveRun | null> {
  const { groundedSources } = options
  const follow = followJournal(journal)
  const joinTurns = createTurnJoiner()
  const questions: Question[] = []
  const gaps: { readonly id: string; readonly message: string }[] = []
  let counts: RunCounts | undefined
  let pace: RecordOf<'pace'> | undefined
  const add = (record: JournalRecord): void => {
    if (record.kind === 'question') questions[record.index] = record.question
    if (record.kind === 'set')
      counts = createRunCounts(
        openThreads(turnsIn(record.ranges, questions), record.repeats),
        groundedSources,
      )
    if (record.kind === 'pace') pace = record
    const event = joinTurns(record)
    counts?.add(event)
    if (event.kind !== 'turnEnded' || event.result?.result.kind !== 'reply' || event.contextLost) return
    const question = questions[event.question]
    if (question === undefined || groundedSources.includes(event.result.result.reply.contextSource)) return
    gaps.unshift({ id: question.id, message: question.message })
    gaps.length = Math.min(gaps.length, MAX_GAPS)
  }
  return async () => {
    if (existsSync(journal)) await follow(add)
    if (counts === undefined) return null
    return {
      ...counts.progress(),
      pace: pace?.pace ?? null,
      pausedUntil: pace?.pausedUntil ?? null,
      cause: pace?.cause ?? '',
      gaps: [...gaps],
    }
  }
}

/** Holds the name of a run that a person types, beside what the run itself records. */
const nameFile = (path: string): string => join(path, 'name.txt')

/** The folder's name where nobody typed another. */
function nameOf(path: string): string {
  try {
    return plain(readFileSync(nameFile(path), 'utf8')) || basename(path)
  } catch {
    return basename(path)
  }
}

export function nameRun(path: string, name: string): void {
  if (!isRun(path) && !isComparison(path)) throw noRun(path)
  if (plain(name) === '') guard(() => rmSync(nameFile(path), { force: true }))
  else writeWhole(nameFile(path), `${plain(name)}\n`)
}

const MAX_LENGTH = 120

const plain = (name: string): string => name.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_LENGTH)
