// Fold: reads the journals of a run folder into a model and its figures. Repeatable: it only reads.
import { existsSync } from 'node:fs'
import { groupRepeats } from '../analysis/repeats.ts'
import { grade } from '../analysis/grading/grade.ts'
import { createFold, type Model } from '../analysis/fold.ts'
import { turnRecords } from '../analysis/turns.ts'
import type { PassPolicy, GradedTurn, TurnRecord } from '../domain/turn.ts'
import type { JournalRecord, Position } from '../domain/journal.ts'
import type { Manifest } from '../domain/manifest.ts'
import { journalsOf, readJournal, type RecordPicker } from '../journal/read.ts'
import { limitHeapGrowth } from './question-sets.ts'
import { createRegexMatcher } from './regex-with-deadline.ts'
import { holderOf } from './lock.ts'
import { readManifest, runFolder, type RunFolder } from './run-folder.ts'
import { UsageError } from './usage-error.ts'

export interface RecordedRun {
  readonly folder: RunFolder
  readonly manifest: Manifest
  readonly model: Model
  /** Lines of the journals that cannot be read. */
  readonly notes: readonly string[]
}

/** Throws UsageError if the folder holds no run with a call, or a process is still writing it. */
export async function openRecorded(path: string): Promise<RecordedRun> {
  const manifest = openManifest(path)
  const run = await foldRun(runFolder(path), manifest)
  if (run.model.set === undefined && run.model.attempts === 0)
    throw new UsageError(`${path} has no answers: no question was sent; start it with run --resume ${path}`)
  return run
}

/** Throws UsageError if the folder holds no run, or a process is still writing it. */
export function openManifest(path: string): Manifest {
  const manifest = readManifest(runFolder(path))
  const holder = holderOf(path)
  if (holder !== undefined)
    throw new UsageError(`${path}: ${holder} is still writing this run: wait for it, or stop it`)
  return manifest
}

/** Throws UsageError if the journal of a run that had started is gone. */
export async function foldRun(folder: RunFolder, manifest: Manifest): Promise<RecordedRun> {
  const { model, notes } = await readModel(folder)
  const hasBegun = manifest.state !== 'running' || existsSync(folder.results)
  const holdsAny = model.lastAt !== undefined && (model.set !== undefined || model.attempts > 0)
  if (hasBegun) rejectLostJournal(folder, holdsAny)
  return { folder, manifest, model, notes }
}

export async function readModel(folder: RunFolder): Promise<Pick<RecordedRun, 'model' | 'notes'>> {
  limitHeapGrowth(journalsOf(folder.journal))
  const fold = createFold()
  const notes = await foldJournals(folder, fold)
  return { model: fold.finish(), notes }
}

/** `holdsAny`: whether any record can be read. */
export function rejectLostJournal({ journal }: RunFolder, holdsAny: boolean): void {
  if (!holdsAny)
    throw new UsageError(
      `${journal} has no line that can be read, but the run had started: restore it, or start a new run`,
    )
}

const MOST_NOTES = 20

interface JournalFold {
  add(record: JournalRecord, position: Position): void
  /** A line that cannot be read and may have been an intent: its attempt may have been sent. */
  addLostIntent(): void
}

/** Reads all journals line by line. Returns notes on lines that cannot be read. */
export async function foldJournals({ journal }: RunFolder, fold: JournalFold): Promise<string[]> {
  const notes: string[] = []
  if (!existsSync(journal)) return notes
  for await (const entry of readJournal(journal)) {
    if (entry.kind === 'record') fold.add(entry.record, entry.position)
    if (entry.kind === 'garbled' && entry.mayBeIntent) fold.addLostIntent()
    if (entry.kind === 'record' || notes.length === MOST_NOTES) continue
    notes.push(
      entry.kind === 'torn'
        ? `the last line of ${entry.file} (${entry.line}) is incomplete and was skipped`
        : `line ${entry.line} of ${entry.file} cannot be read and was skipped: ${entry.reason}`,
    )
  }
  return notes
}

/** `questions`: in the order of the set; each pass reads the answers from the journals again. */
export function gradedQuestions(model: Model, pick: RecordPicker['pick'], policy: PassPolicy) {
  const matches = createRegexMatcher()
  const gradeTurn = (turn: TurnRecord): GradedTurn => ({ turn, grade: grade(turn, { matches }) })
  const turns = function* (): Generator<GradedTurn> {
    for (const turn of turnRecords(model, pick)) yield gradeTurn(turn)
  }
  return { questions: () => groupRepeats(turns(), policy), grade: gradeTurn }
}
