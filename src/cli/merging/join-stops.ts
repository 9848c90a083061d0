// How a joined run ended, from how its parts did: the worst of them decides, as it would have stopped the one process.
import type { Stop } from '../../domain/stop.ts'
import type { Shard } from '../../domain/shard.ts'

export interface EndedPart {
  readonly shard: Pick<Shard, 'index' | 'of'>
  /** Undefined where its process died before it could say. */
  readonly stop: Stop | undefined
}

export interface WholeRun {
  /** Parts that are not there. */
  readonly missing: readonly number[]
  readonly attempts: number
  readonly maxCalls: number | null
}

/** The worst first, by what the process would have ended with: `died` is a process that could not say. */
const WORST_FIRST = [
  'fault',
  'keyRefused',
  'interrupted',
  'partsMissing',
  'died',
  'storage',
  'quotaSpent',
  'gaveUp',
  'budget',
  'timeUp',
  'aborted',
  'done',
] as const satisfies readonly (Stop['kind'] | 'died')[]

/** Undefined where the process of a part died, and nothing worse has come of another. */
export function joinStops(
  parts: readonly EndedPart[],
  { missing, attempts, maxCalls }: WholeRun,
): Stop | undefined {
  const of = parts[0]?.shard.of ?? 0
  if (missing.length > 0) {
    const absent: Stop = { kind: 'partsMissing', parts: [...missing], of }
    return joinStops([{ shard: { index: 0, of }, stop: absent }, ...parts], {
      missing: [],
      attempts,
      maxCalls,
    })
  }
  const kind = WORST_FIRST.find((one) => parts.some((part) => kindOf(part) === one))
  const decisive = parts.find((part) => kindOf(part) === kind)
  const stop = decisive?.stop
  if (decisive === undefined || stop?.kind !== 'budget' || maxCalls === null) return stop
  if (attempts >= maxCalls) return { kind: 'budget', maxCalls }
  return { ...stop, part: { index: decisive.shard.index, of } }
}

const kindOf = ({ stop }: EndedPart): Stop['kind'] | 'died' => stop?.kind ?? 'died'
