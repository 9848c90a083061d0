// What failed in a run, gravest first: the list of its reports, and its annotations.
import { type Failure, type JudgedStanding, RANKS } from '../domain/turn.ts'

export interface Failures {
  /** Each rank has its first `MAX_LISTED`, in the order of the set. */
  readonly items: readonly Failure[]
  readonly failed: number
  readonly errored: number
  readonly known: number
}

const MAX_LISTED = 200

export function failuresOf(standings: readonly JudgedStanding[]): Failures {
  const counts = { failed: 0, errored: 0, known: 0 }
  const items: Record<Failure['rank'], Failure[]> = {
    newly: [],
    mustPass: [],
    other: [],
    tolerated: [],
    known: [],
  }
  for (const standing of standings) {
    if (standing.kind === 'passed' || standing.kind === 'skipped') continue
    const { kind, rank } = standing
    counts[kind] += 1
    if (rank === 'known') counts.known += 1
    if (items[rank].length < MAX_LISTED) items[rank].push(standing)
  }
  return { items: RANKS.flatMap((rank) => items[rank]), ...counts }
}
