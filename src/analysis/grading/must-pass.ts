// Why a `must_pass` question has not passed: such a turn fails the gate in any case.
import type { Grade, TurnRecord } from '../../domain/turn.ts'
import { whyNot } from './grade.ts'

const WORDS = {
  error: 'ended in an error',
  contextLost: 'lost the context of its conversation',
  skipped: 'was skipped after an error in its conversation',
}

/**
 * Undefined where it passed, where the question need not pass, and where it was not asked (the run is incomplete
 * then, and says so). Without expectations, to pass is to be answered with its context.
 */
export function mustPassFailure(
  turn: Pick<TurnRecord, 'question' | 'outcome' | 'contextLost'>,
  grade: Grade,
): string | undefined {
  if (!turn.question.mustPass || grade.kind === 'passed') return undefined
  if (grade.kind === 'failed') return grade.failures.map(({ sentence }) => sentence).join('; ')
  if (turn.outcome === undefined) return undefined
  if (turn.outcome === 'answered' && !turn.contextLost) return undefined
  const reason = whyNot(turn)
  return reason === 'notAsked' ? undefined : WORDS[reason]
}
