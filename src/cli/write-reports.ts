// Makes every report of a run from its folder alone: what `run` does at its end and `report` does again.
import type { Asked } from '../analysis/asked.ts'
import { createEvaluationGatherer, type Evaluation } from '../analysis/evaluation.ts'
import type { ReviewFile } from '../analysis/reviews/merge.ts'
import { createReviewTally, type ReviewTally } from '../analysis/reviews/tally.ts'
import type { RunIndex } from '../analysis/run-index.ts'
import type { GradedTurn } from '../domain/graded-turn.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { GateOutcome } from '../domain/gate.ts'
import type { Judged } from '../report/standing.ts'
import type { Summary } from '../domain/summary.ts'
import { StorageError } from '../domain/storage-error.ts'
import { openPicker, type Place } from '../journal/read.ts'
import { createAnnotationGatherer } from '../report/annotations.ts'
import { renderJunit, type JunitRun } from '../report/junit.ts'
import { renderResultsCsv } from '../report/results-csv.ts'
import { renderSummaryMarkdown } from '../report/summary-markdown.ts'
import {
  compareWithBaseline,
  createBeforeGatherer,
  withComparison,
  type BaselineComparison,
} from './comparing/compare-with-baseline.ts'
import { annotationPaths } from './annotation-paths.ts'
import { writeInTurns, writeWhole } from './files.ts'
import { gradedQuestions } from './graded-questions.ts'
import { indexJournal, isBegun, type IndexedJournal } from './index-journal.ts'
import { sheetOf } from './sheet.ts'
import { renderRunOverview } from '../report/page/overview/run.ts'
import { createLatencyGatherer } from '../analysis/latency/gather.ts'
import { readFolderReviews } from './reviews/folder-reviews.ts'
import type { LedgerCheck } from './ledger.ts'
import { keepBroken, writeReviews } from './reviews/write.ts'
import type { RunFolder } from './run-folder.ts'
import { createChangeGatherer, nameOfRun, renderRunPage } from './run-page.ts'

export interface Reports extends Evaluation {
  readonly latencies: ReturnType<ReturnType<typeof createLatencyGatherer>['finish']>
  /** Workflow commands for GitHub. */
  readonly annotations: readonly string[]
  /** Undefined without a baseline, and for a run that has not come to its end. */
  readonly comparison: BaselineComparison | undefined
  /** The first file that the disk did not take, and why; the figures stand all the same. */
  readonly unwritten: StorageError | undefined
  /** False where the journal has not come to its first attempt: no file is written then. */
  readonly isBegun: boolean
  /** What a reader should know of the reviews. */
  readonly reviewNotes: readonly string[]
}

type Gathered = Omit<Reports, 'annotations' | 'comparison' | 'unwritten' | 'isBegun'>

export interface ReportOptions {
  /** Write `results.csv` for Excel. */
  readonly excel: boolean
  /** Where it was read already; it may define its questions anew. */
  readonly journal?: IndexedJournal
  /** Files of reviews that were named; absent where none was. */
  readonly brought?: readonly ReviewFile[] | undefined
  /** What a usage export says of the account. */
  readonly ledger?: LedgerCheck | undefined
}

const NOTHING_SHOWN = { annotations: [], comparison: undefined } as const

