// Compares two recorded runs, graded alike.
import { basename, resolve } from 'node:path'
import { consultArticles, type Consulted, indexArticles } from '../analysis/articles/consult.ts'
import { pageTurnOfRow } from '../analysis/comparing/conversations.ts'
import { gradedQuestions } from '../analysis/figures/graded.ts'
import { compareRuns } from '../analysis/comparing/compare.ts'
import { withEdits } from '../analysis/comparing/judged-run.ts'
import { backAgain } from '../analysis/comparing/rows.ts'
import { unmatchedReviews } from '../analysis/reviews/book.ts'
import { CHANGE_LISTS, EDITED } from '../domain/changes.ts'
import { type Comparison, type ComparisonOptions, DEFAULT_RULES } from '../domain/comparison.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { optionError, UsageError } from '../options/faults.ts'
import { recordedOptions } from '../options/manifest.ts'
import { readOptions, type RunSettings } from '../options/settings.ts'
import { COMPARISON_COLUMNS } from '../report/tables.ts'
import { sheetOf } from '../report/workbook.ts'
import { makeFolder, PRIVATE, writeFiles } from '../store/files.ts'
import { freeFolder, isComparison, isRun, plainName, rejectTaken, runFolder } from '../store/folder.ts'
import { openArticles, openRunArticles, readTaught, recordedArticles } from './articles.ts'
import { earlierChanges } from './earlier-runs.ts'
import { openCompared } from './judging.ts'
import { type Ports, realPorts, VERSION } from './ports.ts'
import { type ReadingOptions, type RecordedRun, startReading } from './recorded-run.ts'
import { comparisonFiles, type Ended, pageOf, workbookFiles } from './reports.ts'
import { keepReviews, loadReviews, mergedReviews, reviewsOf } from './reviews.ts'

export interface CompareOptions extends ReadingOptions<'compare'> {
  readonly baseline: string
  readonly candidate: string
}

export interface CompareResult extends Ended {
  readonly kind: 'comparison'
  readonly verdict: 'passed' | 'failed' | 'done'
  readonly comparison: Comparison
}

export async function compare(options: CompareOptions, ports: Ports = realPorts()): Promise<CompareResult> {
  const { baseline, candidate, onEvent, ...written } = options
  const reading = startReading(ports, onEvent)
  const { note, notes } = reading
  const settings = readOptions('compare', written)
  for (const [name, path] of Object.entries({ baseline, candidate }))
    if (typeof path !== 'string' || path === '') throw optionError(name, 'must be a path of a run folder')
  if (resolve(baseline) === resolve(candidate))
    throw new UsageError(`${baseline} is given twice; name two runs`)
  const at = new Date(ports.clock.wall())
  const folder = settings.out ?? freeFolder(at, `compare-${plainName(basename(resolve(candidate)))}`)
  // A comparison may take the place of an earlier one.
  if (isRun(folder) || !isComparison(folder)) rejectTaken(folder)
  const articles =
    settings.articles === undefined ? undefined : await openArticles(settings.articles, settings, note)
  const named = await loadReviews(settings.reviews ?? [], note)
  const accepted = await openCompared(baseline, reading)
  const judged = await openCompared(candidate, reading)
  // If both have a review of an answer, the later run decides.
  const isInOrder = accepted.manifest.startedAt <= judged.manifest.startedAt
  const carried = await reviewsOf(isInOrder ? [baseline, candidate] : [candidate, baseline])
  const reviews = await mergedReviews(folder, [...carried, ...named], judged.model.questions)
  const before = await recordedArticles(accepted.folder)
  if (before === undefined && articles !== undefined)
    note(`the baseline has no articles.csv: write it with report ${baseline} --articles PATH`)
  const recorded = before && (await recordedArticles(judged.folder))
  // Without those of the baseline, nothing is said of edits.
  const read = articles ? undefined : await openRunArticles(judged, false, ports, before ? note : () => {})
  const now = recorded && (articles ?? read?.articles)
  try {
    const compared = compareRuns(accepted, judged, {
      options: comparisonOptions(settings, judged),
      quota: settings.quota,
      harnessVersion: VERSION,
      reviewOf: reviews?.book.reviewFor,
      notes: unmatchedReviews(reviews, [accepted, judged]),
    })
    const { rows } = compared
    const { groundedSources } = compared.comparison.options
    const indexes = articles
      ? indexArticles(articles, await readTaught({ articles: settings.articles, run: candidate }))
      : read?.indexes
    const questions = gradedQuestions(judged.model, judged.pick, judged.manifest.options)
    const consulted = indexes && consultArticles(questions, groundedSources, indexes)
    const comparison = withEdits(compared, before, now && { articles: now, recorded })
    const again = backAgain(comparison.candidates[0].changes, earlierChanges(judged))
    const { document, files } = comparisonFiles(folder, comparison, rows, again)
    const { page, workbook } = runFolder(folder)
    const { label: name, id: runId } = comparison.runs[1]
    makeFolder(folder, PRIVATE)
    if (reviews !== undefined) keepReviews(runFolder(folder), reviews)
    await writeFiles([
      ...files,
      ...workbookFiles(workbook, settings.excel, () => [
        sheetOf('Changes', { columns: COMPARISON_COLUMNS, rows }),
      ]),
      [
        page,
        pageOf(document, {
          contents: {
            runId,
            name,
            changes: [...CHANGE_LISTS, EDITED],
            contradictions: consulted?.figures.articles.contradictions,
            edited: editedOf(comparison),
          },
          turns: turnsOf(compared, consulted?.of),
          textOf: consulted?.textOf,
        }),
      ],
    ])
    const { verdict, exitCode, reason } = comparison
    const ended = { verdict, exitCode, reason, folder: resolve(folder), path: folder, notes, unwritten: null }
    return { kind: 'comparison', ...ended, document, comparison }
  } finally {
    accepted.close()
    judged.close()
  }
}

function* turnsOf(
  { rows, comparison }: ReturnType<typeof compareRuns>,
  articlesOf: Consulted['of'] | undefined,
): Generator<PageTurn> {
  for (const row of rows) {
    const turn = pageTurnOfRow(row, comparison.options.groundedSources, articlesOf)
    if (turn !== null) yield turn
  }
}

/** Changed facts are known to be of an article; where that was edited, it is why. */
function editedOf({ candidates: [{ articles }] }: Comparison): Record<string, string> {
  const edited = new Set(articles?.edited.map(({ article }) => article))
  const facts = [...(articles?.facts ?? []), ...(articles?.stale ?? [])]
  return Object.fromEntries(
    facts
      .filter(({ article }) => edited.has(article))
      .flatMap(({ title, questions }) => questions.map(({ id }) => [id, title])),
  )
}

/** Lets the candidate's own rules hold if the command gives none. */
function comparisonOptions(settings: RunSettings, { manifest }: RecordedRun): ComparisonOptions {
  const { failOn, groundedSources } = settings
  const { alpha, margin, minOverlap } = recordedOptions.parse(settings)
  return {
    failOn: failOn ?? DEFAULT_RULES,
    areNamed: failOn !== undefined,
    alpha,
    margin,
    minOverlap,
    groundedSources: groundedSources ?? manifest.options.groundedSources,
  }
}
