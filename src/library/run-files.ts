// The files of a run, in its folder.
import { parse } from 'node:path'
import type { Consulted } from '../analysis/articles.ts'
import { pageTurns } from '../analysis/conversations.ts'
import type { Repeats } from '../analysis/repeats.ts'
import type { ComparisonRow } from '../domain/comparison.ts'
import type { GateOutcome, Summary } from '../domain/summary.ts'
import { renderArticlesCsv } from '../report/articles-csv.ts'
import type { Document } from '../report/document.ts'
import { renderJunit } from '../report/junit.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { namedTarget } from '../report/recorded-blocks.ts'
import { renderResultsCsv } from '../report/results-csv.ts'
import type { Failures, Judged } from '../report/standing.ts'
import { jsonText, type NamedText } from '../store/files.ts'
import { shorten } from '../store/folder.ts'
import { excelSeparator } from '../store/recorded-options.ts'
import type { RecordedRun } from './recorded-run.ts'
import { pageOf } from './reports.ts'
import { reviewsFile } from './reviews.ts'
import { type MergedReviews, reviewingBy } from '../analysis/reviews/book.ts'

/** A judged run, as its files show it. */
export interface JudgedRun {
  readonly summary: Summary
  readonly document: Document
  readonly gates: readonly GateOutcome[]
  readonly judged: Judged
  readonly failures: Failures
  readonly reviews: MergedReviews | undefined
  /** Of the comparison with the baseline, by question id. */
  readonly rows: ReadonlyMap<string, ComparisonRow>
  readonly consulted: Consulted | undefined
}

export function runFiles(
  { folder, manifest }: RecordedRun,
  questions: Iterable<Repeats>,
  excel: boolean | undefined,
  { summary, document, gates, judged, failures, reviews, rows, consulted }: JudgedRun,
): NamedText[] {
  const { runId, startedAt, datasets, columns, target } = manifest
  const { groundedSources } = manifest.options
  const reviewingOf = reviewingBy(reviews)
  const articlesOf = consulted?.of
  // Stays the same when the folder is moved.
  const name = shorten([startedAt.slice(0, 16), ...datasets.map(({ path }) => parse(path).name)].join('-'))
  const results = renderResultsCsv(
    each(questions, (repeats) => repeats),
    { columns, groundedSources, isSandbox: target.sandbox, articlesOf },
    reviewingOf,
    excelSeparator(excel, manifest),
  )
  const cases = renderJunit(questions, {
    name: runId,
    target: namedTarget(target.name),
    startedAt,
    files: datasets.map(({ path }) => path),
    gates,
    judged,
    failing: failures.failed.count + failures.errored.count,
  })
  const turns = each(questions, (repeats) =>
    pageTurns(repeats, { groundedSources, reviewingOf, rows, articlesOf }),
  )
  return [
    ...(reviews === undefined ? [] : [reviewsFile(folder, reviews)]),
    [folder.results, results],
    ...(consulted === undefined ? [] : [[folder.articles, renderArticlesCsv(consulted.records)] as const]),
    [folder.summary, jsonText(summary)],
    [folder.junit, cases],
    [folder.summaryMarkdown, renderMarkdown(document)],
    [folder.page, pageOf(document, { runId, name, reviews, turns })],
  ]
}

function* each<T>(questions: Iterable<Repeats>, of: (repeats: Repeats) => readonly T[]): Generator<T> {
  for (const repeats of questions) yield* of(repeats)
}