export async function writeReports(
  folder: RunFolder,
  manifest: Manifest,
  { excel, journal, brought, ledger }: ReportOptions,
): Promise<Reports> {
  const { index, notes } = journal ?? (await indexJournal(folder))
  const { groundedSources } = manifest.options
  const reviews = await readFolderReviews(folder, index.questions, brought)
  const reviewNotes = [...reviews.notes]
  const picker = openPicker(folder.journal)
  const { questions } = gradedQuestions(index, picker.pick, manifest.options.gates.passPolicy)
  const withLedger = (evaluation: Evaluation): Evaluation => {
    const { summary } = evaluation
    return ledger === undefined
      ? evaluation
      : { ...evaluation, summary: { ...summary, ledger: ledger(summary.quota) } }
  }
  const gather = async (see: (turns: Iterable<GradedTurn>) => void | Promise<void>): Promise<Gathered> => {
    const tally = reviews.isEmpty ? undefined : createReviewTally()
    const evaluation = createEvaluationGatherer(manifest, index, notes)
    const latencies = createLatencyGatherer()
    // One pass over the turns feeds all reports but `junit.xml` and the annotations; only `results.csv` needs the answers, and streams them.
    await see(
      flatten(questions(), (asked) => {
        evaluation.add(asked)
        for (const { turn } of asked.repeats) latencies.add(turn)
        tally?.add(
          asked.repeats.map(({ turn }) => turn),
          reviews.reviewingOf,
        )
      }),
    )
    const found = { latencies: latencies.finish(), reviewNotes }
    return { ...withLedger(withReviews(evaluation.finish(), tally)), ...found }
  }
  const passOver = (turns: Iterable<unknown>): void => {
    const rest = turns[Symbol.iterator]()
    while (rest.next().done !== true);
  }
  try {
    // There is nothing to see yet, and a later sitting must not take it for a run that has lost its journal.
    if (!isBegun(index))
      return { ...(await gather(passOver)), ...NOTHING_SHOWN, unwritten: undefined, isBegun: false }
    const sheet = sheetOf(excel, manifest)
    reviewNotes.push(...keepBroken(reviews.broken))
    const reports = await gather(async (graded) => {
      const rows = renderResultsCsv(graded, manifest.columns, groundedSources, sheet, reviews.cellsOf)
      await writeInTurns(folder.results, rows)
    })
    if (!reviews.isEmpty) writeReviews(folder, reviews.log)
    // A part of a run is not compared: what it holds is another choice of questions than the baseline's.
    const isDone = reports.summary.verdict !== 'incomplete' && manifest.shard === undefined
    const reviewOf = reviews.isEmpty ? undefined : reviews.reviewFor
    const changes = createChangeGatherer()
    const before = createBeforeGatherer(manifest.options.gates.passPolicy)
    const comparison = isDone
      ? await compareWithBaseline(folder, manifest, {
          excel,
          reviewOf,
          expectations: index.questions,
          see: (row) => {
            changes.add(row)
            before.add(row)
          },
        })
      : undefined
    const { details } = reports
    const summary = withComparison(reports.summary, index.stop, comparison, before)
    writeWhole(folder.summary, [`${JSON.stringify(summary, null, 2)}\n`])
    writeWhole(folder.summaryMarkdown, [renderSummaryMarkdown(summary, details)])
    const judged: Judged = {
      isGreen: summary.exitCode === 0,
      ...(comparison?.written && {
        before: { baseline: comparison.result.baseline, byId: before.byId },
      }),
    }
    const gates = gatesOf(summary)
    const annotations = createAnnotationGatherer(annotationPaths(folder.path, manifest), judged)
    const asked = repeatsOf(questions(), (repeats) => annotations.add(repeats))
    await writeInTurns(folder.junit, renderJunit(asked, { ...junitRun(manifest, index), gates, judged }))
    const page = renderRunPage({
      runId: manifest.runId,
      name: nameOfRun(manifest),
      overview: renderRunOverview(summary, details, {
        ...reports.latencies,
        ...(comparison?.written === undefined ? {} : { comparison: comparison.written }),
      }),
      questions: questions(),
      groundedSources,
      reviewingOf: reviews.isEmpty ? undefined : reviews.reviewingOf,
      baseline:
        comparison?.written === undefined
          ? undefined
          : { name: comparison.result.baseline, changes: changes.found },
    })
    await writeInTurns(folder.page, page)
    const shown = { annotations: annotations.finish(gates), comparison }
    return { ...reports, ...shown, summary, unwritten: undefined, isBegun: true }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return { ...(await gather(passOver)), ...NOTHING_SHOWN, unwritten: error, isBegun: true }
  } finally {
    picker.close()
  }
}

/** Every gate, and that the run came to its end. */
const gatesOf = ({ verdict, reason, gates }: Summary): GateOutcome[] => [
  { name: 'complete', passed: verdict !== 'incomplete', reason },
  ...gates,
]

function withReviews(evaluation: Evaluation, tally: ReviewTally | undefined): Evaluation {
  if (tally === undefined) return evaluation
  return {
    ...evaluation,
    summary: { ...evaluation.summary, reviews: tally.counts },
    details: { ...evaluation.details, awaited: tally.awaited() },
  }
}

function junitRun(
  { runId, startedAt, datasets }: Manifest,
  { threads, slots }: RunIndex<Place>,
): Omit<JunitRun, 'gates' | 'judged'> {
  const standing = new Set(slots.map(({ index }) => index))
  return {
    name: runId,
    startedAt,
    files: datasets.map(({ path }) => path),
    questionsOfThread: ({ index }) => threads.besides(index).filter((one) => standing.has(one)).length,
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

/** The answers to each question; `see` sees them first. */
function* repeatsOf(
  questions: Iterable<Asked>,
  see: (repeats: readonly GradedTurn[]) => void,
): Generator<readonly GradedTurn[]> {
  for (const { repeats } of questions) {
    see(repeats)
    yield repeats
  }
}
