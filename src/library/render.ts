// Render: every file of a run's reports, made from its folder alone: what `run` does at its end and `report` does again.
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { type Asked, suffices } from '../analysis/asked.ts'
import { pageChangeOf, pageTurns } from '../analysis/conversations.ts'
import { expectationsGate, reasonsOf } from '../analysis/gates/judge.ts'
import type { ReviewFile } from '../analysis/reviews/book.ts'
import type { Summarised } from '../analysis/summary.ts'
import { judge, textOf } from '../analysis/verdict.ts'
import type { ComparisonRow } from '../domain/comparison.ts'
import type { PageChange, PageTurn } from '../domain/conversations.ts'
import type { GateOutcome, Summary } from '../domain/summary.ts'
import type { Manifest } from '../domain/manifest.ts'
import { message } from '../domain/messages.ts'
import type { LedgerResult, UsageRange } from '../domain/quota.ts'
import type { GradedTurn } from '../domain/turn.ts'
import { openPicker } from '../journal/read.ts'
import { renderPage } from '../page/render.tsx'
import { createAnnotationGatherer } from '../report/annotations.ts'
import { pageChanges } from '../report/comparison-document.ts'
import type { Document } from '../report/document.ts'
import { renderJunit } from '../report/junit.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderResultsCsv } from '../report/results-csv.ts'
import { runDocument } from '../report/run-document.ts'
import type { Judged } from '../report/standing.ts'
import { compareWithBaseline, type BaselineComparison } from './compare.ts'
import { writePieces, writeWhole } from './files.ts'
import { foldRun, gradedQuestions, type RecordedRun } from './fold.ts'
import { runLabel, csvLayout } from './manifest.ts'
import { readFolderReviews, writeReviews, type FolderReviews } from './reviews.ts'
import { pageAssets } from './shipped.ts'

/** What a run came to. */
export interface RunReports {
  readonly summary: Summary
  /** The same for people. */
  readonly document: Document
  /** Undefined without a baseline, and for a run that has not come to its end. */
  readonly comparison: BaselineComparison | undefined
  /** Workflow commands for GitHub. */
  readonly annotations: readonly string[]
}

export interface RenderOptions {
  readonly excel: boolean
  /** Files of reviews that were named. */
  readonly imported?: readonly ReviewFile[] | undefined
  readonly ledger?: ((account: UsageRange) => LedgerResult) | undefined
  readonly note: (text: string) => void
}

/** Throws StorageError where the disk does not take a file, and UsageError for a table of the folder that a person broke. */
export async function renderRun(run: RecordedRun, options: RenderOptions): Promise<RunReports> {
  const { folder, manifest, index } = run
  const { groundedSources, passPolicy } = manifest.options
  const picker = openPicker(folder.journal)
  try {
    const reviews = await readFolderReviews(folder, index.questions, options.imported)
    for (const text of reviews.notes) options.note(text)
    const reviewingOf = reviews.log && reviews.reviewingOf
    const { questions } = gradedQuestions(index, picker.pick, passPolicy)
    const folded = foldRun(run, questions(), reviewingOf)
    const compared = await compareRun(run, folded, reviews, options)
    const ledger = options.ledger?.(folded.summary.quota)
    const summary = { ...compared.summary, ...(ledger && { ledger }) }
    const document = runDocument({ ...folded, summary, baseline: baselineOf(compared.comparison) })
    await writePieces(
      folder.results,
      renderResultsCsv(
        repeatsOf(questions()),
        manifest.columns,
        groundedSources,
        csvLayout(options.excel, manifest),
        reviews.log && reviews.cellsOf,
      ),
    )
    if (reviews.log !== undefined) writeReviews(folder, reviews.log)
    writeWhole(folder.summary, `${JSON.stringify(summary, null, 2)}\n`)
    writeWhole(folder.summaryMarkdown, renderMarkdown(document))
    const annotations = await writeJunit(run, questions(), summary, compared.judged)
    const turns = function* (): Generator<PageTurn> {
      for (const asked of questions())
        yield* pageTurns(asked, { groundedSources, reviewingOf, changes: compared.changes })
    }
    const contents = { runId: manifest.runId, name: runLabel(manifest), changes: pageChanges }
    await writePieces(
      folder.page,
      renderPage({ document, conversations: { contents, turns: turns() }, assets: pageAssets() }),
    )
    return { summary, document, comparison: compared.comparison, annotations }
  } finally {
    picker.close()
  }
}

function* repeatsOf(questions: Iterable<Asked>): Generator<GradedTurn> {
  for (const repeats of questions) yield* repeats
}

function baselineOf(comparison: BaselineComparison | undefined) {
  const written = comparison?.written
  const [review] = written?.comparison.candidates ?? []
  if (written === undefined || review === undefined) return undefined
  return {
    summary: written.baseline,
    name: comparison?.result.baseline ?? '',
    review,
    shown: written.details.shown[0] ?? [],
  }
}

interface Compared {
  readonly summary: Summary
  readonly comparison: BaselineComparison | undefined
  readonly judged: Judged
  readonly changes: ReadonlyMap<string, { readonly repeat: number; readonly change: PageChange }>
}

