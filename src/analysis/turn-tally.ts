// Turns counted, of a run and of a load test alike: outcomes, mixes, coverage, errors. In any order.
import { errorCodeOf } from '../domain/attempt.ts'
import { isErrorOutcome, type Outcome, OUTCOMES } from '../domain/outcome.ts'
import type { Question } from '../domain/question.ts'
import type { Figures, TurnCounts } from '../domain/summary.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { coverageOf, createThreadTallies } from './coverage.ts'
import { ratio } from './turns.ts'

/** `result`: what decided the turn; undefined for a skipped one, and where its record is lost. */
type Turn = Pick<TurnRecord, 'index' | 'outcome' | 'contextLost' | 'result'> & {
  readonly question: Question | undefined
}

/** `isError`: what counts as one. `mostValues`: told apart of each that the endpoint chooses. */
export function createTurnTally(
  groundedSources: readonly string[],
  isError: (outcome: Outcome) => boolean = isErrorOutcome,
  mostValues = Infinity,
) {
  const turns = Object.fromEntries(
    ['total', ...OUTCOMES, 'contextLost', 'notAsked'].map((name) => [name, 0]),
  ) as TurnCounts
  const [contextSource, status] = [createCounts(mostValues), createCounts(mostValues)]
  const byOutcome = createCounts()
  const [byHttpStatus, byCode] = [createCounts(mostValues), createCounts(mostValues)]
  const threads = createThreadTallies()
  let errors = 0
  return {
    turns,
    add: ({ index, question, outcome, contextLost, result }: Turn): void => {
      turns.total += 1
      turns[outcome ?? 'notAsked'] += 1
      if (outcome === undefined) return
      if (contextLost) turns.contextLost += 1
      if (outcome === 'answered' && result?.kind === 'reply') {
        contextSource.add(result.reply.contextSource)
        status.add(result.reply.status)
        if (!contextLost && question !== undefined)
          threads.add({ index, question }, groundedSources.includes(result.reply.contextSource))
      } else if (isError(outcome)) {
        errors += 1
        byOutcome.add(outcome)
        const httpStatus = result !== undefined && 'httpStatus' in result ? result.httpStatus : undefined
        byHttpStatus.add(String(httpStatus ?? 'none'))
        byCode.add(errorCodeOf(result) ?? 'none')
      }
    },
    finish: (): Pick<Figures, 'turns' | 'contextSource' | 'status' | 'coverage' | 'errors'> => {
      const asked = turns.total - turns.notAsked - turns.skipped
      return {
        turns,
        contextSource: contextSource.finish(),
        status: status.finish(),
        coverage: coverageOf(threads.finish()),
        errors: {
          rate: ratio(errors, asked),
          errors,
          asked,
          byOutcome: byOutcome.finish(),
          byHttpStatus: byHttpStatus.finish(),
          byCode: byCode.finish(),
        },
      }
    },
  }
}

/** Turns of which the journals hold no outcome: `expected` are all that were to have one. */
export function withUnsent(turns: TurnCounts, expected: number): TurnCounts {
  const lost = Math.max(0, expected - turns.total)
  return { ...turns, total: turns.total + lost, notAsked: turns.notAsked + lost }
}

/** Under this name stand the values that came after `most` others. */
const OTHERS = '(others)'

/** Values come from the endpoint: a Map, since one may be called `__proto__`; bounded where each answer may have a new one. */
export function createCounts(most = Infinity) {
  const counts = new Map<string, number>()
  return {
    add: (value: string): void => {
      const name = counts.has(value) || counts.size < most ? value : OTHERS
      counts.set(name, (counts.get(name) ?? 0) + 1)
    },
    /** Most frequent first, then by value. */
    finish: (): Record<string, number> =>
      Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : a > b ? 1 : 0))),
  }
}
