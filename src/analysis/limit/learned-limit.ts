// What the limiter learned of the limit, over all sittings of a run: its latest figures, on the evidence of all.
import type { JournalRecord } from '../../domain/journal.ts'
import type { InferredLimit } from '../../domain/limit.ts'

export interface LearnedLimit {
  /** Records in the order of the journal. */
  add(record: JournalRecord): void
  /** Undefined where none was met. */
  finish(): InferredLimit | undefined
}

/**
 * Each sitting has a limiter of its own, which counts from nothing: the last count of each is added up. What the processes
 * that share a limit counted together is none of this run's own, and stands by itself.
 */
export function createLearnedLimit(): LearnedLimit {
  let latest: InferredLimit | undefined
  let [before, own] = [NOTHING, NOTHING]
  return {
    add: (record) => {
      if (record.kind === 'sitting') [before, own] = [sumOf(before, own), NOTHING]
      if (record.kind !== 'pace' || record.limit === undefined) return
      latest = record.limit
      if (latest.together !== true) own = latest
    },
    finish: () => {
      if (latest === undefined || latest.together === true) return latest
      return { ...latest, ...sumOf(before, own) }
    },
  }
}

type Evidence = Pick<InferredLimit, 'episodes' | 'refusals'>

const NOTHING: Evidence = { episodes: 0, refusals: 0 }

const sumOf = (one: Evidence, other: Evidence): Evidence => ({
  episodes: one.episodes + other.episodes,
  refusals: one.refusals + other.refusals,
})
