// Judges a recorded run and writes all that its folder says of it. `run`, `report` and `merge` end here.
import { rmSync } from 'node:fs'
import { isAbsolute, join, parse, relative, resolve, sep } from 'node:path'
import { pageTurns } from '../analysis/comparing/conversations.ts'
import { type JudgedRun, judgeRun } from '../analysis/comparing/judged-run.ts'
import type { Repeats } from '../analysis/figures/graded.ts'
import { turnsLeft } from '../analysis/figures/fold.ts'
import { CHANGE_LISTS, EDITED } from '../domain/changes.ts'
import type { Comparison } from '../domain/comparison.ts'
import { budgetForPart } from '../domain/shard.ts'
import type { Stop } from '../domain/stop.ts'
import type { RunState, Summary } from '../domain/summary.ts'
import type { RunManifest } from '../options/manifest.ts'
import { type Annotations, annotationsOf } from '../report/annotations.ts'
import { renderJunit } from '../report/junit.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { gaugesOfRun } from '../report/metric-figures.ts'
import { namedTarget } from '../report/recorded-blocks.ts'
import { resultsTable } from '../report/results-csv.ts'
import { runDocument } from '../report/run-document.ts'
import { failuresOf } from '../report/failures.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { ARTICLE_COLUMNS, COMPARISON_COLUMNS, gapsTable } from '../report/tables.ts'
import { type Sheet, sheetOf } from '../report/workbook.ts'
import { jsonText, type NamedText } from '../store/files.ts'
import { isComparison, plainName, type RunFolder } from '../store/folder.ts'
import { earlierReviews } from './earlier-runs.ts'
import { openMeter, type RecordedMeter } from './metrics.ts'
import { type JudgingOptions, openJudging, type OpenJudging } from './open-judging.ts'
import { foldJournalsOf, type RecordedRun } from './recorded-run.ts'
import { comparisonFiles, type Ended, pageOf, workbookFiles, writeReports } from './reports.ts'
import { keepReviews } from './reviews.ts'

export interface RunResult extends Ended {
  readonly kind: 'run'
  readonly target: string
  readonly state: RunState
  readonly verdict: Summary['verdict']
  readonly summary: Summary
  /** Is null without `baseline`, and if the run is not complete. */
  readonly comparison: Comparison | null
  /** Lists arguments of `run` that finish it; null if nothing is left to send. */
  readonly resume: readonly string[] | null
  readonly annotations: Annotations
}

/** Writes the first report of a run or of a merged one. */
export async function writeNewRun(
  folder: RunFolder,
  manifest: RunManifest,
  options: JudgingOptions,
  stop?: Stop,
): Promise<RunResult> {
  const meter = await openMeter(manifest, folder.path)
  const run = await foldJournalsOf(folder, manifest, stop, [meter])
  return concludeRun(run, await openJudging(run, options, await earlierReviews(run)), options, meter)
}

/** Judges a run and writes all that its folder says of it. The meter has heard its journal. */
export async function concludeRun(
  run: RecordedRun,
  judging: OpenJudging,
  options: JudgingOptions,
  meter: RecordedMeter,
): Promise<RunResult> {
  try {
    return await writeRun(run, judgeRun(run, judging), options, meter)
  } finally {
    run.close()
    judging.close()
  }
}

async function writeRun(
  run: RecordedRun,
  judged: JudgedRun,
  { settings, reading }: JudgingOptions,
  meter: RecordedMeter,
): Promise<RunResult> {
  const { folder, manifest } = run
  const { summary, comparison, reviews, gates, backAgain } = judged
  const isOver = summary.verdict !== 'incomplete' && summary.state !== 'decided'
  const canResume = !isOver && !isWrongAddress(run)
  const resume = canResume ? resumeArguments(run, summary, settings.retryErrors) : null
  const retry = isOver && canRetry(summary) ? ['--resume', run.path, '--retry-errors'] : null
  const turns = turnsOf(judged, manifest.options.groundedSources)
  const tables = tablesOf(run, judged, settings.excel)
  const compared = comparison ? comparisonFiles(run.path, comparison, judged.rows, backAgain).files : []
  const failures = failuresOf(judged.standings)
  const document = runDocument({ ...judged, failures, resume: resume ?? retry })
  const target = namedTarget(manifest.target.name)
  const junit = renderJunit(judged.standings, {
    name: manifest.runId,
    target,
    startedAt: manifest.startedAt,
    files: manifest.datasets.map((file) => file.path),
    gates,
  })
  // It stays the same when the folder is moved.
  const sets = manifest.datasets.map((file) => parse(file.path).name)
  const name = plainName([manifest.startedAt.slice(0, 16), ...sets].join('-'))
  const files: NamedText[] = [
    ...compared,
    [folder.metrics, await meter.text(gaugesOfRun(summary), summary.turns.notSent)],
    ...tables,
    [folder.summary, jsonText(summary)],
    [folder.junit, junit],
    [folder.summaryMarkdown, renderMarkdown(document)],
    [
      folder.page,
      pageOf(document, {
        contents: {
          runId: manifest.runId,
          name,
          changes: [...CHANGE_LISTS, EDITED],
          contradictions: summary.articles?.contradictions,
        },
        turns,
        textOf: judged.consulted?.textOf,
      }),
    ],
  ]
  const ended = await writeReports(folder, summary, document, files, () => {
    if (reviews !== undefined) keepReviews(folder, reviews)
  })
  // Those of an earlier report: this one compares nothing.
  if (comparison === null && ended.unwritten === null && isComparison(run.path))
    for (const file of ['comparison.csv', 'comparison.json', 'comparison.md'])
      rmSync(join(run.path, file), { force: true })
  // The other gates of an incomplete run would bury why it stopped.
  const shown = summary.verdict === 'incomplete' ? gates.slice(0, 1) : gates
  // Annotations name question sets relative to the working directory; undefined for a set outside of it.
  const paths = manifest.datasets.map(({ source }) => {
    const path = relative(reading.ports.cwd, resolve(run.path, source))
    return path === '' || path.startsWith('..') || isAbsolute(path) ? undefined : path.split(sep).join('/')
  })
  return {
    kind: 'run',
    ...ended,
    target: manifest.target.name,
    state: summary.state,
    summary,
    comparison,
    resume,
    annotations: annotationsOf(failures, shown, paths, target),
  }
}

