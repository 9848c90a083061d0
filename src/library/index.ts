// What `import … from 'assist-harness'` gives: runs and comparisons for other programs. Its declarations are made of these.
export { compare, type CompareOptions, type CompareResult } from './compare.ts'
export type { RunEvent } from './events.ts'
export { run, type RunOptions, type RunResult, type SandboxOptions } from './run.ts'
export { UsageError } from './usage-error.ts'
export { validate, type ValidateOptions, type ValidateResult } from './validate.ts'
export type { Comparison } from '../domain/comparison/comparison.ts'
export type { Summary } from '../domain/summary.ts'
