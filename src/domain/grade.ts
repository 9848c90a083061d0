// What became of a turn's expectations.

/** One expectation that an answer did not keep. */
export interface Failure {
  /** The column that expected it, such as `expect_contains`. */
  readonly expectation: string
  /** What is wrong and what was found instead, as a sentence fragment for an editor. Holds the endpoint's text. */
  readonly sentence: string
}

/** Why a turn that expects something has no verdict. An error is never graded as an answer. */
export type UngradedReason = 'error' | 'contextLost' | 'skipped' | 'notAsked'

export type Grade =
  /** The question expects nothing. */
  | { readonly kind: 'none' }
  | { readonly kind: 'notGraded'; readonly reason: UngradedReason }
  /** `similarity` to the reference answer, 0 to 1, where the question has one. */
  | { readonly kind: 'passed'; readonly similarity?: number }
  | {
      readonly kind: 'failed'
      readonly failures: readonly [Failure, ...Failure[]]
      readonly similarity?: number
    }

/** Undefined where there is nothing to judge, or no way to. */
export function hasPassed({ kind }: Pick<Grade, 'kind'>): boolean | undefined {
  switch (kind) {
    case 'passed':
      return true
    case 'failed':
      return false
    case 'none':
    case 'notGraded':
      return undefined
  }
}

/** What is wrong with an answer, a sentence for each expectation that it did not keep. */
export const failuresOf = (grade: Grade): readonly string[] =>
  grade.kind === 'failed' ? grade.failures.map(({ sentence }) => sentence) : []
