// `compare` through the built program, in a folder of runs: what it said, and what it wrote of its first candidate.
import { join } from 'node:path'
import type { ChangeKind } from '../../src/domain/changes.ts'
import type { CandidateComparison } from '../../src/domain/comparison.ts'
import { readComparison } from './answered.ts'
import { runProgram, type Ended } from './program.ts'

export interface ComparePlace {
  readonly at: (name: string) => string
  /** The comparison goes into the folder `of-` and its name. */
  readonly compare: (name: string, ...words: readonly string[]) => Promise<Ended>
  readonly candidate: (name: string) => CandidateComparison
}

/** Ids of the questions that changed in that way. */
export const idsOf = ({ changes }: CandidateComparison, kind: ChangeKind): string[] =>
  changes.flatMap(({ id, kinds }) => (kinds.includes(kind) ? [id] : []))

export function comparesIn(folder: string): ComparePlace {
  const at = (name: string): string => join(folder, name)
  return {
    at,
    compare: async (name, ...words) =>
      runProgram(['compare', ...words, '--out', at(`of-${name}`)], { cwd: folder }),
    candidate: (name) => {
      const [only] = readComparison(at(`of-${name}`)).candidates
      if (only === undefined) throw new Error('no candidate')
      return only
    },
  }
}
