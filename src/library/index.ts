// What `import … from 'assist-harness'` gives: every command as a function.
export { compare, type CompareOptions, type CompareResult } from './compare.ts'
export {
  estimate,
  validate,
  type EstimateOptions,
  type EstimateResult,
  type ValidateOptions,
  type ValidateResult,
} from './estimate.ts'
export type { RunEvent } from './events.ts'
export { history, type HistoryOptions, type HistoryResult } from './history.ts'
export { load, type LimitResult, type LoadOptions, type LoadResult } from './load.ts'
export { merge, type MergeOptions } from './merge.ts'
export { report, type ReportOptions } from './report.ts'
export type { RunResult } from './conclude.ts'
export { run, type RunOptions } from './run.ts'
export { startSandbox, type SandboxOptions, type StartOptions } from './sandbox.ts'
export { UsageError, type Issue } from '../options/faults.ts'
export type { Comparison } from '../domain/comparison.ts'
export type { Summary } from '../domain/summary.ts'
