// The library: what `import … from 'assist-harness'` gives, and all that the command line uses of it. What
// each function promises stands here.

export { UsageError, type Issue } from '../options/faults.ts'
export { StorageError } from '../domain/storage-error.ts'
export { isLoopback } from '../endpoint/address.ts'
export type { Comparison } from '../domain/comparison.ts'
export type { Draft } from '../domain/draft.ts'
export type { ListedRun, LiveRun } from '../domain/listed-run.ts'
export type { Review } from '../domain/review.ts'
export type { Summary } from '../domain/summary.ts'
export type { SavedSet, ViewedSet } from '../domain/viewed-set.ts'
export type * from '../runner/events.ts'
export { type Ports, realPorts } from './ports.ts'
export { hideKey, KEY_VARIABLE, Secrets } from './secrets.ts'
export { packageFile, resolveShipped, SHIPPED_QUESTIONS, VERSION } from './shipped.ts'
export type { AddedCells } from './add-to-set.ts'
export type { AgainSet } from './again.ts'
export type { AskedTurn, Conversation, ConversationOptions } from './ask.ts'
export type { CompareOptions, CompareResult } from './compare.ts'
export type { LimitResult, LoadResult } from './conclude-load.ts'
export type { RunResult } from './write-run.ts'
export type { DraftOptions } from './draft.ts'
export type { EstimateOptions, EstimateResult, ValidateOptions, ValidateResult } from './estimate.ts'
export type { HistoryOptions, HistoryResult } from './history.ts'
export type { SendingOptions, TargetOptions } from './job.ts'
export type { LoadOptions } from './load.ts'
export type { MergeOptions } from './merge.ts'
export type { RecordedReport, RecordedReportOptions } from './recorded-report.ts'
export type { ReportOptions } from './report.ts'
export type { Ended } from './reports.ts'
export type { RunOptions } from './run.ts'
export type { RunList } from './runs.ts'
export type { SandboxOptions, StartOptions } from './sandbox.ts'
export type { ReadSetOptions, Saving, SetReading } from './sets.ts'

/** A function whose code is loaded when it is called: no command waits for the code of another. */
const late =
  <Args extends unknown[], Result>(load: () => Promise<(...args: Args) => Promise<Result> | Result>) =>
  async (...args: Args): Promise<Result> =>
    (await load())(...args)

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
export const run = late(async () => (await import('./run.ts')).run)

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
export const runTargets = late(async () => (await import('./run.ts')).runTargets)

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
export const load = late(async () => (await import('./load.ts')).load)

/**
 * A live conversation with one target, question by question, at the limiter's pace; nothing is recorded.
 * Close it. Rejects with UsageError for invalid options, several targets, and articles that cannot be read.
 *
 * @example
 * const conversation = await openConversation({ sandbox: true, maxCalls: 20 })
 * const { answer, grounded } = await conversation.ask('How do I reset my password?')
 * await conversation.close()
 */
export const openConversation = late(async () => (await import('./ask.ts')).openConversation)

/**
 * Estimates what a run costs, before its first call and without a key. Rejects with UsageError for invalid
 * options and sets.
 */
export const estimate = late(async () => (await import('./estimate.ts')).estimate)

/** `estimate` for each of several targets, in their order. */
export const estimateTargets = late(async () => (await import('./estimate.ts')).estimateTargets)

/** Surveys question sets. Faults of the sets are a result; rejects with UsageError for invalid options. */
export const validate = late(async () => (await import('./estimate.ts')).validate)

/**
 * A question set as its rows stand in the file, with all that is wrong with it; a valid one with what it
 * holds and what a run of it costs. Rejects with UsageError for invalid options.
 */
export const readSet = late(async () => (await import('./sets.ts')).readSet)

/**
 * Writes the table as CSV if it is a valid set; the version before stays beside it as `NAME.previous.csv`.
 * Faults are a result. Rejects with UsageError where nothing may be written, and with StorageError if the
 * disk does not take the file.
 *
 * @example
 * const saved = await saveSet('questions.csv', ['message', 'tags'], [['Where is the printer?', 'office']])
 */
export const saveSet = late(async () => (await import('./sets.ts')).saveSet)

/**
 * Appends a question to a set, or sets these cells of the one with the same `id`, or without an id of the
 * same `message`. A text for `expect_contains` or `expect_not_contains` joins those of the cell. A set that
 * is not there is made. Rejects as `saveSet` does.
 *
 * @example
 * await addToSet('questions.csv', { message: 'How do I reset my password?', expect_contains: 'portal' })
 */
export const addToSet = late(async () => (await import('./add-to-set.ts')).addToSet)

/**
 * Writes questions of a recorded run as a set to `file`, each with those before it in its conversation. Their
 * ids stay, so that the run is the baseline of one of the set. Rejects with UsageError for an id that the run
 * does not have.
 *
 * @example
 * const { calls } = await questionsAgain('reports/nightly', ['q-17'], 'again.csv')
 * await run({ datasets: ['again.csv'], baseline: 'reports/nightly', minOverlap: 0, failOn: ['none'] })
 */
export const questionsAgain = late(async () => (await import('./again.ts')).questionsAgain)

/**
 * Makes a question set from exports of tickets or chats, and writes it. Personal data is masked. Sends
 * nothing. Rejects with UsageError, and writes nothing, if there is no question in them, or the file exists.
 *
 * @example
 * const { questions, represented } = await draft({ exports: ['tickets.csv'], limit: 200 })
 */
export const draft = late(async () => (await import('./draft.ts')).draft)

/**
 * Writes the reports of a run folder again, with other rules if they are given. Rejects with UsageError, and
 * writes nothing, if the folder holds nothing to report.
 *
 * @example
 * const { verdict } = await report({ run: 'reports/nightly', threshold: ['coverage>=80%'] })
 */
export const report = late(async () => (await import('./report.ts')).report)

/**
 * Joins the shards of one run. Rejects with UsageError, and writes nothing, if the folders are not those
 * shards.
 */
export const merge = late(async () => (await import('./merge.ts')).merge)

/**
 * Compares a run with a baseline. Writes the comparison's folder and leaves the runs unchanged. Rejects with
 * UsageError if the runs cannot be compared.
 *
 * @example
 * const { verdict, comparison } = await compare({
 *   baseline: 'reports/accepted',
 *   candidate: 'reports/nightly',
 * })
 */
export const compare = late(async () => (await import('./compare.ts')).compare)

/** The runs below a folder with their figures. Rejects with UsageError for a folder without runs. */
export const history = late(async () => (await import('./history.ts')).history)

/** A local Assist endpoint with the whole contract. Rejects with UsageError if it cannot start. */
export const startSandbox = late(async () => (await import('./sandbox.ts')).startSandbox)

/**
 * All runs and comparisons below a folder, the newest first; those that any process writes with their
 * progress. `read` reads again only what has changed.
 */
export const openRunList = late(async () => (await import('./runs.ts')).openRunList)

/**
 * The report of a run or a comparison as data. A page that is missing, or of an older version, is written
 * first. Rejects with UsageError for a folder without a run or a comparison.
 */
export const recordedReport = late(async () => (await import('./recorded-report.ts')).recordedReport)

/** The reviews of a run, in the order of making: a later one replaces an earlier one of the same answer. */
export const reviewsIn = late(async () => (await import('./reviews.ts')).reviewsIn)

/**
 * Saves a review in the folder of its run. Rejects with UsageError for a folder without a run, with
 * StorageError if the disk does not take it.
 */
export const addReview = late(async () => (await import('./reviews.ts')).addReview)
