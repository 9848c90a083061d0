// How a joined run ended, from how its parts did: the worst of them decides, as it would have stopped the one process.
import type { Stop } from '../../domain/stop.ts'
import type { Shard } from '../../domain/shard.ts'

export interface EndedPart {
  readonly shard: Pick<Shard, 'index' | 'of'>
  /** Undefined where its process died before it could say. */
  readonly stop: Stop | undefined
}

export interface WholeRun {
  readonly attempts: number
  readonly maxCalls: number | null
}

type End = Stop['kind'] | 'died'

/** The higher the worse, by what the process would have ended with: `died` is a process that could not say. */
const BADNESS: Readonly<Record<End, number>> = {
  fault: 12,
  keyRefused: 11,
  interrupted: 10,
  partsMissing: 9,
  died: 8,
  storage: 7,
  limiterLost: 6,
  quotaSpent: 5,
  gaveUp: 4,
  budget: 3,
  timeUp: 2,
  aborted: 1,
  done: 0,
}

/** Undefined where the process of a part died, and nothing worse has come of another. */
export function joinStops(parts: readonly EndedPart[], { attempts, maxCalls }: WholeRun): Stop | undefined {
  const of = parts[0]?.shard.of ?? 0
  const [decisive] = parts.toSorted((one, other) => BADNESS[endOf(other)] - BADNESS[endOf(one)])
  const stop = decisive?.stop
  if (stop?.kind !== 'budget' || maxCalls === null) return stop
  return attempts >= maxCalls ? { kind: 'budget', maxCalls } : joinBudgets(parts, of)
}

/** Of every part that has used its share up, not the first alone. */
function joinBudgets(parts: readonly EndedPart[], of: number): Stop {
  const [index = 0, ...others] = parts.filter(isEndedByBudget).map(({ shard }) => shard.index)
  const maxCalls = parts.reduce((sum, { stop }) => sum + (stop?.kind === 'budget' ? stop.maxCalls : 0), 0)
  return { kind: 'budget', maxCalls, part: { index, of, ...(others.length === 0 ? {} : { others }) } }
}

export const isEndedByBudget = ({ stop }: Pick<EndedPart, 'stop'>): boolean => stop?.kind === 'budget'

const endOf = ({ stop }: EndedPart): End => stop?.kind ?? 'died'
