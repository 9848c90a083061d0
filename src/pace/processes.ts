// The processes that share one pacing state. Each visits it in turn: it reports results and takes permits.
import { BATCH_MS, GONE_MS } from './constants.ts'
import type { Observation, SentCall } from './observation.ts'
import { nextSendAt, step } from './policy.ts'
import { type PaceRules, strictest } from './rules.ts'
import { createPaceState, type PaceState, reportChange, slotMs } from './state.ts'

export interface SharedState {
  readonly pace: PaceState
  readonly processes: Readonly<Record<string, Process>>
  readonly steppedAt: number
}

interface Process {
  readonly rules: PaceRules
  readonly seenAt: number
  readonly inFlight: number
  readonly isWaiting: boolean
  /** Counts calls that it has still to send, as far as it knows; null if it does not. */
  readonly left: number | null
  /** Numbers its latest call: the process that was served longest ago is next. */
  readonly servedIn: number
}

export const createSharedState = (rules: PaceRules): SharedState => ({
  pace: createPaceState(rules),
  processes: {},
  steppedAt: 0,
})

export interface Member {
  readonly id: string
  readonly rules: PaceRules
  readonly random: () => number
}

export interface Visit {
  readonly results: readonly (readonly [call: SentCall, observation: Observation])[]
  /** Counts calls that it has sent or reserved, and that are not in `results`. */
  readonly inFlight: number
  readonly isWaiting: boolean
  /** Is null if unknown. */
  readonly left: number | null
  /** Is how long a step takes: permits are granted that far ahead. */
  readonly stepMs: number
}

/** Gives the state, the same object if it need not be written back, and permits, each for its time. */
export function visit(
  before: SharedState,
  now: number,
  member: Member,
  { results, inFlight, isWaiting, left, stepMs }: Visit,
): { state: SharedState; permits: SentCall[] } {
  const { id, random } = member
  const { state: joined, process } = join(before, now, member, stepMs)
  const processes = { ...joined.processes, [id]: { ...process, seenAt: now, inFlight, isWaiting, left } }
  const allLeft = Object.values(processes).map((each) => each.left)
  const sum = allLeft.reduce<number | null>((a, b) => (a === null || b === null ? null : a + b), 0)
  let pace: PaceState = { ...joined.pace, left: sum }
  for (const [call, observation] of results)
    pace = step(pace, { kind: 'ended', at: now, call, observation, random: random() })
  let state: SharedState = { pace, processes, steppedAt: now }
  const permits: SentCall[] = []
  // A permit arrives a step later, and lasts for two more: the next step may meet a conflict.
  let until = now + 3 * stepMs
  let due = isWaiting ? turnOf(state, now, id, stepMs) : Infinity
  // Nothing is reserved behind a probe that may still be refused.
  while (permits.length < Math.max(1, left ?? Infinity) && due <= (state.pace.closed?.probe ? now : until)) {
    const at = Math.max(due, now + stepMs)
    // A limit on concurrent calls is not looked for among processes: what is in flight is known too late.
    const call = { number: state.pace.sent, at, inFlight: processesOf(state) > 1 ? 1 : inFlightOf(state) + 1 }
    state = serve(state, id, call)
    permits.push(call)
    due = dueAt(state, at)
    // At a high pace a visit takes several.
    until = Math.max(until, now + BATCH_MS)
  }
  const isSilent = joined === before && results.length === 0 && permits.length === 0
  return { state: isSilent && now - process.seenAt < GONE_MS / 3 ? before : state, permits }
}

/** Removes a process that has ended; its permits and requests are void. */
export function leave(state: SharedState, now: number, id: string): SharedState {
  if (state.processes[id] === undefined) return state
  const { [id]: _, ...others } = state.processes
  return { ...among(state, others), steppedAt: now }
}

