// The record of calls as the models read it: in the order in which the endpoint saw them, as numbers side by side.
import type { CallSeen } from '../../domain/limit.ts'
import { countUpTo } from './count-along.ts'
import { measureBlur, measureDelays } from './delays.ts'
import { measureNetwork, type Network } from './network.ts'

export interface Calls {
  readonly count: number
  /** When the endpoint saw each call, as far as we know, milliseconds; ascending. */
  readonly at: Float64Array
  /** Milliseconds to either side that a call, beyond an ordinary one, may have been seen sooner or later. */
  readonly doubt: Float64Array
  readonly refused: Uint8Array
  /** Calls let through before each one. */
  readonly passedBefore: Uint32Array
  /** For a refused call: calls let through so shortly after it that they may have overtaken it. */
  readonly overtakers: Uint32Array
  /** The same with an ordinary network left out: those whose own moment is in doubt. */
  readonly overtakersInDoubt: Uint32Array
  /** What each call's fate weighs: 1; read call by call, less in the midst of many that were refused in a row. */
  readonly weight: Float64Array
  /** When the endpoint saw those it let through, and when it was done with them; each ascending. */
  readonly passedAt: Float64Array
  readonly doneAt: Float64Array
  /** Of those let through, the soonest and the latest that each may have been seen; each ascending. */
  readonly passedEarliest: Float64Array
  readonly passedLatest: Float64Array
  /** Milliseconds by which the network may have moved one ordinary call against another. */
  readonly slackMs: number
  /** The same for the middle one of the calls let through, had those under way together overtaken one another. */
  readonly blurMs: number
  /** Milliseconds since the Unix epoch at time 0 of the record. */
  readonly wallAtZero: number
  readonly reading: Reading
}

/**
 * `alike`: the network may have moved any call as far as any other. `call-by-call`: each by what it waited, or those that
 * waited with it; calls that were under way together are taken to have kept their order.
 */
export type Reading = 'alike' | 'call-by-call'

/** So many calls of a record are tried on the models: the latest. */
export const MOST_CALLS = 5000
/** Of refusals in a row the first, the last and some between say all: so many are kept, the fewer the more there are. */
const MOST_IN_A_ROW = [8, 4, 2] as const
/** So many refusals between the first and the last in a row may count in full. */
const MOST_BETWEEN = 2
/** Of nine calls, eight refused in a row, three are tried at least: of so many calls, MOST_CALLS. */
const MOST_WANTED = 3 * MOST_CALLS

/**
 * `wallAtZero`: milliseconds since the Unix epoch at the record's time 0, for windows of the clock. A million calls
 * cost some 40 bytes each while they are read; what is kept is bounded by MOST_CALLS.
 */
export function readCalls(seen: readonly CallSeen[], wallAtZero: number, reading: Reading = 'alike'): Calls {
  const order = orderBySending(seen)
  const network = measureNetwork(seen, order, reading === 'call-by-call')
  const kept = thinToFit(seen, order)
  const used = kept.length > MOST_CALLS ? kept.subarray(kept.length - MOST_CALLS) : kept
  return arrange(seen, used, network, wallAtZero, reading)
}

/**
 * What of a record can still be read once more calls come: in the order of sending, at most three times MOST_CALLS of them.
 * A run of refusals that goes on after it may be thinned unlike at once; its ends stay.
 */
export function keepWanted(seen: readonly CallSeen[]): CallSeen[] {
  const kept = thin(seen, orderBySending(seen), MOST_IN_A_ROW[0])
  const latest = kept.subarray(Math.max(0, kept.length - MOST_WANTED))
  return Array.from(latest).flatMap((place) => seen[place] ?? [])
}

function orderBySending(seen: readonly CallSeen[]): Uint32Array {
  const order = Uint32Array.from({ length: seen.length }, (_, place) => place)
  const isSorted = seen.every((one, place) => place === 0 || (seen[place - 1]?.sentMs ?? 0) <= one.sentMs)
  const sent = (place: number): number => seen[place]?.sentMs ?? 0
  return isSorted ? order : order.sort((a, b) => sent(a) - sent(b))
}

/** All, where they are few; the start of a record is worth more than refusals in the midst of others. */
function thinToFit(seen: readonly CallSeen[], order: Uint32Array): Uint32Array {
  let kept = order
  for (const most of MOST_IN_A_ROW) if (kept.length > MOST_CALLS) kept = thin(seen, order, most)
  return kept
}

