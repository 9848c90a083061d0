// Runs in parts, joined again, beside the same run asked by one process: what of the two must be the same.
import type { Figures, Latency, Summary } from '../../src/domain/summary.ts'
import { readResults, runProgram, type Ended } from './program.ts'

export interface Asking {
  readonly set: string
  readonly url: string
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly more?: readonly string[]
}

/** As fast as answers come, into this folder. */
export const askWords = ({ set, url, more = [] }: Asking, out: string): string[] => [
  'run',
  set,
  '--base-url',
  url,
  '--rate',
  'unlimited',
  '--out',
  out,
  ...more,
]

/** All parts side by side, as machines of a CI would; their folders are `OUT-part-1`, … */
export async function askParts(asking: Asking, of: number, out: string): Promise<readonly Ended[]> {
  const { cwd, env } = asking
  return Promise.all(
    partFolders(out, of).map(async (folder, place) =>
      runProgram([...askWords(asking, folder), '--shard', `${place + 1}/${of}`], { cwd, env }),
    ),
  )
}

export const partFolders = (out: string, of: number): string[] =>
  Array.from({ length: of }, (_, place) => `${out}-part-${place + 1}`)

/** Of a latency only how many were measured is the same each time. */
const countOf = ({ count }: Latency): number => count

function withoutTimes<F extends Figures>(figures: F) {
  const { latencyMs, failureLatencyMs, waitMs, ...rest } = figures
  return {
    ...rest,
    latencyMs: countOf(latencyMs),
    failureLatencyMs: countOf(failureLatencyMs),
    waitMs: countOf(waitMs),
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0)

/**
 * `summary.json` but for the run's own id, when it began and ended, milliseconds of answers and waits, and the pace over
 * time: of the calls over time their sums stay.
 */
export function comparableSummary(summary: Summary) {
  const { run, pacing, tags, ...figures } = summary
  const { id, startedAt, endedAt, ...whom } = run
  const { calls, changes, ...limits } = pacing
  return {
    ...withoutTimes(figures),
    run: { ...whom, ended: endedAt !== null, named: id !== '', begun: startedAt !== '' },
    pacing: {
      ...limits,
      paced: changes.length > 0,
      calls: calls === null ? null : [calls.taken, calls.refused, calls.failed].map(sum),
    },
    tags: Object.fromEntries(Object.entries(tags).map(([tag, one]) => [tag, withoutTimes(one)])),
  }
}

/** `results.csv` but for what the endpoint and the clock make anew each time. */
export const comparableRows = (folder: string): Record<string, string>[] =>
  readResults(folder).map(({ latency_ms, wait_ms, conversation_id, ...row }) => ({
    ...row,
    timed: String([latency_ms, wait_ms, conversation_id].map((cell) => cell !== '')),
  }))
