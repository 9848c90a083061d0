// The library: what `import … from 'assist-harness'` gives, and all that the command line uses of it. Each
// function loads its code when it is called, so that no command waits for the code of another.
import type { AddedCells } from './add-to-set.ts'
import type { AgainSet } from './again.ts'
import type { Conversation, ConversationOptions } from './ask.ts'
import type { CompareOptions, CompareResult } from './compare.ts'
import type { LimitResult, LoadResult } from './conclude-load.ts'
import type { RunResult } from './conclude.ts'
import type { ArticleRecord } from '../domain/articles.ts'
import type { Draft } from '../domain/draft.ts'
import type { DraftOptions } from './draft.ts'
import type { EstimateOptions, EstimateResult, ValidateOptions, ValidateResult } from './estimate.ts'
import type { HistoryOptions, HistoryResult } from './history.ts'
import type { LoadOptions } from './load.ts'
import type { MergeOptions } from './merge.ts'
import type { Ports } from './ports.ts'
import type { RecordedReport, RecordedReportOptions } from './recorded-report.ts'
import type { ReportOptions } from './report.ts'
import type { Review } from '../domain/review.ts'
import type { RunOptions } from './run.ts'
import type { RunList } from './runs.ts'
import type { RunningSandbox, StartOptions } from './sandbox.ts'
import type { ReadSetOptions, Saving, SetReading } from './sets.ts'
import type { SavedSet, ViewedSet } from '../domain/viewed-set.ts'

export { UsageError, type Issue } from '../options/faults.ts'
export { StorageError } from '../domain/storage-error.ts'
export { type Ports, realPorts } from './ports.ts'
export { hideKey, KEY_VARIABLE, Secrets } from './secrets.ts'
export { packageFile, resolveShipped, SHIPPED_QUESTIONS, VERSION } from './shipped.ts'
export type { AskedTurn } from './ask.ts'
export { isLoopback } from '../endpoint/address.ts'
export type { ListedRun, LiveRun } from '../domain/listed-run.ts'
export type { Review } from '../domain/review.ts'
export type { RecordedReport, RecordedReportOptions } from './recorded-report.ts'
export type { RunList } from './runs.ts'
export type { Comparison } from '../domain/comparison.ts'
export type { Summary } from '../domain/summary.ts'
export type * from '../runner/events.ts'
export type { SendingOptions, TargetOptions } from './job.ts'
export type { Ended } from './reports.ts'
export type { SandboxOptions } from './sandbox.ts'
export type {
  AddedCells,
  AgainSet,
  CompareOptions,
  CompareResult,
  Conversation,
  ConversationOptions,
  Draft,
  DraftOptions,
  EstimateOptions,
  EstimateResult,
  HistoryOptions,
  HistoryResult,
  LimitResult,
  LoadOptions,
  LoadResult,
  MergeOptions,
  ReadSetOptions,
  ReportOptions,
  RunOptions,
  RunResult,
  SavedSet,
  Saving,
  SetReading,
  StartOptions,
  ValidateOptions,
  ValidateResult,
  ViewedSet,
}

/**
 * Sends every question of the sets, records the answers, writes the reports. Rejects with UsageError, before
 * anything is sent, if options or sets are wrong. Prints nothing, handles no signals, and does not set the
 * exit code.
 *
 * @example
 * const { verdict, summary, folder } = await run({
 *   datasets: ['questions.csv'],
 *   baseUrl: 'https://desk.example.com',
 *   threshold: ['coverage>=80%'],
 * })
 */
export async function run(options: RunOptions, ports?: Ports): Promise<RunResult> {
  return (await import('./run.ts')).run(options, ports)
}

/**
 * Several targets side by side, each organization behind its own limiter. Results are in the order of the
 * targets. A target without a result has the reason: its answers are recorded, but its reports cannot be
 * written.
 *
 * @example
 * const results = await runTargets({
 *   datasets: ['questions.csv'],
 *   targets: [
 *     { name: 'production', baseUrl: 'https://desk.example.com', apiKeyEnv: 'KEY_PRODUCTION' },
 *     { name: 'staging', baseUrl: 'https://staging.example.com', apiKeyEnv: 'KEY_STAGING' },
 *   ],
 * })
 */