function turnsOf({ questions, rows, reviewingOf, consulted }: JudgedRun, groundedSources: readonly string[]) {
  // A removed question may have the id of another: ids may be row numbers.
  const changed = new Map(rows.flatMap((row) => (row.candidate === null ? [] : [[row.id, row]])))
  const showing = { groundedSources, reviewingOf, rows: changed, articlesOf: consulted?.of }
  return each(questions, (repeats) => pageTurns(repeats, showing))
}

/** Gives every question in tables: files, and sheets of the workbook. */
function tablesOf(
  { folder, manifest }: RecordedRun,
  { questions, summary, details, reviewingOf, rows, consulted }: JudgedRun,
  excel: boolean | undefined,
): NamedText[] {
  const { groundedSources } = manifest.options
  const articles = consulted && { columns: ARTICLE_COLUMNS, rows: consulted.records }
  const results = () =>
    resultsTable(
      each(questions, (repeats) => repeats),
      {
        columns: manifest.columns,
        groundedSources,
        isSandbox: manifest.target.sandbox,
        articlesOf: consulted?.of,
      },
      reviewingOf,
    )
  const sheets = (): Sheet[] => [
    sheetOf('Results', results()),
    ...(details.gaps.count === 0 ? [] : [sheetOf('Gaps', gapsTable(details.gaps.items, summary))]),
    ...(rows.length === 0 ? [] : [sheetOf('Changes', { columns: CHANGES, rows })]),
    ...(articles === undefined ? [] : [sheetOf('Articles', articles)]),
  ]
  return [
    [folder.results, renderSpreadsheet(results())],
    ...workbookFiles(folder.workbook, excel, sheets),
    ...(articles === undefined ? [] : [[folder.articles, renderSpreadsheet(articles)] as const]),
  ]
}

/** Leaves reviews to one sheet alone, so that an edited copy says one thing. */
const CHANGES = COMPARISON_COLUMNS.filter(([name]) => name !== 'review' && name !== 'note')

function* each<T>(questions: Iterable<Repeats>, of: (repeats: Repeats) => readonly T[]): Generator<T> {
  for (const repeats of questions) yield* of(repeats)
}

/** Where no path has an answer, `--base-url` is wrong, which a resume keeps. */
const isWrongAddress = ({ model: { stop, slots } }: RecordedRun): boolean =>
  stop?.kind === 'elsewhere' && stop.httpStatus === 404 && slots.every(({ outcome }) => outcome === undefined)

/** A refused question is refused again. */
const canRetry = ({ errors: { errors, byOutcome } }: Summary): boolean => errors > (byOutcome['refused'] ?? 0)

/** Limits the estimate: above this share of 429s the number of calls that are needed is not known. */
const MAX_REFUSED_SHARE = 0.5

/** Raises a budget that would be used up again, assuming the share of 429s so far. */
function resumeArguments(
  { path, manifest: { options, shard, target }, model }: RecordedRun,
  { quota, pacing }: Summary,
  retryErrors = false,
): readonly string[] {
  const args = ['--resume', path, ...(retryErrors ? ['--retry-errors'] : [])]
  const turns = Math.max(1, turnsLeft(model, target.sandbox))
  const left = turns / (1 - Math.min(MAX_REFUSED_SHARE, pacing.rate429 ?? 0))
  const needed = quota.attempts + Math.ceil(left)
  if (options.maxCalls === null || needed <= options.maxCalls) return args
  return [...args, '--max-calls', String(shard === undefined ? needed : budgetForPart(needed, shard))]
}
