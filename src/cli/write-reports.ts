// Makes every report of a run from its folder alone: what `run` does at its end and `report` does again.
import { askedQuestions, type Asked } from '../analysis/asked.ts'
import { createEvaluationGatherer, type Evaluation } from '../analysis/evaluation.ts'
import { grade } from '../analysis/grading/grade.ts'
import { threadKey, type RunIndex } from '../analysis/run-index.ts'
import { confirmationsOf, turnRecords } from '../analysis/turn-records.ts'
import type { GradedTurn } from '../domain/graded-turn.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { Question } from '../domain/question.ts'
import { StorageError } from '../domain/storage-error.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { openPicker, type Place } from '../journal/read.ts'
import { createAnnotationGatherer } from '../report/annotations.ts'
import { renderJunit, type JunitRun } from '../report/junit.ts'
import { renderResultsCsv } from '../report/results-csv.ts'
import { renderSummaryMarkdown } from '../report/summary-markdown.ts'
import { annotationPaths } from './annotation-paths.ts'
import { writeWhole } from './files.ts'
import { indexJournal, isBegun, type IndexedJournal } from './index-journal.ts'
import { spreadsheetSeparator } from './locale.ts'
import { createRegexMatcher } from './regex-with-deadline.ts'
import type { RunFolder } from './run-folder.ts'

export interface Reports extends Evaluation {
  /** Workflow commands for GitHub. */
  readonly annotations: readonly string[]
  /** The first file that the disk did not take, and why; the figures stand all the same. */
  readonly unwritten: StorageError | undefined
  /** False where the journal has not come to its first attempt: no file is written then. */
  readonly isBegun: boolean
}

export interface ReportOptions {
  /** Write `results.csv` for Excel. */
  readonly excel: boolean
  /** Where it was read already; it may define its questions anew. */
  readonly journal?: IndexedJournal
}

export async function writeReports(
  folder: RunFolder,
  manifest: Manifest,
  { excel, journal }: ReportOptions,
): Promise<Reports> {
  const { index, notes } = journal ?? (await indexJournal(folder, manifest))
  const { groundedSources } = manifest.options
  const picker = openPicker(folder.journal)
  const matches = createRegexMatcher()
  const grading = (turn: TurnRecord): GradedTurn => ({ turn, grade: grade(turn, { matches }) })
  const confirmations = confirmationsOf(index, picker.pick)
  const questions = function* (): Generator<Asked> {
    const turns = map(turnRecords(index, picker.pick), grading)
    const again = ({ turn }: GradedTurn): GradedTurn[] =>
      turn.question.mustPass ? confirmations(turn).map(grading) : []
    yield* askedQuestions(turns, again, manifest.options.gates.passPolicy)
  }
  const gather = (see: (turns: Iterable<GradedTurn>) => void): Omit<Reports, 'unwritten' | 'isBegun'> => {
    const evaluation = createEvaluationGatherer(manifest, index, notes)
    const annotations = createAnnotationGatherer(annotationPaths(folder.path, manifest))
    // One pass over the turns feeds all reports but `junit.xml`; only `results.csv` needs the answers, and streams them.
    see(
      flatten(questions(), (asked) => {
        evaluation.add(asked)
        for (const graded of asked.repeats) annotations.add(graded)
      }),
    )
    return { ...evaluation.finish(), annotations: annotations.finish() }
  }
  const passOver = (turns: Iterable<unknown>): void => {
    const rest = turns[Symbol.iterator]()
    while (rest.next().done !== true);
  }
  try {
    // There is nothing to see yet, and a later sitting must not take it for a run that has lost its journal.
    if (!isBegun(index)) return { ...gather(passOver), unwritten: undefined, isBegun: false }
    const sheet = excel ? { excel: { separator: spreadsheetSeparator(process.env) } } : { excel: undefined }
    const reports = gather((graded) => {
      writeWhole(folder.results, renderResultsCsv(graded, manifest.columns, groundedSources, sheet))
    })
    const { summary, details } = reports
    writeWhole(folder.summary, [`${JSON.stringify(summary, null, 2)}\n`])
    writeWhole(folder.summaryMarkdown, [renderSummaryMarkdown(summary, details)])
    writeWhole(folder.junit, renderJunit(flatten(questions()), junitRun(manifest, index)))
    return { ...reports, unwritten: undefined, isBegun: true }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return { ...gather(passOver), unwritten: error, isBegun: true }
  } finally {
    picker.close()
  }
}

function junitRun({ runId, startedAt, datasets }: Manifest, { slots, questions }: RunIndex<Place>): JunitRun {
  const lengths = new Map<string, number>()
  for (const { index } of slots) {
    const question = questions[index]
    if (question === undefined) continue
    const key = threadKey(question)
    lengths.set(key, (lengths.get(key) ?? 0) + 1)
  }
  return {
    name: runId,
    startedAt,
    files: datasets.map(({ path }) => path),
    turnsOfThread: (question: Question) => lengths.get(threadKey(question)) ?? Number.POSITIVE_INFINITY,
  }
}

/** The turns of the questions; `see` sees each question first. */
function* flatten(
  questions: Iterable<Asked>,
  see: (asked: Asked) => void = () => undefined,
): Generator<GradedTurn> {
  for (const asked of questions) {
    see(asked)
    yield* asked.repeats
  }
}

function* map<A, B>(items: Iterable<A>, make: (item: A) => B): Generator<B> {
  for (const item of items) yield make(item)
}