/** A shard is not compared: what it holds is another choice of questions than the baseline's. */
async function compareRun(
  { folder, manifest, index }: RecordedRun,
  { summary }: Summarised,
  reviews: FolderReviews,
  { excel }: RenderOptions,
): Promise<Compared> {
  const changes = new Map<string, { readonly repeat: number; readonly change: PageChange }>()
  const before = createBaselineOutcomes(manifest)
  const isDone = summary.verdict !== 'incomplete' && manifest.shard === undefined
  const comparison = isDone
    ? await compareWithBaseline(folder, manifest, {
        excel,
        reviewOf: reviews.log && reviews.reviewFor,
        expectations: index.questions,
        see: (row) => {
          before.add(row)
          const change = pageChangeOf(row)
          if (change !== null && row.candidate !== null)
            changes.set(row.id, { repeat: row.candidate.repeat, change })
        },
      })
    : undefined
  const whole = withComparison(summary, index.stop, comparison, before)
  const isGreen = whole.exitCode === 0
  const known = comparison?.written && { baseline: comparison.result.baseline, byId: before.byId }
  return { summary: whole, comparison, judged: { isGreen, ...(known && { before: known }) }, changes }
}

/** The rules of the comparison are gates among the others. Expectations that failed in the baseline already fail nothing. */
function withComparison(
  summary: Summary,
  stop: RecordedRun['index']['stop'],
  comparison: BaselineComparison | undefined,
  { failing }: BaselineOutcomes,
): Summary {
  if (comparison === undefined) return summary
  const { result, written } = comparison
  const own = summary.gates.map((gate) =>
    written !== undefined && gate.name === 'expectations' && !gate.passed
      ? expectationsGate(failing.anew)
      : gate,
  )
  const failed = message('baseline-failed', { baseline: result.baseline, reason: result.reason })
  const hasFailed = result.verdict === 'failed'
  const known =
    failing.known === 0 ? [] : [message('known-failures', { ...failing, baseline: result.baseline })]
  const { verdict, exitCode, reasons } = judge(stop, summary, [
    ...reasonsOf(own),
    ...(hasFailed ? [failed] : []),
  ])
  const rules = written?.comparison.candidates[0]?.gates ?? []
  const gates = [
    ...own,
    ...rules.map(({ rule, passed, reason }) => ({ name: `baseline ${rule}`, passed, reason })),
    ...(hasFailed && rules.every(({ passed }) => passed)
      ? [{ name: 'baseline', passed: false, reason: failed }]
      : []),
  ]
  const all = [...reasons, ...known]
  return { ...summary, verdict, exitCode, reason: textOf(all), reasons: all, gates, comparison: result }
}

interface BaselineOutcomes {
  readonly add: (row: ComparisonRow) => void
  readonly byId: ReadonlyMap<string, 'failed' | 'passed'>
  /** Questions that fail now, by whether they failed before. */
  readonly failing: { readonly known: number; readonly anew: number }
}

/** What the baseline's answer to each question of the run came to. */
function createBaselineOutcomes({ options: { passPolicy } }: Manifest): BaselineOutcomes {
  const byId = new Map<string, 'failed' | 'passed'>()
  const failing = { known: 0, anew: 0 }
  const fails = (side: ComparisonRow['candidate']): boolean =>
    side !== null && side.passRate !== null && !suffices(passPolicy, side.passRate, 1 - side.passRate)
  return {
    byId,
    failing,
    add: ({ id, baseline, candidate, mustPass }) => {
      if (candidate === null) return
      const failed = fails(baseline)
      if (baseline?.outcome === 'answered') byId.set(id, failed ? 'failed' : 'passed')
      if (fails(candidate)) failing[failed && !mustPass ? 'known' : 'anew'] += 1
    },
  }
}

/** Returns the annotations of the same questions and gates. */
async function writeJunit(
  { folder, manifest, index }: RecordedRun,
  questions: Iterable<Asked>,
  { verdict, reasons, gates: judgedGates }: Summary,
  judged: Judged,
): Promise<readonly string[]> {
  const complete = message('run-ended', { reason: textOf(reasons) })
  const gates: GateOutcome[] = [
    { name: 'complete', passed: verdict !== 'incomplete', reason: complete },
    ...judgedGates,
  ]
  const annotations = createAnnotationGatherer(annotationPaths(folder.path, manifest), judged)
  const repeats = function* (): Generator<readonly GradedTurn[]> {
    for (const asked of questions) {
      annotations.add(asked)
      yield asked
    }
  }
  const standing = new Set(index.slots.map((slot) => slot.index))
  const run = {
    name: manifest.runId,
    startedAt: manifest.startedAt,
    files: manifest.datasets.map(({ path }) => path),
    questionsOfThread: ({ index: one }: { readonly index: number }) =>
      index.threadOf(one).filter((other) => standing.has(other)).length,
    gates,
    judged,
  }
  await writePieces(folder.junit, renderJunit(repeats(), run))
  return annotations.finish(gates)
}

/** Question sets as GitHub knows them: from the working directory, where its steps run; undefined where a set stands elsewhere. */
function annotationPaths(folder: string, { datasets }: Manifest): (string | undefined)[] {
  return datasets.map(({ source }) => {
    const path = source === undefined ? '..' : relative(process.cwd(), resolve(folder, source))
    return path === '' || path.startsWith('..') || isAbsolute(path) ? undefined : path.split(sep).join('/')
  })
}
