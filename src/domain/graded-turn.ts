// A turn together with what became of its expectations.
import type { Grade } from './grade.ts'
import type { TurnRecord } from './turn.ts'

export interface GradedTurn {
  readonly turn: TurnRecord
  readonly grade: Grade
  /** Why a failed answer fails nothing: its question has passed all the same. */
  readonly forgiven?: string
}
