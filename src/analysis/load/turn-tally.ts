// Turns of a load test counted: outcomes, mixes, coverage, errors.
import { errorCodeOf } from '../../domain/attempt.ts'
import type { LoadFigures } from '../../domain/load.ts'
import { isErrorOutcome, OUTCOMES } from '../../domain/outcome.ts'
import type { Coverage, TurnCounts } from '../../domain/summary.ts'
import { coverageOf, type LostTurns, type ThreadTally } from '../coverage.ts'
import { ratio } from '../turns.ts'
import { HdrCounts } from './hdr-counts.ts'
import type { EndedTurn, LoadTurn } from './open-turns.ts'
import { createValueCounts } from './value-counts.ts'

type Counted = Pick<LoadFigures, 'turns' | 'contextSource' | 'status' | 'coverage' | 'errors'>

export interface TurnTally {
  /** Answered turns: `grounded` is undefined without context. */
  add(ended: EndedTurn, grounded: boolean | undefined): void
  skip(): void
  readonly service: HdrCounts
  readonly response: HdrCounts
  /** `unfinished`: turns of threads begun that have no outcome. */
  finish(threadOf: (question: number) => number, unfinished: number): Counted
}

export function createTurnTally(): TurnTally {
  const turns = Object.fromEntries(
    ['total', ...OUTCOMES, 'contextLost', 'notAsked'].map((name) => [name, 0]),
  ) as TurnCounts
  const [contextSource, status] = [createValueCounts(), createValueCounts()]
  const [byOutcome, byHttpStatus, byCode] = [createValueCounts(), createValueCounts(), createValueCounts()]
  const questions = createQuestionCounts()
  const [service, response] = [new HdrCounts(), new HdrCounts()]
  let errors = 0

  return {
    service,
    response,
    skip: () => {
      turns.total += 1
      turns.skipped += 1
    },
    add: ({ turn, outcome, contextLost }, grounded) => {
      turns.total += 1
      turns[outcome] += 1
      if (contextLost) turns.contextLost += 1
      const { last } = turn
      if (outcome === 'answered' && last?.result.kind === 'reply') {
        contextSource.add(last.result.reply.contextSource)
        status.add(last.result.reply.status)
        service.record(last.serviceMs)
        response.record(responseOf(turn))
        if (grounded !== undefined) questions.add(turn.question, grounded)
        return
      }
      if (!isErrorOutcome(outcome) || outcome === 'rate_limited') return
      errors += 1
      byOutcome.add(outcome)
      const result = last?.result
      const httpStatus = result !== undefined && 'httpStatus' in result ? result.httpStatus : undefined
      byHttpStatus.add(httpStatus === undefined ? 'none' : String(httpStatus))
      byCode.add(errorCodeOf(result) ?? 'none')
    },
    finish: (threadOf, unfinished) => {
      const asked = turns.total - turns.skipped
      const lost = { errors: errors + turns.rate_limited + turns.skipped, context: turns.contextLost }
      return {
        turns: { ...turns, total: turns.total + unfinished, notAsked: unfinished },
        contextSource: contextSource.finish(),
        status: status.finish(),
        coverage: questions.coverage(threadOf, lost),
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

/** Milliseconds from the due moment to the last byte. Journals of runs do not say it. */
export const responseOf = ({ last, dueAt }: LoadTurn): number =>
  last?.responseMs ?? (last?.at ?? dueAt) - dueAt

interface QuestionCounts {
  /** An answer with its context. */
  add(question: number, isGrounded: boolean): void
  /** `threadOf`: which thread of the set a question stands in. */
  coverage(threadOf: (question: number) => number, lost: LostTurns): Coverage
}

type Open = { -readonly [K in keyof ThreadTally]: ThreadTally[K] }

/** Memory grows with the set, not with the calls. */
function createQuestionCounts(): QuestionCounts {
  const questions = new Map<number, { answered: number; grounded: number }>()
  return {
    add: (question, isGrounded) => {
      let known = questions.get(question)
      if (known === undefined) questions.set(question, (known = { answered: 0, grounded: 0 }))
      known.answered += 1
      if (isGrounded) known.grounded += 1
    },
    coverage: (threadOf, lost) => {
      const threads = new Map<number, Open>()
      for (const [question, { answered, grounded }] of questions) {
        const thread = threadOf(question)
        const tally = threads.get(thread) ?? { grounded: 0, answered: 0, questions: 0, squares: 0 }
        threads.set(thread, tally)
        tally.answered += answered
        tally.grounded += grounded
        tally.questions += 1
        tally.squares += answered ** 2
      }
      return coverageOf([...threads.values()], lost)
    },
  }
}