export function turnOf(state: SharedState, now: number, id: string, stepMs: number): number {
  const due = dueAt(state, now)
  const { nextAt, breaker, pause } = state.pace
  const ahead = waitingBefore(state, id).length
  if (ahead === 0) return due
  // Each process ahead is passed a slot, or a step, after its permit became due.
  const since = Math.min(due, Math.max(nextAt ?? 0, pause?.until ?? 0, breaker.pause?.until ?? 0))
  return Math.max(due, since + ahead * Math.max(BATCH_MS, slotMs(state.pace), stepMs))
}

function dueAt(state: SharedState, now: number): number {
  const inFlight = inFlightOf(state)
  return inFlight >= state.pace.rules.concurrency ? Infinity : nextSendAt(state.pace, now, inFlight)
}

export const processesOf = (state: SharedState): number => Object.keys(state.processes).length

export const shareWords = (processes: number): string =>
  processes === 1 ? 'this process uses the limit alone' : `${processes} processes share the limit`

const inFlightOf = ({ processes }: SharedState): number =>
  Object.values(processes).reduce((sum, { inFlight }) => sum + inFlight, 0)

const waitingBefore = ({ processes }: SharedState, id: string): string[] =>
  Object.keys(processes).filter((other) => {
    const { isWaiting = false, servedIn = 0 } = processes[other] ?? {}
    return isWaiting && servedIn < (processes[id]?.servedIn ?? 0)
  })

/** Passes over processes that missed their turn until they visit: a dead one costs one wait. */
function serve(state: SharedState, id: string, call: SentCall): SharedState {
  const passed = new Set(waitingBefore(state, id))
  const processes = Object.entries(state.processes).map(([other, process]) => {
    if (other === id)
      return [other, { ...process, inFlight: process.inFlight + 1, servedIn: call.number }] as const
    return [other, passed.has(other) ? { ...process, isWaiting: false } : process] as const
  })
  return {
    ...state,
    pace: step(state.pace, { kind: 'sent', call }),
    processes: Object.fromEntries(processes),
  }
}

/** Adds this process if it is new, and removes silent ones: their permits are void. */
function join(
  state: SharedState,
  now: number,
  { id, rules }: Member,
  stepMs: number,
): { state: SharedState; process: Process } {
  const { [id]: known, ...others } = state.processes
  // Each process may need several steps for its turn.
  const alive = Object.entries(others).filter(([, { seenAt }]) => now - seenAt <= GONE_MS + 3 * stepMs)
  if (known !== undefined && alive.length === Object.keys(others).length) return { state, process: known }
  const { pace } = state
  // Its turn is before that of the process served last.
  const fresh = { rules, seenAt: now, inFlight: 0, isWaiting: false, left: null, servedIn: pace.sent - 1 }
  const process = known ?? fresh
  const isFirst = known === undefined && alive.length === 0
  const processes = { ...Object.fromEntries(alive), [id]: process }
  return { state: among({ ...state, pace: isFirst ? afresh(pace, rules) : pace }, processes), process }
}

function among(before: SharedState, processes: SharedState['processes']): SharedState {
  const [count, countBefore] = [Object.keys(processes).length, processesOf(before)]
  const isAnyGone = Object.keys(before.processes).some((id) => processes[id] === undefined)
  // The probe may have been the call of a process that is gone.
  const breaker = isAnyGone ? { ...before.pace.breaker, probe: null } : before.pace.breaker
  const pace = { ...before.pace, breaker }
  if (count === 0) return { ...before, pace, processes }
  const rules = strictest(Object.values(processes).map((process) => process.rules))
  const ruled = JSON.stringify(rules) === JSON.stringify(pace.rules) ? pace : afresh(pace, rules)
  const isNews = countBefore > 0 && count !== countBefore
  return { ...before, pace: isNews ? reportChange(ruled, shareWords(count)) : ruled, processes }
}

/** Begins again: other rules may be of a known rate, or of none. Calls and reports go on being counted. */
const afresh = ({ sent, reported, pause }: PaceState, rules: PaceRules): PaceState => ({
  ...createPaceState(rules),
  sent,
  reported,
  pause,
  heededUpTo: sent,
})
