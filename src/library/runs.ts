// All runs and comparisons below a folder, as a list shows them; those that a process writes as they move.
import { existsSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import * as z from 'zod'
import { makeHistory } from '../analysis/history.ts'
import { createRunCounts, type RunCounts } from '../analysis/progress.ts'
import { type FoundRun, recordedSummarySchema } from '../domain/history.ts'
import { createTurnJoiner, type JournalRecord, type RecordOf } from '../domain/journal.ts'
import type { ListedRun, LiveRun } from '../domain/listed-run.ts'
import type { Question } from '../domain/question.ts'
import { usageSchema } from '../domain/quota.ts'
import { compareTexts } from '../domain/text.ts'
import { followJournal } from '../journal/follow.ts'
import { messageOf, UsageError } from '../options/faults.ts'
import type { RunManifest } from '../options/manifest.ts'
import { openThreads } from '../runner/thread-state.ts'
import { readJson } from '../store/files.ts'
import { findReportFolders, runFolder, type RunFolder } from '../store/folder.ts'
import { isHeld } from '../store/lock.ts'
import { readManifest } from '../store/manifest.ts'

export interface RunList {
  /**
   * As they are now, the newest first. Reads again only what has changed. A run whose files cannot be read
   * has the state `unreadable`. Throws UsageError if the folder is gone.
   */
  readonly read: () => Promise<readonly ListedRun[]>
}

type Summary = z.infer<typeof listedSummarySchema>

/** What the files of one folder say, while they stay the same. */
interface Entry {
  readonly folder: RunFolder
  readonly name: string
  readonly stamp: string
  readonly row: Omit<ListedRun, 'live' | 'state' | 'series' | 'fault'> & {
    readonly state: ListedRun['state'] | 'open'
  }
  readonly found: FoundRun | undefined
  readonly follow: (() => Promise<LiveRun | null>) | undefined
}

export function openRunList(root: string): RunList {
  const known = new Map<string, Entry>()
  return {
    read: async () => {
      const entries: Entry[] = []
      const rows: ListedRun[] = []
      for (const { path, name, fault } of findReportFolders(root))
        try {
          if (fault !== undefined) throw new UsageError(fault)
          entries.push(entryOf(path, name, known.get(path)))
        } catch (error) {
          rows.push(unreadableRun(root, name, error))
        }
      known.clear()
      for (const entry of entries) known.set(entry.folder.path, entry)
      const history = makeHistory({ runs: entries.flatMap((one) => one.found ?? []), leftOut: [] }, '')
      const trends = new Map(
        history.series.flatMap(({ name: series, runs }) =>
          runs.map(({ folder, groundedChange }) => [folder, { series, change: groundedChange }] as const),
        ),
      )
      for (const entry of entries) {
        const trend = trends.get(entry.name)
        const { row } = entry
        const series = trend?.series ?? `${row.sets.join(' + ')} of ${row.target}`
        const grounded = row.grounded && { ...row.grounded, change: trend?.change ?? null }
        try {
          rows.push({ ...row, series, grounded, fault: null, ...(await stateOf(entry)) })
        } catch (error) {
          rows.push({ ...unreadableRun(root, entry.name, error), ...row, state: 'unreadable' })
        }
      }
      return rows.toSorted((a, b) => compareTexts(b.startedAt, a.startedAt) || compareTexts(a.path, b.path))
    },
  }
}

function unreadableRun(root: string, name: string, error: unknown): ListedRun {
  const path = join(root, name)
  return {
    path: name,
    kind: 'run',
    ids: [],
    sets: [],
    target: '',
    series: '',
    startedAt: timeOf(path) ?? new Date(0).toISOString(),
    endedAt: null,
    state: 'unreadable',
    fault: messageOf(error).replaceAll(`${root}${sep}`, ''),
    reportedAt: null,
    verdict: null,
    grounded: null,
    expectations: null,
    calls: null,
    live: null,
  }
}

/** A run whose process is gone before its end was stopped. */
async function stateOf({
  row: { state },
  folder,
  follow,
}: Entry): Promise<Pick<ListedRun, 'state' | 'live'>> {
  if (state !== 'open') return { state, live: null }
  if (!isHeld(folder.path)) return { state: 'stopped', live: null }
  return { state: 'running', live: (await follow?.()) ?? null }
}

/** Throws if its files cannot be read. `before`: as it was read last. */
function entryOf(path: string, name: string, before: Entry | undefined): Entry {
  const folder = runFolder(path)
  const comparison = join(path, 'comparison.json')
  const files = [folder.manifest, folder.summary, folder.load, folder.limit, comparison, folder.page]
  const stamps = files.map(stampOf)
  const stamp = stamps.join(' ')
  if (before?.stamp === stamp) return before
  const entry = stamps[0] === '' ? comparisonEntry(comparison) : runEntry(folder)
  // The counts of a run that is still written go on; another run may be in its folder by now.
  const isSame = before?.row.ids[0] === entry.row.ids[0]
  const follow = entry.follow && ((isSame ? before?.follow : undefined) ?? entry.follow)
  const found = entry.summary && { ...entry.summary, folder: name }
  const row = { path: name, reportedAt: timeOf(folder.page), ...entry.row }
  return { folder, name, stamp, row, found, follow }
}

const timeOf = (path: string): string | null =>
  statSync(path, { throwIfNoEntry: false })?.mtime.toISOString() ?? null

/** Changes with the file; empty without it. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.mtimeMs} ${stat.size}`
}

interface ReadEntry {
  readonly row: Omit<Entry['row'], 'path' | 'reportedAt'>
  readonly summary?: Summary | undefined
  readonly follow?: Entry['follow']
}

function runEntry(folder: RunFolder): ReadEntry {
  const manifest = readManifest(folder)
  const { startedAt, endedAt, runId, kind, target, datasets } = manifest
  const isOpen = manifest.state === 'running'
  // That of an earlier session says nothing of this one.
  const summary = isOpen ? undefined : readSummary(folder)
  return {
    row: {
      kind,
      ids: [runId],
      sets: datasets.map(({ path }) => path),
      target: target.name,
      startedAt,
      endedAt,
      state: isOpen ? 'open' : manifest.state,
      verdict: summary?.verdict ?? (kind === 'run' ? null : 'done'),
      grounded: summary
        ? { rate: summary.coverage.rate, answered: summary.turns.answered, change: null }
        : null,
      expectations: summary
        ? { passed: summary.expectations.passed, failed: summary.expectations.failed }
        : null,
      calls: summary?.quota.attempts ?? null,
    },
    summary,
    follow: isOpen && manifest.kind === 'run' ? followRun(folder, manifest) : undefined,
  }
}

const listedSummarySchema = recordedSummarySchema.extend({
  expectations: z.object({ rate: z.number().nullable(), passed: z.int(), failed: z.int() }),
  quota: usageSchema,
})

function readSummary({ summary }: RunFolder): Summary | undefined {
  try {
    return listedSummarySchema.parse(readJson(summary))
  } catch {
    return undefined
  }
}

const comparisonSchema = z.object({
  verdict: z.string(),
  runs: z.array(
    z.object({ id: z.string(), label: z.string(), target: z.string(), startedAt: z.string().nullable() }),
  ),
})

function comparisonEntry(path: string): ReadEntry {
  const { verdict, runs } = comparisonSchema.parse(readJson(path))
  const last = runs.at(-1)
  const at = statSync(path).mtime.toISOString()
  return {
    row: {
      kind: 'comparison',
      ids: runs.map(({ id }) => id),
      sets: runs.map(({ label }) => label),
      target: last?.target ?? '',
      startedAt: at,
      endedAt: at,
      state: 'complete',
      verdict,
      grounded: null,
      expectations: null,
      calls: null,
    },
  }
}

// ---- A run that is being sent

const MAX_GAPS = 20

/** How far the run is: each call reads what the journal has gained. Null until it holds the questions. */
function followRun(
  { journal }: RunFolder,
  { options: { groundedSources } }: Pick<RunManifest, 'options'>,
): () => Promise<LiveRun | null> {
  const follow = followJournal(journal)
  const joinTurns = createTurnJoiner()
  const questions: Question[] = []
  const gaps: { readonly id: string; readonly message: string }[] = []
  let counts: RunCounts | undefined
  let pace: RecordOf<'pace'> | undefined
  const add = (record: JournalRecord): void => {
    if (record.kind === 'question') questions[record.index] = record.question
    if (record.kind === 'set') counts = createRunCounts(threadsOf(record, questions), groundedSources)
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
    const { total, done, answered, grounded, errors, attempts, rateLimited } = counts.progress()
    return {
      total,
      done,
      answered,
      grounded,
      errors,
      calls: attempts,
      rateLimited,
      pace: pace?.pace ?? null,
      pausedUntil: pace?.pausedUntil ?? null,
      cause: pace?.cause ?? '',
      gaps: [...gaps],
    }
  }
}

function threadsOf({ ranges, repeats }: RecordOf<'set'>, questions: readonly Question[]) {
  const turns = ranges.flatMap(([from, to]) =>
    questions.slice(from, to + 1).map((question, offset) => ({ index: from + offset, question })),
  )
  return openThreads(turns, repeats)
}
