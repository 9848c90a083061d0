// What a comparison found, for tests that ask for the questions of one kind of change.
import type { ChangeKind } from '../../src/domain/changes.ts'
import type { CandidateComparison } from '../../src/domain/comparison.ts'

/** Ids of the questions that changed in that way. */
export const idsOf = ({ changes }: CandidateComparison, kind: ChangeKind): string[] =>
  changes.flatMap(({ id, kinds }) => (kinds.includes(kind) ? [id] : []))
