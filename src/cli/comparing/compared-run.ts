// A recorded run as comparisons read it: its questions first, then its turns, graded as the comparison decides.
import type { ToldTurn } from '../../analysis/comparison/compared-side.ts'
import { turnSummaryOf, type TurnSummary } from '../../analysis/comparison/turn-summary.ts'
import { mustPassOf } from '../../analysis/must-pass.ts'
import type { RunIndex } from '../../analysis/run-index.ts'
import { createSummaryGatherer } from '../../analysis/summarise.ts'
import { turnRecordOf } from '../../analysis/turn-records.ts'
import { failuresOf } from '../../domain/grade.ts'
import type { Manifest } from '../../domain/manifest.ts'
import type { Question } from '../../domain/question.ts'
import type { Summary } from '../../domain/summary.ts'
import { openPicker } from '../../journal/read.ts'
import { plural } from '../../domain/digits.ts'
import { holderOf } from '../folder-lock.ts'
import { gradedQuestions } from '../graded-questions.ts'
import { indexJournal, isBegun, refuseLostJournal, type IndexedJournal } from '../index-journal.ts'
import { refuseLoadTest } from '../load/refuse-load.ts'
import { refuseFolderOfRuns } from '../runs-within.ts'
import { readManifest, runFolder } from '../run-folder.ts'
import { UsageError } from '../../library/usage-error.ts'

export interface ComparedRun {
  readonly path: string
  readonly manifest: Manifest
  /** By the number that the run gave them; some may be lost. */
  readonly questions: readonly (Question | undefined)[]
  /** `questions`: in the place of the recorded ones, with what is expected of them now. */
  read(questions: readonly (Question | undefined)[], groundedSources: readonly string[]): Promise<ReadRun>
  close(): void
}

export interface ReadRun {
  readonly turns: readonly TurnSummary[]
  /** What was found odd in the journal. */
  readonly notes: readonly string[]
  /** The run's own figures. */
  readonly summary: Summary
  /** Ids of `must_pass` questions that failed what they expect, whenever they were asked. */
  readonly failingMustPass: ReadonlySet<string>
  /** A turn with its answer, read again; graded again only where it failed, to say why. */
  readonly told: (turn: TurnSummary) => ToldTurn
}

const NOT_COMPARED = 'it asks each question many times, by a timetable, and cannot be compared with a run'

/**
 * `whyNoLoad`: what cannot be done with a load test, as the end of a sentence. Throws UsageError where the folder holds no
 * run, or none that was begun and ended.
 */
export async function openRun(path: string, whyNoLoad = NOT_COMPARED): Promise<ComparedRun> {
  const folder = runFolder(path)
  const holder = holderOf(path)
  if (holder !== undefined)
    throw new UsageError(`${path}: ${holder} is still writing this run; wait for it, or stop it`)
  refuseFolderOfRuns(path)
  const manifest = readManifest(folder)
  refuseLoadTest(manifest, path, whyNoLoad)
  const journal = await indexJournal(folder)
  await refuseLostJournal(folder, manifest, journal.index)
  if (!isBegun(journal.index)) throw new UsageError(`${path} holds nothing to compare: no question was asked`)
  const picker = openPicker(folder.journal)
  return {
    path,
    manifest,
    questions: journal.index.questions,
    read: async (questions, groundedSources) =>
      readRun({ ...journal, index: { ...journal.index, questions } }, manifest, picker.pick, groundedSources),
    close: picker.close,
  }
}

async function readRun(
  { index, notes }: IndexedJournal,
  recorded: Manifest,
  pick: ReturnType<typeof openPicker>['pick'],
  groundedSources: readonly string[],
): Promise<ReadRun> {
  const manifest = { ...recorded, options: { ...recorded.options, groundedSources: [...groundedSources] } }
  const summaries = createSummaryGatherer(manifest, index, notes)
  const turns: TurnSummary[] = []
  const failingMustPass = new Set<string>()
  const { passPolicy } = manifest.options.gates
  const { questions, grade } = gradedQuestions(index, pick, passPolicy)
  for (const asked of questions()) {
    for (const one of asked.repeats) {
      summaries.add(one.turn, one.grade)
      turns.push(turnSummaryOf(one, groundedSources))
    }
    const failed = mustPassOf(asked, passPolicy)
    if (failed !== undefined && failed.graded && !failed.confirmed) failingMustPass.add(failed.id)
  }
  return {
    turns,
    notes: [...notes, ...noteLost(index)],
    failingMustPass,
    summary: summaries.finish({ mustPass: [], flaky: [], gaps: [], wrongAnswers: [] }),
    told: (turn) => {
      const record = turnRecordOf(index, pick, index.slotOf(turn.index, turn.repeat))
      if (record === undefined) throw new Error(`no record of ${turn.id}, repeat ${turn.repeat}`)
      return { turn: record, failures: turn.passed === false ? failuresOf(grade(record).grade) : [] }
    },
  }
}

/** Slots of the set whose question no record tells any more. */
function noteLost({ slots, questions }: RunIndex<unknown>): string[] {
  const numbers = new Set<number>()
  for (const { index } of slots) {
    if (questions.at(index) === undefined) numbers.add(index)
  }
  const lost = numbers.size
  return lost === 0
    ? []
    : [
        `the journal has lost ${plural(lost, 'question')}: what the other run has of them is called added or removed`,
      ]
}
