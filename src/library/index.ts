// The library: what `import … from 'assist-harness'` gives, and all that the command line uses of it.
// docs/reference/library.md has what each function takes and resolves to, with examples.

import { optionError, UsageError } from '../options/faults.ts'

export { UsageError, type Issue } from '../options/faults.ts'
export { StorageError } from '../domain/storage-error.ts'
export type { ArticleRecord, Decision, NewDecision, WholeArticle } from '../domain/articles.ts'
export type { Comparison } from '../domain/comparison.ts'
export type { PageTurn } from '../domain/conversations.ts'
export type { Draft } from '../domain/draft.ts'
export type { Estimate } from '../domain/estimate.ts'
export type { History } from '../domain/history.ts'
export type { ListedRun, LiveRun } from '../domain/listed-run.ts'
export type { Survey } from '../domain/question.ts'
export type { Rehearsal } from '../domain/rehearsal.ts'
export type { Review } from '../domain/review.ts'
export type { Summary } from '../domain/summary.ts'
export type { ToDo } from '../domain/to-do.ts'
export type { SavedSet, SetChange } from '../domain/viewed-set.ts'
export type { PageData } from '../page/store.ts'
export type * from '../runner/events.ts'
export type { RunningSandbox } from '../sandbox/server.ts'
export {
  KEY_VARIABLE,
  type Ports,
  realPorts,
  resolveShipped,
  Secrets,
  SHIPPED_QUESTIONS,
  VERSION,
} from './ports.ts'
export type { Conversation, ConversationOptions } from './ask.ts'
export type { CompareOptions, CompareResult } from './compare.ts'
export type { RunResult } from './write-run.ts'
export type { DraftOptions } from './draft.ts'
export type { EstimateOptions, EstimateResult, ValidateOptions, ValidateResult } from './estimate.ts'
export type { HistoryOptions, HistoryResult } from './history.ts'
export type { SendingOptions, TargetOptions } from './job.ts'
export type { LoadOptions } from './load.ts'
export type { MergeOptions } from './merge.ts'
export type { RehearseOptions, RehearseResult, TriedEdit } from './rehearse.ts'
export type { LimitResult, LoadResult, ReportOptions, RunSets } from './report.ts'
export type { Ended } from './reports.ts'
export type { RunOptions } from './run.ts'
export type { RunList } from './runs.ts'
export type { SandboxOptions, StartOptions } from './sandbox.ts'
export type { SetReading, ViewedSet } from './sets.ts'

/** A first argument that is options of a program, with those of them that are paths and must be there. */
type Takes = 'a path' | 'a list of paths' | readonly string[]

/** Makes a function whose code is loaded when it is called: no command waits for the code of another. */
const late =
  <Args extends unknown[], Result>(
    takes: Takes,
    load: () => Promise<(...args: Args) => Promise<Result> | Result>,
  ) =>
  async (...args: Args): Promise<Result> => {
    const use = await load()
    rejectMissing(takes, args, use.length)
    return use(...args)
  }

/** Throws UsageError for what the types forbid: programs in JavaScript know no types. */
function rejectMissing(takes: Takes, [first, ...others]: readonly unknown[], count: number): void {
  const isPath = (value: unknown): boolean => typeof value === 'string' && value !== ''
  if (typeof takes === 'string') {
    const isMet = takes === 'a path' ? isPath(first) : Array.isArray(first) && first.every(isPath)
    if (!isMet) throw new UsageError(`the first argument must be ${takes}`)
  } else if (first !== undefined || count > 0) {
    if (typeof first !== 'object' || first === null)
      throw new UsageError('the options are missing: the first argument must be an object')
    const options = new Map(Object.entries(first))
    const wrong = takes.find((name) => !isPath(options.get(name)))
    if (wrong !== undefined)
      throw optionError(wrong, options.has(wrong) ? 'must be a path' : 'is missing: name its path')
  }
  if (others.length < count - 1) throw new UsageError(`too few arguments: ${count} are needed`)
}

/**
 * Sends every question of the sets, records the answers, writes the reports. Rejects with UsageError, before
 * anything is sent, if options or sets are wrong. Prints nothing, handles no signals, and does not set the
 * exit code.
 */
export const run = late([], async () => (await import('./run.ts')).run)

/**
 * Runs several targets side by side, each organization behind its own limiter. A target without a result has
 * the reason: its answers are recorded, but its reports cannot be written.
 */
export const runTargets = late([], async () => (await import('./run.ts')).runTargets)

/** Starts conversations at a chosen rate, or searches for the rate limit. */
export const load = late([], async () => (await import('./load.ts')).load)

/** Opens a live conversation with one target; nothing is recorded. Close it. */
export const openConversation = late([], async () => (await import('./ask.ts')).openConversation)

/** Estimates what a run costs, before its first call and without a key. */
export const estimate = late([], async () => (await import('./estimate.ts')).estimate)

/** Estimates the cost of each of several targets, in their order. */
export const estimateTargets = late([], async () => (await import('./estimate.ts')).estimateTargets)

/** Surveys question sets. Faults of the sets are a result. */
export const validate = late([], async () => (await import('./estimate.ts')).validate)

