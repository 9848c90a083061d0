// The record of calls as the models read it: in the order in which the endpoint saw them, as numbers side by side.
import type { CallSeen } from '../../domain/limit-finding.ts'

export interface Calls {
  readonly count: number
  /** When the endpoint saw each call, as far as we know, milliseconds; ascending. */
  readonly at: Float64Array
  readonly refused: Uint8Array
  /** Calls let through before each one. */
  readonly passedBefore: Uint32Array
  /** For a refused call: calls let through so shortly after it that they may have overtaken it. */
  readonly overtakers: Uint32Array
  /** When the endpoint saw those it let through, and when it was done with them; each ascending. */
  readonly passedAt: Float64Array
  readonly doneAt: Float64Array
  /** Milliseconds by which the network may have moved one call against another. */
  readonly slackMs: number
  /** Milliseconds since the Unix epoch at time 0 of the record. */
  readonly wallAtZero: number
}

/** So many calls of a record are tried on the models: the latest. */
export const MOST_CALLS = 5000
/** Of refusals in a row the first, the last and some between say all: so many are kept, the fewer the more there are. */
const MOST_IN_A_ROW = [8, 4, 2] as const
/** Of nine calls, eight refused in a row, three are tried at least: of so many calls, MOST_CALLS. */
const MOST_WANTED = 3 * MOST_CALLS
/** Clocks and event loops are no better than this. */
const LEAST_SLACK_MS = 2

/**
 * `wallAtZero`: milliseconds since the Unix epoch at the record's time 0, for windows of the clock. A million calls
 * cost some 40 bytes each while they are read; what is kept is bounded by MOST_CALLS.
 */
export function readCalls(seen: readonly CallSeen[], wallAtZero: number): Calls {
  const { oneWayMs, slackMs } = measureNetwork(seen)
  const order = orderBySending(seen)
  const kept = thinToFit(seen, order)
  const used = kept.length > MOST_CALLS ? kept.subarray(kept.length - MOST_CALLS) : kept
  return arrange(seen, used, { oneWayMs, slackMs, wallAtZero })
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

/** A refusal's round trip is the network's alone: half of it is the way there, its spread the doubt about that. */
function measureNetwork(seen: readonly CallSeen[]): { oneWayMs: number; slackMs: number } {
  const step = Math.max(1, Math.ceil(seen.length / 5000))
  const trips: number[] = []
  let fastest = Infinity
  for (let place = 0; place < seen.length; place += step) {
    const one = seen[place]
    if (one === undefined) break
    fastest = Math.min(fastest, one.endedMs - one.sentMs)
    if (one.refused) trips.push(one.endedMs - one.sentMs)
  }
  trips.sort((a, b) => a - b)
  const at = (share: number): number => trips[Math.round(share * (trips.length - 1))] ?? fastest
  if (trips.length === 0) return { oneWayMs: 0, slackMs: LEAST_SLACK_MS }
  // A single stall must not hide what the rest would show.
  const spread = Math.min(at(0.98) - at(0.02), 3 * (at(0.75) - at(0.25)) + LEAST_SLACK_MS)
  return { oneWayMs: at(0.5) / 2, slackMs: Math.max(LEAST_SLACK_MS, spread) }
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
  network: { oneWayMs: number; slackMs: number; wallAtZero: number },
): Calls {
  const { oneWayMs, slackMs, wallAtZero } = network
  const count = used.length
  const at = new Float64Array(count)
  const refused = new Uint8Array(count)
  const passedBefore = new Uint32Array(count)
  const passedAt: number[] = []
  const doneAt: number[] = []
  for (let i = 0; i < count; i += 1) {
    const one = seen[used[i] ?? 0]
    if (one === undefined) break
    at[i] = one.sentMs + oneWayMs
    refused[i] = one.refused ? 1 : 0
    passedBefore[i] = passedAt.length
    if (one.refused) continue
    passedAt.push(at[i] ?? 0)
    doneAt.push(Math.max(at[i] ?? 0, one.endedMs - oneWayMs))
  }
  const passed = Float64Array.from(passedAt)
  return {
    count,
    at,
    refused,
    passedBefore,
    overtakers: countOvertakers(at, refused, passed, slackMs),
    passedAt: passed,
    doneAt: Float64Array.from(doneAt).sort(),
    slackMs,
    wallAtZero,
  }
}

function countOvertakers(at: Float64Array, refused: Uint8Array, passed: Float64Array, slackMs: number) {
  const overtakers = new Uint32Array(at.length)
  let from = 0
  let to = 0
  for (let i = 0; i < at.length; i += 1) {
    const now = at[i] ?? 0
    while (from < passed.length && (passed[from] ?? 0) <= now) from += 1
    while (to < passed.length && (passed[to] ?? 0) <= now + slackMs) to += 1
    if (refused[i] === 1) overtakers[i] = to - from
  }
  return overtakers
}
