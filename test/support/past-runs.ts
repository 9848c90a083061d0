// Run folders as `history` reads them, each with a made-up summary: no run took place.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Quota } from '../../src/domain/quota.ts'
import type { Summary } from '../../src/domain/summary.ts'
import { wilsonOfShare } from '../../src/stats/intervals.ts'
import { makeSummary } from './summaries.ts'

export interface PastRun {
  readonly startedAt: string
  readonly id?: string
  readonly answered?: number
  readonly grounded?: number
  readonly passed?: number
  readonly errors?: number
  readonly p95?: number
  /** Calls counted: minimum and maximum. */
  readonly calls?: readonly [number, number]
  readonly quota?: Quota
  readonly digest?: string
  readonly set?: string
  /** Number of selected questions of the set. */
  readonly questions?: number
  /** The options that selected the questions. */
  readonly selection?: string
  readonly target?: { readonly name: string; readonly organization: string }
  readonly state?: Summary['state']
}

const empty = makeSummary([])

export function pastRunSummary(run: PastRun): Summary {
  const { startedAt, id = `run-${startedAt}`, digest = 'sha256:0', set = 'set.csv', questions = 100 } = run
  const { answered = 100, grounded = 80, passed = grounded, errors = 0, p95 = 900, quota = null } = run
  const { target = { name: empty.run.target, organization: empty.run.organization }, state = 'complete' } =
    run
  const [min, max] = run.calls ?? [answered, answered]
  const interval = answered === 0 ? undefined : wilsonOfShare(grounded / answered, answered)
  const rate = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
  return {
    ...empty,
    run: {
      ...empty.run,
      id,
      target: target.name,
      organization: target.organization,
      datasets: [{ path: set, digest, turns: questions }],
      ...(run.selection === undefined ? {} : { selection: run.selection }),
      startedAt,
      endedAt: startedAt,
      quota,
    },
    state,
    verdict: state === 'complete' ? 'passed' : 'incomplete',
    exitCode: state === 'complete' ? 0 : 4,
    turns: { ...empty.turns, total: 100, answered },
    coverage: {
      ...empty.coverage,
      rate: rate(grounded, answered),
      grounded,
      answered,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      cluster: null,
    },
    expectations: { ...empty.expectations, rate: rate(passed, answered), passed, failed: answered - passed },
    errors: { ...empty.errors, rate: rate(errors, answered + errors), errors, sent: answered + errors },
    latencyMs: answered === 0 ? empty.latencyMs : { ...empty.latencyMs, p50: p95 / 3, p95, count: answered },
    quota: { ...empty.quota, attempts: max, certain: min, possible: max - min, min, max },
    pacing: { ...empty.pacing, rate429: 0 },
  }
}

/** Returns the folder. */
export function writePastRun(folder: string, run: PastRun): string {
  mkdirSync(folder, { recursive: true })
  // `history` recognises a run folder by this file and does not read it.
  writeFileSync(join(folder, 'run.json'), '{}')
  writeFileSync(join(folder, 'summary.json'), JSON.stringify(pastRunSummary(run)))
  return folder
}

/** `2026-01-01T02:00Z` and the same time on each following day. */
export const startOnDay = (number: number, from = '2026-01-01T02:00:00.000Z'): string =>
  new Date(Date.parse(from) + number * 86_400_000).toISOString()