/** A flood of refusals says no more than its ends and a few between. */
function thin(seen: readonly CallSeen[], order: Uint32Array, most: number): Uint32Array {
  const kept = new Uint32Array(order.length)
  let size = 0
  for (let from = 0; from < order.length;) {
    let to = from
    while (to < order.length && seen[order[to] ?? 0]?.refused === true) to += 1
    const length = to - from
    const places = Math.min(length, most)
    for (let nth = 0; nth < places; nth += 1) {
      const offset = places < 2 ? 0 : Math.round((nth * (length - 1)) / (places - 1))
      kept[size++] = order[from + offset] ?? 0
    }
    if (to < order.length) kept[size++] = order[to] ?? 0
    from = to + 1
  }
  return kept.subarray(0, size)
}

function arrange(
  seen: readonly CallSeen[],
  used: Uint32Array,
  network: Network,
  wallAtZero: number,
  reading: Reading,
): Calls {
  const { oneWayMs, slackMs } = network
  const count = used.length
  const isAlike = reading === 'alike'
  const delays = isAlike ? new Float64Array(count) : measureDelays(seen, used, network)
  // In the middle of the time in which it was seen.
  const seenAt = Float64Array.from(delays, (delay, nth) => sentOf(seen, used[nth]) + oneWayMs + delay / 2)
  const order = Uint32Array.from(seenAt.keys()).sort((a, b) => (seenAt[a] ?? 0) - (seenAt[b] ?? 0) || a - b)
  const at = new Float64Array(count)
  const doubt = new Float64Array(count)
  const refused = new Uint8Array(count)
  const passedBefore = new Uint32Array(count)
  const passedAt: number[] = []
  const passedDoubt: number[] = []
  const doneAt: number[] = []
  for (let i = 0; i < count; i += 1) {
    const nth = order[i] ?? 0
    const one = seen[used[nth] ?? 0]
    if (one === undefined) break
    at[i] = seenAt[nth] ?? 0
    doubt[i] = (delays[nth] ?? 0) / 2
    refused[i] = one.refused ? 1 : 0
    passedBefore[i] = passedAt.length
    if (one.refused) continue
    passedAt.push(at[i] ?? 0)
    passedDoubt.push(doubt[i] ?? 0)
    doneAt.push(Math.max(at[i] ?? 0, one.endedMs - oneWayMs))
  }
  const passedEarliest = Float64Array.from(passedAt, (moment, nth) => moment - (passedDoubt[nth] ?? 0)).sort()
  const passedLatest = Float64Array.from(passedAt, (moment, nth) => moment + (passedDoubt[nth] ?? 0)).sort()
  const known = { at, doubt, refused, passedBefore, passedEarliest, passedLatest }
  return {
    ...known,
    count,
    overtakers: countOvertakers(known, slackMs),
    overtakersInDoubt: countOvertakers(known, 0),
    weight: isAlike ? new Float64Array(count).fill(1) : weigh(refused),
    passedAt: Float64Array.from(passedAt),
    doneAt: Float64Array.from(doneAt).sort(),
    slackMs,
    blurMs: slackMs + (isAlike ? 0 : measureBlur(seen, used, network)),
    wallAtZero,
    reading,
  }
}

const sentOf = (seen: readonly CallSeen[], place = -1): number => seen[place]?.sentMs ?? 0

function countOvertakers(
  calls: Pick<Calls, 'at' | 'doubt' | 'refused' | 'passedBefore' | 'passedEarliest' | 'passedLatest'>,
  slackMs: number,
): Uint32Array {
  const { at, doubt, refused, passedBefore, passedEarliest, passedLatest } = calls
  const overtakers = new Uint32Array(at.length)
  const seenBy = countUpTo(passedEarliest)
  // Of calls that were seen in the same moment none overtook another.
  const surelyBefore = countUpTo(passedLatest)
  for (let i = 0; i < at.length; i += 1) {
    if (refused[i] !== 1) continue
    const now = at[i] ?? 0
    const before = Math.max(passedBefore[i] ?? 0, surelyBefore(now))
    overtakers[i] = Math.max(0, seenBy(now + (doubt[i] ?? 0) + slackMs) - before)
  }
  return overtakers
}

/** Many refused in a row say one thing together: the first and the last in full, those between no more than some. */
function weigh(refused: Uint8Array): Float64Array {
  const weight = new Float64Array(refused.length).fill(1)
  for (let first = 0; first < refused.length; first += 1) {
    if (refused[first] !== 1) continue
    let last = first
    while (refused[last + 1] === 1) last += 1
    const between = last - first - 1
    if (between > MOST_BETWEEN) weight.fill(MOST_BETWEEN / between, first + 1, last)
    first = last
  }
  return weight
}