export async function runTargets(
  options: RunOptions,
  ports?: Ports,
): Promise<PromiseSettledResult<RunResult>[]> {
  return (await import('./run.ts')).runTargets(options, ports)
}

/**
 * Starts conversations at a chosen rate, or searches for the rate limit. Rejects with UsageError if nothing
 * was sent.
 *
 * @example
 * const { report } = await load({
 *   datasets: ['questions.csv'],
 *   sandbox: true,
 *   arrivalRate: '2/s',
 *   duration: '30s',
 * })
 */
export async function load(options: LoadOptions, ports?: Ports): Promise<LoadResult | LimitResult> {
  return (await import('./load.ts')).load(options, ports)
}

/**
 * A live conversation with one target, question by question, at the limiter's pace; nothing is recorded.
 * Close it. Rejects with UsageError for invalid options, several targets, and articles that cannot be read.
 *
 * @example
 * const conversation = await openConversation({ sandbox: true, maxCalls: 20 })
 * const { answer, grounded } = await conversation.ask('How do I reset my password?')
 * await conversation.close()
 */
export async function openConversation(options: ConversationOptions, ports?: Ports): Promise<Conversation> {
  return (await import('./ask.ts')).openConversation(options, ports)
}

/**
 * What a run costs, before its first call and without a key. Rejects with UsageError if `run` with the same
 * options does.
 */
export async function estimate(options: EstimateOptions): Promise<EstimateResult> {
  return (await import('./estimate.ts')).estimate(options)
}

/** `estimate` for each of several targets, in their order. */
export async function estimateTargets(options: EstimateOptions): Promise<EstimateResult[]> {
  return (await import('./estimate.ts')).estimateTargets(options)
}

/**
 * What the question sets contain. Faults of the sets are a result; rejects with UsageError for invalid
 * options.
 */
export async function validate(options: ValidateOptions): Promise<ValidateResult> {
  return (await import('./estimate.ts')).validate(options)
}

/**
 * A question set as its rows stand in the file, with all that is wrong with it; a valid one with what it
 * holds and what a run of it costs. Rejects with UsageError for invalid options.
 */
export async function readSet(path: string, options?: ReadSetOptions): Promise<ViewedSet> {
  return (await import('./sets.ts')).readSet(path, options)
}

/**
 * Writes the table as CSV if it is a valid set; the version before stays beside it as `NAME.previous.csv`.
 * Faults are a result. Rejects with UsageError where nothing may be written, and with StorageError if the
 * disk does not take the file.
 *
 * @example
 * const saved = await saveSet('questions.csv', ['message', 'tags'], [['Where is the printer?', 'office']])
 */
export async function saveSet(
  path: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  saving?: Saving,
): Promise<SavedSet> {
  return (await import('./sets.ts')).saveSet(path, columns, rows, saving)
}

/**
 * Appends a question to a set, or sets these cells of the one with the same `id`, or without an id of the
 * same `message`. A text for `expect_contains` or `expect_not_contains` joins those of the cell. A set that
 * is not there is made. Rejects as `saveSet` does.
 *
 * @example
 * await addToSet('questions.csv', { message: 'How do I reset my password?', expect_contains: 'portal' })
 */
export async function addToSet(path: string, cells: AddedCells, reading?: SetReading): Promise<SavedSet> {
  return (await import('./add-to-set.ts')).addToSet(path, cells, reading)
}

/**
 * Writes questions of a recorded run as a set to `file`, each with those before it in its conversation. Their
 * ids stay, so that the run is the baseline of one of the set. Rejects with UsageError for an id that the run
 * does not have.
 *
 * @example
 * const { calls } = await questionsAgain('reports/nightly', ['q-17'], 'again.csv')
 * await run({ datasets: ['again.csv'], baseline: 'reports/nightly', minOverlap: 0, failOn: ['none'] })
 */
