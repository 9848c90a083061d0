// Render: every file of a run's reports, made from its folder alone: what `run` does at its end and `report` does again.
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Asked } from '../analysis/asked.ts'
import { pageTurns } from '../analysis/conversations.ts'
import type { ReviewFile } from '../analysis/reviews/book.ts'
import { summarise } from '../analysis/summary.ts'
import { textOf } from '../analysis/verdict.ts'
import type { PageTurn } from '../domain/conversations.ts'
import type { GateOutcome, Summary } from '../domain/summary.ts'
import type { Manifest } from '../domain/manifest.ts'
import { message } from '../domain/messages.ts'
import type { LedgerResult, UsageRange } from '../domain/quota.ts'
import type { GradedTurn } from '../domain/turn.ts'
import { openPicker } from '../journal/read.ts'
import { annotate } from '../report/annotations.ts'
import { createFailureGatherer } from '../report/failures.ts'
import { renderJunit } from '../report/junit.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderResultsCsv } from '../report/results-csv.ts'
import { runDocument } from '../report/run-document.ts'
import type { Judged } from '../report/standing.ts'
import { judgeWithBaseline } from './baseline.ts'
import { writeJson, writePieces, writeWhole } from './files.ts'
import { gradedQuestions, type RecordedRun } from './fold.ts'
import { runLabel, csvLayout } from './manifest.ts'
import { readFolderReviews, writeReviews } from './reviews.ts'
import { writePage } from './report-page.ts'

export interface RenderOptions {
  readonly excel: boolean
  /** Reviews of `--reviews` files and question sets. */
  readonly imported?: readonly ReviewFile[] | undefined
  readonly ledger?: ((account: UsageRange) => LedgerResult) | undefined
  readonly note: (text: string) => void
}

/** Throws StorageError where the disk rejects a file, and UsageError for a table in the folder that cannot be read any more. */
export async function renderRun(run: RecordedRun, options: RenderOptions) {
  const { folder, manifest, index } = run
  const { groundedSources, passPolicy } = manifest.options
  const picker = openPicker(folder.journal)
  try {
    const reviews = await readFolderReviews(folder, index.questions, options.imported)
    for (const text of reviews.notes) options.note(text)
    const reviewingOf = reviews.log && reviews.reviewingOf
    const { questions } = gradedQuestions(index, picker.pick, passPolicy)
    const folded = summarise(questions(), run, { reviewingOf })
    const compared = await judgeWithBaseline(run, folded.summary, reviews, options.excel)
    const ledger = options.ledger?.(folded.summary.quota)
    const summary = { ...compared.summary, ...(ledger && { ledger }) }
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
    writeJson(folder.summary, summary)
    const { failures, annotations } = await writeJunit(run, questions(), summary, compared.judged)
    const document = runDocument({ ...folded, summary, failures, baseline: compared.baseline })
    writeWhole(folder.summaryMarkdown, renderMarkdown(document))
    const turns = function* (): Generator<PageTurn> {
      for (const asked of questions())
        yield* pageTurns(asked, { groundedSources, reviewingOf, changes: compared.changes })
    }
    const { runId } = manifest
    await writePage(folder.page, document, { runId, name: runLabel(manifest), turns: turns() })
    return { summary, document, comparison: compared.comparison, annotations }
  } finally {
    picker.close()
  }
}

function* repeatsOf(questions: Iterable<Asked>): Generator<GradedTurn> {
  for (const repeats of questions) yield* repeats
}

/** Returns what failed, and the GitHub annotations of the same questions and gates. */
async function writeJunit(
  { folder, manifest, index }: RecordedRun,
  questions: Iterable<Asked>,
  { verdict, reasons, gates: judgedGates }: Summary,
  judged: Judged,
) {
  const complete = message('run-ended', { reason: textOf(reasons) })
  const gates: GateOutcome[] = [
    { name: 'complete', passed: verdict !== 'incomplete', reason: complete },
    ...judgedGates,
  ]
  const gatherer = createFailureGatherer(judged)
  const repeats = function* (): Generator<readonly GradedTurn[]> {
    for (const asked of questions) {
      gatherer.add(asked)
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
  const failures = gatherer.finish()
  return { failures, annotations: annotate(failures, gates, annotationPaths(folder.path, manifest)) }
}

/** Question sets relative to the working directory, as GitHub annotations name files; undefined for a set outside of it. */
function annotationPaths(folder: string, { datasets }: Manifest): (string | undefined)[] {
  return datasets.map(({ source }) => {
    const path = source === undefined ? '..' : relative(process.cwd(), resolve(folder, source))
    return path === '' || path.startsWith('..') || isAbsolute(path) ? undefined : path.split(sep).join('/')
  })
}
