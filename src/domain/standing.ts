// What happened to a question of a run, over all its repeats: what reports list as failed.
import type { Question } from './question.ts'
import type { AnsweredTurn, Unmet } from './turn.ts'

export type Outcomes =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly why: string }
  | {
      readonly kind: 'failed' | 'errored'
      /** The type is the first expectation that was not met, or the outcome. */
      readonly type: string
      readonly unmet: readonly Unmet[]
    }

export type Standing = Outcomes & {
  readonly question: Question
  readonly serviceMs: number
  /** The first failures of a run keep their answers. */
  readonly turns?: readonly AnsweredTurn[] | undefined
}
