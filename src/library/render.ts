// Render: every file of a run's reports, made from its folder alone: what `run` does at its end and `report` does again.
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'
import { type Asked, suffices } from '../analysis/asked.ts'
import { runTurns, type RunTurnOptions } from '../analysis/page/run-turns.ts'
import type { ReviewFile } from '../analysis/reviews/book.ts'
import { expectationsGate, reasonsOf } from '../analysis/gates/judge.ts'
import { judge } from '../analysis/verdict.ts'
import type { ComparisonRow } from '../domain/comparison/comparison.ts'
import { plural } from '../domain/text.ts'
import type { GateOutcome } from '../domain/gate.ts'
import type { GradedTurn } from '../domain/turn.ts'
import type { LedgerResult, UsageRange } from '../domain/quota.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { PageChange, PageTurn } from '../domain/page.ts'
import type { Summary, SummaryDetails } from '../domain/summary.ts'
import { openPicker } from '../journal/read.ts'
import { createAnnotationGatherer } from '../report/annotations.ts'
import { renderJunit } from '../report/junit.ts'
import { changeOf, reviewOf } from '../report/page/comparison-turn.ts'
import { renderRunOverview } from '../report/page/overview/run.ts'
import { renderPage } from '../report/page/page.ts'
import { renderResultsCsv } from '../report/results-csv.ts'
import type { Judged } from '../report/standing.ts'
import { renderSummaryMarkdown } from '../report/summary-markdown.ts'
import { compareWithBaseline, type BaselineComparison } from './compare.ts'
import { writePieces, writeWhole } from './files.ts'
import { foldRun, gradedQuestions, type RecordedRun, type RunModel } from './fold.ts'
import { nameOfRun, sheetOf } from './manifest.ts'
import { readFolderReviews, writeReviews, type FolderReviews } from './reviews.ts'
import { pageAssets } from './shipped.ts'

/** What a run came to: the figures, and what a screen shows beside them. */
export interface RunReports {
  readonly summary: Summary
  readonly details: SummaryDetails
  /** Undefined without a baseline, and for a run that has not come to its end. */
  readonly comparison: BaselineComparison | undefined
  /** Workflow commands for GitHub. */
  readonly annotations: readonly string[]
}

export interface RenderOptions {
  readonly excel: boolean
  /** Files of reviews that were named. */
  readonly brought?: readonly ReviewFile[] | undefined
  readonly ledger?: ((account: UsageRange) => LedgerResult) | undefined
  readonly note: (text: string) => void
}

/** Throws StorageError where the disk does not take a file, and UsageError for a table of the folder that a person broke. */
export async function renderRun(run: RecordedRun, options: RenderOptions): Promise<RunReports> {
  const { folder, manifest, index } = run
  const { note, ledger } = options
  const picker = openPicker(folder.journal)
  try {
    const reviews = await readFolderReviews(folder, index.questions, options.brought)
    for (const text of reviews.notes) note(text)
    const { questions } = gradedQuestions(index, picker.pick, manifest.options.passPolicy)
    const model = foldRun(run, questions(), reviews.log && reviews.reviewingOf)
    const { summary, comparison, judged, changes } = await compareModel(run, model, reviews, options)
    const account = ledger === undefined ? summary : { ...summary, ledger: ledger(summary.quota) }
    const judgedModel = { ...model, summary: account }
    const sheet = sheetOf(options.excel, manifest)
    await writePieces(
      folder.results,
      renderResultsCsv(
        repeatsOf(questions()),
        manifest.columns,
        manifest.options.groundedSources,
        sheet,
        reviews.log && reviews.cellsOf,
      ),
    )
    if (reviews.log !== undefined) writeReviews(folder, reviews.log)
    writeWhole(folder.summary, `${JSON.stringify(account, null, 2)}\n`)
    writeWhole(folder.summaryMarkdown, renderSummaryMarkdown(account, model.details))
    const annotations = await writeJunit(run, questions(), account, judged)
    await writePieces(folder.page, renderRunPage(run, judgedModel, questions(), reviews, comparison, changes))
    return { summary: account, details: model.details, comparison, annotations }
  } finally {
    picker.close()
  }
}

function* repeatsOf(questions: Iterable<Asked>): Generator<GradedTurn> {
  for (const repeats of questions) yield* repeats
}

/** A shard is not compared: what it holds is another choice of questions than the baseline's. */
async function compareModel(
  { folder, manifest, index }: RecordedRun,
  { summary }: RunModel,
  reviews: FolderReviews,
  { excel }: RenderOptions,
) {
  const changes = createChangeGatherer()
  const before = createBeforeGatherer(manifest)
  const isDone = summary.verdict !== 'incomplete' && manifest.shard === undefined
  const comparison = isDone
    ? await compareWithBaseline(folder, manifest, {
        excel,
        reviewOf: reviews.log && reviews.reviewFor,
        expectations: index.questions,
        see: (row) => {
          changes.add(row)
          before.add(row)
        },
      })
    : undefined
  const whole = withComparison(summary, index.stop, comparison, before)
  const judged: Judged = {
    isGreen: whole.exitCode === 0,
    ...(comparison?.written && { before: { baseline: comparison.result.baseline, byId: before.byId } }),
  }
  return { summary: whole, comparison, judged, changes: changes.found }
}

