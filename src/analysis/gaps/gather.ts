// Picks out of a run's turns the gaps, and the grounded answers that failed their expectations.
import type { WrongAnswer } from '../../domain/summary.ts'
import { type Grade, isGrounded, type TurnRecord } from '../../domain/turn.ts'
import { createHeaviest, type Gaps } from './heaviest.ts'

export interface GapGatherer {
  /** Repeats of a question come one after the other, as `turnRecords` has them. */
  add(turn: TurnRecord): void
  finish(): Gaps
}

/** `most`: so many are kept, the heaviest. One item a question; it weighs as often as its answers were not grounded: 1 in 3 repeats weighs a third. */
export function createGapGatherer(groundedSources: readonly string[], most = Infinity): GapGatherer {
  const openings = new Map<string, string>()
  const items = createHeaviest(most)
  let current: Asked | undefined

  const close = (): void => {
    if (current === undefined || current.gaps === 0) return
    const { turn, gaps, answers } = current
    const { id, message, tags } = turn.question
    const opening = turn.question.turn === 1 ? undefined : openings.get(threadOf(turn))
    const context = opening === undefined ? {} : { context: opening }
    items.add({ id, message, tags, weight: gaps / answers, ...context })
  }
  return {
    add: (turn) => {
      if (turn.index !== current?.turn.index) {
        close()
        current = { turn, gaps: 0, answers: 0 }
      }
      current.turn = turn
      const { question } = turn
      if (question.turn === 1) openings.set(threadOf(turn), question.message)
      if (isMeantToBeUncovered(turn, groundedSources)) return
      const grounded = isGrounded(turn, groundedSources)
      if (grounded !== undefined) current.answers += 1
      if (grounded === false) current.gaps += 1
    },
    finish: () => {
      close()
      current = undefined
      return items.finish()
    },
  }
}

interface Asked {
  turn: TurnRecord
  gaps: number
  answers: number
}

/** The set says itself that no article should answer: nothing to write. */
function isMeantToBeUncovered({ question }: TurnRecord, groundedSources: readonly string[]): boolean {
  const source = question.expect?.source
  return source !== undefined && groundedSources.includes(source.value) === source.not
}

const threadOf = ({ question }: TurnRecord): string => `${question.file} ${question.thread}`

/** Undefined unless the answer is grounded and its grade failed. */
export function wrongAnswerOf(
  turn: TurnRecord,
  grade: Grade,
  groundedSources: readonly string[],
): WrongAnswer | undefined {
  if (grade.kind !== 'failed' || turn.result?.kind !== 'reply') return undefined
  // Slow is not wrong.
  if (grade.failures.every(({ expectation }) => expectation === 'max_latency_ms')) return undefined
  if (isGrounded(turn, groundedSources) !== true) return undefined
  const { id, message } = turn.question
  const failures = grade.failures.map(({ sentence }) => sentence)
  return { id, message, repeat: turn.repeat, answer: turn.result.reply.message, failures }
}
