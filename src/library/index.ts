// The library: what `import … from 'assist-harness'` gives, and all that the command line uses of it. Each
// function loads its code when it is called, so that no command waits for the code of another.
import type { CompareOptions, CompareResult } from './compare.ts'
import type { LimitResult, LoadResult } from './conclude-load.ts'
import type { RunResult } from './conclude.ts'
import type { Draft } from '../domain/draft.ts'
import type { DraftOptions } from './draft.ts'
import type { EstimateOptions, EstimateResult, ValidateOptions, ValidateResult } from './estimate.ts'
import type { HistoryOptions, HistoryResult } from './history.ts'
import type { LoadOptions } from './load.ts'
import type { MergeOptions } from './merge.ts'
import type { Ports } from './ports.ts'
import type { ReportOptions } from './report.ts'
import type { RunOptions } from './run.ts'
import type { RunningSandbox, StartOptions } from './sandbox.ts'

export { UsageError, type Issue } from '../options/faults.ts'
export { type Ports, realPorts } from './ports.ts'
export { hideKey, KEY_VARIABLE, Secrets } from './secrets.ts'
export { resolveShipped, SHIPPED_QUESTIONS, VERSION } from './shipped.ts'
export type { Comparison } from '../domain/comparison.ts'
export type { Summary } from '../domain/summary.ts'
export type * from '../runner/events.ts'
export type { SendingOptions, TargetOptions } from './job.ts'
export type { Ended } from './reports.ts'
export type { SandboxOptions } from './sandbox.ts'
export type {
  CompareOptions,
  CompareResult,
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
  ReportOptions,
  RunOptions,
  RunResult,
  StartOptions,
  ValidateOptions,
  ValidateResult,
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
 * const { report } = await load({ datasets: ['questions.csv'], sandbox: true, arrivalRate: '2/s', duration:
 * '30s' })
 */
export async function load(options: LoadOptions, ports?: Ports): Promise<LoadResult | LimitResult> {
  return (await import('./load.ts')).load(options, ports)
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
 * Joins the shards of one run. Rejects with UsageError, and writes nothing, if the folders are not those
 * shards.
 */
export async function merge(options: MergeOptions, ports?: Ports): Promise<RunResult> {
  return (await import('./merge.ts')).merge(options, ports)
}

/**
 * Compares runs with a baseline. Writes the comparison's folder and leaves the runs unchanged. Rejects with
 * UsageError if the runs cannot be compared.
 *
 * @example
 * const { verdict, comparison } = await compare({ baseline: 'reports/accepted', candidates:
 * ['reports/nightly'] })
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