/** The rules of the comparison are gates among the others. Expectations that failed in the baseline already fail nothing. */
function withComparison(
  summary: Summary,
  stop: RecordedRun['index']['stop'],
  comparison: BaselineComparison | undefined,
  before: BeforeGatherer,
): Summary {
  if (comparison === undefined) return summary
  const { result, written } = comparison
  const rules = written?.comparison.candidates[0]?.gates ?? []
  const own = summary.gates.map((gate) =>
    written !== undefined && gate.name === 'expectations' && !gate.passed
      ? expectationsGate(before.failing.anew)
      : gate,
  )
  const compared = `compared with ${result.baseline}: ${result.reason}`
  const reasons = [...reasonsOf(own), ...(result.verdict === 'failed' ? [compared] : [])]
  const { reason, ...verdict } = judge(stop, summary, reasons)
  const gates = [
    ...own,
    ...rules.map(({ rule, passed, reason: why }) => ({ name: `baseline ${rule}`, passed, reason: why.text })),
    ...(result.verdict === 'failed' && rules.every(({ passed }) => passed)
      ? [{ name: 'baseline', passed: false, reason: result.reason }]
      : []),
  ]
  const { known } = before.failing
  const asBefore = known === 0 ? '' : `; ${plural(known, 'known failure')}, as in ${result.baseline}`
  return { ...summary, ...verdict, reason: `${reason}${asBefore}`, gates, comparison: result }
}

interface BeforeGatherer {
  readonly add: (row: ComparisonRow) => void
  readonly byId: ReadonlyMap<string, 'failed' | 'passed'>
  /** Questions that fail now, by whether they failed before. */
  readonly failing: { readonly known: number; readonly anew: number }
}

/** What the baseline's answer to each question of the run came to. */
function createBeforeGatherer({ options: { passPolicy } }: Manifest): BeforeGatherer {
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
  { verdict, reason, gates: judgedGates }: Summary,
  judged: Judged,
): Promise<readonly string[]> {
  const gates: GateOutcome[] = [
    { name: 'complete', passed: verdict !== 'incomplete', reason },
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

/** Of each question that changed, what became of it, and the repeat that shows it. */
type ShownChanges = ReadonlyMap<string, ShownAt>

interface ShownAt {
  readonly repeat: number
  /** Of the candidate, at that repeat. */
  readonly answer: string | null
  readonly outcome: Outcome | null
  readonly change: PageChange
}

/** Rows in which nothing happened are let go, with their answers. */
function createChangeGatherer() {
  const found = new Map<string, ShownAt>()
  return {
    found: found as ShownChanges,
    add: (row: ComparisonRow): void => {
      const { id, candidate } = row
      if (candidate === null || (row.presence === 'both' && row.kinds.length === 0)) return
      const change = changeOf(row)
      if (change === null) return
      const { repeat, answer, outcome } = candidate
      found.set(id, { repeat, answer, outcome, change })
    },
  }
}

function renderRunPage(
  { manifest }: RecordedRun,
  { summary, details, latencies }: RunModel,
  questions: Iterable<Asked>,
  reviews: FolderReviews,
  comparison: BaselineComparison | undefined,
  changes: ShownChanges,
): Generator<string> {
  const { groundedSources } = manifest.options
  const name = nameOfRun(manifest)
  const written = comparison?.written
  // What became of a question was found at one of its repeats; it is so of all that came to the same.
  const changeOfTurn: RunTurnOptions['changeOf'] = ({ question, repeat, outcome }, answer) => {
    const known = changes.get(question.id)
    if (known === undefined) return { change: null, changeAt: null }
    if (known.repeat === repeat || (known.answer === answer && known.outcome === (outcome ?? null)))
      return { change: known.change, changeAt: null }
    // Where both runs gave the same answer there, nothing is shown that would be worth the way.
    const isNews = known.answer === null || known.answer !== known.change.answer
    return { change: null, changeAt: isNews ? known.repeat : null }
  }
  const turns = function* (): Generator<PageTurn> {
    for (const asked of questions)
      yield* runTurns(asked, {
        groundedSources,
        reviewOf: (turn) => reviewOf(reviews.log === undefined ? null : reviews.reviewingOf(turn)),
        changeOf: changeOfTurn,
      })
  }
  return renderPage({
    title: name,
    overview: renderRunOverview(summary, details, {
      ...latencies,
      ...(written === undefined ? {} : { comparison: written }),
    }),
    turns: turns(),
    kind: 'run',
    names: {
      candidate: name,
      ...(written === undefined ? {} : { baseline: comparison?.result.baseline ?? '' }),
    },
    runs: [manifest.runId],
    table: basename('results.csv'),
    assets: pageAssets(),
  })
}
