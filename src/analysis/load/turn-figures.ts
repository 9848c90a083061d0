// The turns of a load test counted as a run counts its own: outcomes, mixes, coverage, errors; but in any order, and in bounded memory.
import { type AttemptResult, errorCodeOf } from '../../domain/attempt.ts'
import type { LoadFigures } from '../../domain/load.ts'
import { isErrorOutcome, type Outcome, OUTCOMES } from '../../domain/outcome.ts'
import type { Question } from '../../domain/question.ts'
import type { TurnCounts } from '../../domain/summary.ts'
import { coverageOf, createThreadTallies } from '../coverage.ts'
import { ratio } from '../turns.ts'
import { threadKey } from '../fold.ts'

interface EndedTurn {
  /** Number of its question. */
  readonly question: number
  readonly outcome: Outcome
  readonly contextLost: boolean
}

export interface TurnFigures {
  addQuestion(index: number, question: Question): void
  /** The first question of a thread was sent: its turns are to end. */
  beginThread(question: number): void
  /** `result`: what decided the turn; undefined for a skipped one, and where its record is lost. */
  endTurn(turn: EndedTurn, result: AttemptResult | undefined): void
  finish(): Pick<LoadFigures, 'turns' | 'contextSource' | 'status' | 'coverage' | 'errors'>
}

/** An error under load: a turn that failed otherwise than by a 429. */
export const isLoadError = (outcome: Outcome): boolean =>
  isErrorOutcome(outcome) && outcome !== 'rate_limited'

export function createTurnFigures(groundedSources: readonly string[]): TurnFigures {
  const questions: Question[] = []
  const turnsOfThread = new Map<string, number>()
  /** Answers with their context, by question: memory grows with the set, not with the calls. */
  const answers = new Map<number, { answered: number; grounded: number }>()
  const turns = Object.fromEntries(
    ['total', ...OUTCOMES, 'contextLost', 'notAsked'].map((name) => [name, 0]),
  ) as TurnCounts
  const [contextSource, status] = [createValueCounts(), createValueCounts()]
  const [byOutcome, byHttpStatus, byCode] = [createValueCounts(), createValueCounts(), createValueCounts()]
  let [errors, toEnd] = [0, 0]

  const countAnswer = (question: number, isGrounded: boolean): void => {
    const known = answers.get(question) ?? { answered: 0, grounded: 0 }
    answers.set(question, known)
    known.answered += 1
    if (isGrounded) known.grounded += 1
  }

  const coverage = (): LoadFigures['coverage'] => {
    const tallies = createThreadTallies()
    for (const [index, { answered, grounded }] of answers) {
      const question = questions[index]
      if (question === undefined) continue
      for (let one = 0; one < answered; one += 1) tallies.add({ index, question }, one < grounded)
    }
    const lostToErrors = errors + turns.rate_limited + turns.skipped
    return coverageOf(tallies.finish(), { errors: lostToErrors, context: turns.contextLost })
  }

  return {
    addQuestion: (index, question) => {
      const thread = threadKey(question)
      if (questions[index] === undefined) turnsOfThread.set(thread, (turnsOfThread.get(thread) ?? 0) + 1)
      questions[index] = question
    },
    beginThread: (question) => {
      const known = questions[question]
      toEnd += known === undefined ? 1 : (turnsOfThread.get(threadKey(known)) ?? 1)
    },
    endTurn: ({ question, outcome, contextLost }, result) => {
      turns.total += 1
      turns[outcome] += 1
      if (contextLost) turns.contextLost += 1
      if (outcome === 'answered' && result?.kind === 'reply') {
        contextSource.add(result.reply.contextSource)
        status.add(result.reply.status)
        if (!contextLost) countAnswer(question, groundedSources.includes(result.reply.contextSource))
      } else if (isLoadError(outcome)) {
        errors += 1
        byOutcome.add(outcome)
        byHttpStatus.add(result !== undefined && 'httpStatus' in result ? String(result.httpStatus) : 'none')
        byCode.add(errorCodeOf(result) ?? 'none')
      }
    },
    finish: () => {
      const asked = turns.total - turns.skipped
      const notAsked = Math.max(0, toEnd - turns.total)
      return {
        turns: { ...turns, total: turns.total + notAsked, notAsked },
        contextSource: contextSource.finish(),
        status: status.finish(),
        coverage: coverage(),
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

export interface ValueCounts {
  add(value: string): void
  /** Most frequent first, then by value. */
  finish(): Record<string, number>
}

/** Under this name stand the values that came after `most` others. */
const OTHERS = '(others)'

/** Counts of values that the endpoint chooses: it may answer with a new one each time, and memory must not grow with the calls. */
export function createValueCounts(most = 100): ValueCounts {
  const counts = new Map<string, number>()
  return {
    add: (value) => {
      const name = counts.has(value) || counts.size < most ? value : OTHERS
      counts.set(name, (counts.get(name) ?? 0) + 1)
    },
    finish: () =>
      Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : a > b ? 1 : 0))),
  }
}