/** Reads a set as its rows stand in the file, with all that is wrong with it and what a run of it costs. */
export const readSet = late('a path', async () => (await import('./sets.ts')).readSet)

/** Tells a question set from other tables by its header. */
export const holdsQuestions = late('a path', async () => (await import('./sets.ts')).holdsQuestions)

/** Keeps those of `column` that name a header of a set, as it writes them: a config file is for all sets. */
export const columnsOfSet = late('a path', async () => (await import('./sets.ts')).columnsOfSet)

/**
 * Writes a valid set as CSV, without empty rows; the version before stays beside it as `NAME.previous.csv`.
 * Rejects with UsageError if the file has another `digest`.
 */
export const saveSet = late('a path', async () => (await import('./sets.ts')).saveSet)

/** Takes a change of a set back. Rejects with UsageError if the file has been changed since. */
export const undoSet = late('a path', async () => (await import('./sets.ts')).undoSet)

/**
 * Appends a question to a set, or sets these cells of the one with the same `id`, or without an id of the
 * same `message` (and `thread` and `turn`, if given). A text for `expect_contains` or `expect_not_contains`
 * joins those of the cell; an empty text empties it. Missing columns are appended, and a set that is not
 * there is made. Faults are a result; rejects with UsageError for a set in another tool's format.
 */
export const addToSet = late('a path', async () => (await import('./sets.ts')).addToSet)

/** Reads the texts that sets demand or forbid of their questions, by id; an unreadable set has none. */
export const expectedNow = late('a list of paths', async () => (await import('./again.ts')).expectedNow)

/**
 * Writes questions of a run as a set to `file`, each with those before it in its conversation. Their ids
 * stay, so that the run is the baseline of one of the set.
 */
export const questionsAgain = late('a path', async () => (await import('./again.ts')).questionsAgain)

/** Makes a question set from exports of tickets or chats. Personal data is masked. */
export const draft = late([], async () => (await import('./draft.ts')).draft)

/** Writes the reports of a run folder again, with other rules if they are given. */
export const report = late(['run'], async () => (await import('./report.ts')).report)

/** Tries an edit of the articles on a recorded run: lists what it will change. Makes no call. */
export const rehearse = late(['run'], async () => (await import('./rehearse.ts')).rehearse)

/** Tries an edit of the articles as `rehearse` does, and writes nothing. */
export const tryEdit = late('a path', async () => (await import('./rehearse.ts')).tryEdit)

/** Joins the shards of one run. */
export const merge = late([], async () => (await import('./merge.ts')).merge)

/** Compares a run with a baseline, in a folder of its own. */
export const compare = late([], async () => (await import('./compare.ts')).compare)

/** Lists the runs below a folder with their figures. */
export const history = late(['folder'], async () => (await import('./history.ts')).history)

/** Tries the gate of each series of runs on its nights, as `history` does, and writes nothing. */
export const gateTrials = late('a path', async () => (await import('./history.ts')).gateTrials)

/** Starts a local Assist endpoint with the whole contract. */
export const startSandbox = late([], async () => (await import('./sandbox.ts')).startSandbox)

/** Lists all runs and comparisons below a folder; those that any process writes with their progress. */
export const openRunList = late('a path', async () => (await import('./runs.ts')).openRunList)

/**
 * Reads the report of a run or a comparison as data: null, with a reason, while a process writes the run, and
 * for one without a question sent. A page of an older version is written first, unless `mayWrite` is false.
 */
export const recordedReport = late(['folder'], async () => (await import('./report.ts')).recordedReport)

/** Lists the question sets that a run has sent; of questions asked again, those of the run before. */
export const setsOfRun = late('a path', async () => (await import('./report.ts')).setsOfRun)

/** Reads the reviews of a run: a later one replaces an earlier one of the same answer. */
export const reviewsIn = late('a path', async () => (await import('./reviews.ts')).reviewsIn)

/**
 * Saves who answers a question in `decisions.csv` beside the run: the id of an article, null for none;
 * undefined takes back what was decided.
 */
export const addDecision = late('a path', async () => (await import('./reviews.ts')).addDecision)

/** Reads the decisions that hold for a run. Rejects with UsageError for a table with a fault. */
export const decisionsOf = late('a path', async () => (await import('./reviews.ts')).decisionsOf)

/**
 * Lists what is to do in the articles after a run: to be written, facts to mend (but for values that `sets`
 * expect by now), contradictions. Empty without a report of this version.
 */
export const toDo = late('a path', async () => (await import('./again.ts')).toDo)

/** Reads what a run says of each of its articles; empty where its folder has no table of them. */
export const articlesOfRun = late('a path', async () => (await import('./articles.ts')).articlesOfRun)

/** Reads one article of a run as it is now, and says where it is not what the run was held against. */
export const wholeArticle = late('a path', async () => (await import('./articles.ts')).wholeArticle)

/** Names a run or a comparison in lists; an empty name gives back that of its folder. */
export const nameRun = late('a path', async () => (await import('./runs.ts')).nameRun)

/** Saves a review in the folder of its run. */
export const addReview = late('a path', async () => (await import('./reviews.ts')).addReview)
