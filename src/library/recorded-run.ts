// The one reader of a run folder: opens it, and folds its journals. It only reads, and can be repeated.
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { ReadableRun } from '../analysis/comparing/pair.ts'
import { createFold } from '../analysis/figures/fold.ts'
import { createTurnJoiner, type JournalEvent, type Position } from '../domain/journal.ts'
import type { Stop } from '../domain/stop.ts'
import { type Manifest, type RunManifest, sentOptions } from '../options/manifest.ts'
import { missingJournal, openPicker, readJournal } from '../journal/read.ts'
import { findHolder } from '../store/lock.ts'
import { readManifest, requireRun } from '../store/manifest.ts'
import { runFolder, type RunFolder } from '../store/folder.ts'
import { createEventSink, type RunEvent } from '../runner/events.ts'
import type { Ports } from './ports.ts'
import type { CommandName } from '../options/commands.ts'
import { UsageError } from '../options/faults.ts'
import type { CommandOptions } from '../options/settings.ts'

export interface RunRecord {
  readonly path: string
  readonly manifest: RunManifest
  readonly folder: RunFolder
}

export interface RecordedRun extends ReadableRun, RunRecord {
  /** Closes the journals that `pick` has opened, until it is called again. */
  readonly close: () => void
}

export interface Reading {
  readonly ports: Ports
  readonly note?: (text: string) => void
  /** Holds the runs that this command has opened: each is read once, and waited for once. */
  readonly opened?: Map<string, RecordedRun>
}

export type ReadingOptions<Command extends CommandName> = CommandOptions<Command> & {
  /** Is called with the notes. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

export function startReading(ports: Ports, onEvent: ((event: RunEvent) => void) | undefined) {
  const { note, notes } = createEventSink(onEvent, ports.clock)
  return { ports, note, notes, opened: new Map<string, RecordedRun>() }
}

/**
 * Opens a recorded run to read it. Throws UsageError if the folder holds no run with a question sent, if it
 * holds a load test (`notLoad`: what is not possible with one), and if a process is still writing it.
 */
export async function openRun(
  path: string,
  notLoad: string,
  reading: Reading,
  { manifest, beside }: { readonly manifest?: Manifest; readonly beside?: readonly JournalFold[] } = {},
): Promise<RecordedRun> {
  const known = reading.opened?.get(resolve(path))
  if (known !== undefined) return known
  const opened = requireRun(manifest ?? (await openManifest(path, reading)), path, notLoad)
  const run = await foldRun(runFolder(path), opened, beside)
  if (run.model.set === undefined && run.model.attempts === 0)
    throw new UsageError(`${path} has no answers: no question was sent; start it with run --resume ${path}`)
  reading.opened?.set(resolve(path), run)
  return run
}

/** Reads a manifest, and masks the run's key. Throws UsageError without a run, or if a process writes it. */
export async function openManifest(path: string, { ports, note }: Reading): Promise<Manifest> {
  const manifest = readManifest(runFolder(path))
  ports.secrets.keepLong(ports.env[manifest.target.apiKeyEnv])
  const holder = await findHolder(path, note ?? (() => undefined))
  if (holder !== undefined)
    throw new UsageError(`${path}: ${holder} is still writing this run: wait for it, or stop it`)
  return manifest
}

/** Throws UsageError if the journal of a run that had started is gone. */
export async function foldRun(
  folder: RunFolder,
  manifest: RunManifest,
  beside?: readonly JournalFold[],
): Promise<RecordedRun> {
  const run = await foldJournalsOf(folder, manifest, undefined, beside)
  const { set, attempts, lastAt } = run.model
  // The page is the last report: a disk that rejects the first lines of a journal has no space for it.
  const hasReports = existsSync(folder.results) && existsSync(folder.page)
  const hasBegun = manifest.state !== 'running' || hasReports
  if (hasBegun) rejectLostJournal(folder, lastAt !== undefined && (set !== undefined || attempts > 0))
  return run
}

/** Takes the `stop` of the session, since the journals may lack it if the disk was full. */
export async function foldJournalsOf(
  folder: RunFolder,
  manifest: RunManifest,
  stop?: Stop,
  beside: readonly JournalFold[] = [],
): Promise<RecordedRun> {
  const { path } = folder
  const fold = createFold()
  const notes = await foldJournals(folder, [fold, ...beside])
  const model = fold.finish()
  // Of the articles of a sandbox only the folder is known.
  const { knowledgeBase } = manifest.target
  return {
    folder,
    path,
    name: basename(resolve(path)),
    manifest,
    model: { ...model, stop: model.stop ?? stop },
    notes,
    // Where a table has its questions is no difference in what was sent.
    sent: {
      ...sentOptions(manifest),
      '--column': undefined,
      '--kb': knowledgeBase && join(path, knowledgeBase),
    },
    ...openPicker(folder.journal),
  }
}

export function rejectLostJournal({ journal }: RunFolder, holdsAny: boolean): void {
  if (!holdsAny)
    throw new UsageError(
      `${journal} has no line that can be read, but the run had started: restore it, or start a new run`,
    )
}

const MAX_NOTES = 20

export interface JournalFold {
  add(event: JournalEvent, position: Position): void
  /** Counts a line that cannot be read and may have been an intent: its attempt may have been sent. */
  addLostIntent?(): void
}

/** Reads all journals once; returns notes on unreadable lines. Throws UsageError if one is gone. */
export async function foldJournals({ journal }: RunFolder, folds: readonly JournalFold[]): Promise<string[]> {
  const notes: string[] = []
  const missing = missingJournal(journal)
  if (missing !== undefined)
    throw new UsageError(
      `${missing} is missing, but a later journal is there: restore it, or start a new run`,
    )
  if (!existsSync(journal)) return notes
  const joinTurns = createTurnJoiner()
  for await (const entry of readJournal(journal)) {
    if (entry.kind === 'record') {
      const event = joinTurns(entry.record)
      for (const fold of folds) fold.add(event, entry.position)
    }
    if (entry.kind === 'garbled' && entry.mayBeIntent) for (const fold of folds) fold.addLostIntent?.()
    if (entry.kind === 'record' || notes.length === MAX_NOTES) continue
    notes.push(
      entry.kind === 'torn'
        ? `the last line of ${entry.file} (${entry.line}) is incomplete and was skipped`
        : `line ${entry.line} of ${entry.file} cannot be read and was skipped: ${entry.reason}`,
    )
  }
  return notes
}
