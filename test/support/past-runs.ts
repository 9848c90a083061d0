// Made-up summaries, as `history` reads them: no run took place.
import type { Summary } from '../../src/domain/summary.ts'
import { makeSummary } from './summaries.ts'
import { makeReply, makeTurn } from './turns.ts'

export interface PastRun {
  readonly startedAt: string
  readonly id?: string
  readonly answered?: number
  readonly grounded?: number
  readonly passed?: number
  /** Calls counted: minimum and maximum. */
  readonly calls?: readonly [number, number]
  readonly digest?: string
  readonly set?: string
  /** Number of selected questions of the set. */
  readonly questions?: number
  /** The options that selected the questions. */
  readonly selection?: string
  readonly target?: { readonly name: string; readonly organization: string }
  readonly state?: Summary['state']
}

export function pastRunSummary(run: PastRun): Summary {
  const { startedAt, id = `run-${startedAt}`, digest = 'sha256:0', set = 'set.csv', questions = 100 } = run
  const { answered = 100, grounded = 80, passed = grounded, state = 'complete', selection } = run
  const [min, max] = run.calls ?? [answered, answered]
  const turns = Array.from({ length: answered }, (_, place) =>
    makeTurn({ result: makeReply(place < grounded ? 'KNOWLEDGE_BASE' : 'MODEL'), serviceMs: 900 }),
  )
  const summary = makeSummary(turns)
  const { name, organization } = run.target ?? { ...summary.run, name: summary.run.target }
  return {
    ...summary,
    run: {
      ...summary.run,
      id,
      target: name,
      organization,
      datasets: [{ path: set, digest, turns: questions }],
      ...(selection === undefined ? {} : { selection }),
      startedAt,
      endedAt: startedAt,
    },
    state,
    verdict: state === 'complete' ? 'passed' : 'incomplete',
    exitCode: state === 'complete' ? 0 : 4,
    expectations: {
      ...summary.expectations,
      rate: answered === 0 ? null : passed / answered,
      passed,
      failed: answered - passed,
    },
    quota: { ...summary.quota, attempts: max, certain: min, possible: max - min, min, max },
  }
}

/** `2026-01-01T02:00Z` and the same time on each following day. */
export const startOnDay = (number: number, from = '2026-01-01T02:00:00.000Z'): string =>
  new Date(Date.parse(from) + number * 86_400_000).toISOString()
