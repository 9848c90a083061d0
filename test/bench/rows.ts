// What a bench found, as rows of the one table of `npm run bench`; alone, a bench prints its own.
import { appendFileSync } from 'node:fs'

/** The variable that names the file for rows, where there is one. */
export const ROWS = 'ASSIST_BENCH_ROWS'

export interface BenchRow {
  readonly part: string
  readonly what: string
  readonly value: string
  /** What it is to be held against, measured in the same run; or the goal. */
  readonly beside?: string
  /** Of that. */
  readonly ratio?: number
}

export function tellRow(row: BenchRow): void {
  const path = process.env[ROWS]
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(row)}\n`)
}