export async function questionsAgain(
  folder: string,
  ids: readonly string[],
  file: string,
): Promise<AgainSet> {
  return (await import('./again.ts')).questionsAgain(folder, ids, file)
}

/**
 * Makes a question set from exports of tickets or chats, or from articles, and writes it. Personal data is
 * masked. Sends nothing. Rejects with UsageError, and writes nothing, if there is no question in them, or the
 * file exists.
 *
 * @example
 * const { questions, represented } = await draft({ exports: ['tickets.csv'], limit: 200 })
 */
export async function draft(options: DraftOptions): Promise<Draft> {
  return (await import('./draft.ts')).draft(options)
}

/**
 * Writes the reports of a run folder again, with other rules if they are given. Rejects with UsageError, and
 * writes nothing, if the folder holds nothing to report.
 *
 * @example
 * const { verdict } = await report({ run: 'reports/nightly', threshold: ['coverage>=80%'] })
 */
export async function report(
  options: ReportOptions,
  ports?: Ports,
): Promise<RunResult | LoadResult | LimitResult> {
  return (await import('./report.ts')).report(options, ports)
}

/**
 * Joins the shards of one run, or of one load test. Rejects with UsageError, and writes nothing, if the
 * folders are not those shards.
 */
export async function merge(options: MergeOptions, ports?: Ports): Promise<RunResult | LoadResult> {
  return (await import('./merge.ts')).merge(options, ports)
}

/**
 * Compares runs with a baseline. Writes the comparison's folder and leaves the runs unchanged. Rejects with
 * UsageError if the runs cannot be compared.
 *
 * @example
 * const { verdict, comparison } = await compare({
 *   baseline: 'reports/accepted',
 *   candidates: ['reports/nightly'],
 * })
 */
export async function compare(options: CompareOptions, ports?: Ports): Promise<CompareResult> {
  return (await import('./compare.ts')).compare(options, ports)
}

/** The figures of all runs below a folder over time. Rejects with UsageError for a folder without runs. */
export async function history(options: HistoryOptions): Promise<HistoryResult> {
  return (await import('./history.ts')).history(options)
}

/** A local Assist endpoint with the whole contract. Rejects with UsageError if it cannot start. */
export async function startSandbox(options?: StartOptions): Promise<RunningSandbox> {
  return (await import('./sandbox.ts')).startSandbox(options)
}

/**
 * With `continue`, the options of a resume if the folder of `out` holds a run, else those of a start; other
 * options as they are. `run` does this by itself. Rejects with UsageError without a folder.
 */
export async function continued<Options extends object>(
  options: Options,
  out?: unknown,
): Promise<Omit<Options, 'continue'>> {
  return (await import('./job.ts')).continued(options, out)
}

/**
 * All runs and comparisons below a folder, the newest first; those that any process writes with their
 * progress. `read` reads again only what has changed.
 */
export async function openRunList(folder: string): Promise<RunList> {
  return (await import('./runs.ts')).openRunList(folder)
}

/**
 * The report of a run or a comparison as data. A page that is missing, or of an older version, is written
 * first. Rejects with UsageError for a folder without a run or a comparison.
 */
export async function recordedReport(options: RecordedReportOptions, ports?: Ports): Promise<RecordedReport> {
  return (await import('./recorded-report.ts')).recordedReport(options, ports)
}

/** The reviews of a run, in the order of making: a later one replaces an earlier one of the same answer. */
export async function reviewsIn(folder: string): Promise<readonly Review[]> {
  return (await import('./reviews.ts')).reviewsIn(folder)
}

/**
 * Saves a review in the folder of its run. Rejects with UsageError for a folder without a run, with
 * StorageError if the disk does not take it.
 */
export async function addReview(folder: string, review: Review): Promise<void> {
  return (await import('./reviews.ts')).addReview(folder, review)
}

/** What a run says of each article; undefined for a run without articles. */
export async function articlesIn(folder: string): Promise<readonly ArticleRecord[] | undefined> {
  const { recordedArticles } = await import('./articles.ts')
  return recordedArticles({ folder: (await import('../store/folder.ts')).runFolder(folder) })
}
