// The processes that share one pacing state. Each visits it in turn: it reports results and takes permits.
import { BATCH_MS, GONE_MS } from './constants.ts'
import type { Observation } from './observation.ts'
import { nextSendAt, step } from './policy.ts'
import { type PaceRules, strictest } from './rules.ts'
import {
  createPaceState,
  type PaceState,
  type Process,
  reportChange,
  type SentCall,
  slotMs,
  underRules,
} from './state.ts'

export interface Member {
  readonly id: string
  readonly rules: PaceRules
  readonly random: () => number
}

export interface Visit {
  readonly results: readonly (readonly [call: SentCall, observation: Observation])[]
  readonly inFlight: number
  readonly isWaiting: boolean
  /** Is null if unknown. */
  readonly left: number | null
  /** Is how long a step of a shared state takes: permits are granted that far ahead. 0 in memory. */
  readonly stepMs: number
}

/** Gives the state, the same object if it need not be written back, and permits, each for its time. */
export function visit(
  before: PaceState,
  now: number,
  member: Member,
  { results, inFlight, isWaiting, left, stepMs }: Visit,
): { state: PaceState; permits: SentCall[] } {
  const { id, random } = member
  const { state: joined, process } = join(before, now, member, stepMs)
  let state = joined
  for (const [call, observation] of results)
    state = step(state, { kind: 'ended', at: now, call, observation, random: random() })
  const visited = { ...process, seenAt: now, inFlight, isWaiting, left }
  state = { ...state, processes: { ...state.processes, [id]: visited } }
  const permits: SentCall[] = []
  // Permits of a shared state arrive a step later, and last for two more: the next step may meet a conflict.
  const max = stepMs > 0 ? Math.max(1, left ?? Infinity) : 1
  let until = now + 3 * stepMs
  let due = isWaiting ? turnOf(state, now, id, stepMs) : Infinity
  // Nothing is reserved behind a probe that may still be refused.
  while (permits.length < max && due <= (state.paced?.closed?.probe ? now : until)) {
    const at = Math.max(due, now + stepMs)
    // A limit on concurrent calls is not looked for among processes: what is in flight is known too late.
    const call = { number: state.sent, at, inFlight: processesOf(state) > 1 ? 1 : inFlightOf(state) + 1 }
    state = step(serve(state, id), { kind: 'sent', call })
    permits.push(call)
    due = dueAt(state, at)
    // At a high pace a visit takes several.
    until = Math.max(until, now + BATCH_MS)
  }
  const isSilent = joined === before && results.length === 0 && permits.length === 0
  if (isSilent && now - process.seenAt < GONE_MS / 3) return { state: before, permits }
  return { state: { ...state, steppedAt: now }, permits }
}

/** Removes a process that has ended; its permits and requests are void. */
export function leave(state: PaceState, now: number, id: string): PaceState {
  if (state.processes[id] === undefined) return state
  const { [id]: _, ...others } = state.processes
  return { ...among(state, others), steppedAt: now }
}

export function turnOf(state: PaceState, now: number, id: string, stepMs: number): number {
  const due = dueAt(state, now)
  const { paced, breaker, pause } = state
  const ahead = waitingBefore(state, id).length
  // Without a pace there is one process.
  if (ahead === 0 || paced === null) return due
  // Each process ahead is passed a slot, or a step, after its permit became due.
  const since = Math.min(due, Math.max(paced.nextAt ?? 0, pause?.until ?? 0, breaker.pause?.until ?? 0))
  return Math.max(due, since + ahead * Math.max(BATCH_MS, slotMs(paced), stepMs))
}

function dueAt(state: PaceState, now: number): number {
  const inFlight = inFlightOf(state)
  return inFlight >= state.rules.concurrency ? Infinity : nextSendAt(state, now, inFlight)
}

export const processesOf = (state: PaceState): number => Object.keys(state.processes).length

export const shareWords = (processes: number): string =>
  processes === 1 ? 'this process uses the limit alone' : `${processes} processes share the limit`

const inFlightOf = ({ processes }: PaceState): number =>
  Object.values(processes).reduce((sum, { inFlight }) => sum + inFlight, 0)

const waitingBefore = ({ processes }: PaceState, id: string): string[] =>
  Object.keys(processes).filter((other) => {
    const { isWaiting = false, servedIn = 0 } = processes[other] ?? {}
    return isWaiting && servedIn < (processes[id]?.servedIn ?? 0)
  })

/** Passes over processes that missed their turn until they visit: a dead one costs one wait. */
function serve(state: PaceState, id: string): PaceState {
  const passed = new Set(waitingBefore(state, id))
  const processes = Object.entries(state.processes).map(([other, process]) => {
    if (other === id)
      return [other, { ...process, inFlight: process.inFlight + 1, servedIn: state.sent }] as const
    return [other, passed.has(other) ? { ...process, isWaiting: false } : process] as const
  })
  return { ...state, processes: Object.fromEntries(processes) }
}

/** Adds this process if it is new, and removes silent ones: their permits are void. */
function join(
  state: PaceState,
  now: number,
  { id, rules }: Member,
  stepMs: number,
): { state: PaceState; process: Process } {
  const { [id]: known, ...others } = state.processes
  // Each process may need several steps for its turn.
  const alive = Object.entries(others).filter(([, { seenAt }]) => now - seenAt <= GONE_MS + 3 * stepMs)
  if (known !== undefined && alive.length === Object.keys(others).length) return { state, process: known }
  // Its turn is before that of the process served last.
  const fresh = { rules, seenAt: now, inFlight: 0, isWaiting: false, left: null, servedIn: state.sent - 1 }
  const process = known ?? fresh
  const isAnotherRun = known === undefined && alive.length === 0 && now - state.steppedAt > GONE_MS
  const { reported, processes } = state
  const base = isAnotherRun
    ? { ...createPaceState(rules), reported, processes, paced: underRules(state, rules, true).paced }
    : state
  return { state: among(base, { ...Object.fromEntries(alive), [id]: process }), process }
}

function among(before: PaceState, processes: PaceState['processes']): PaceState {
  const [count, countBefore] = [Object.keys(processes).length, processesOf(before)]
  const isAnyGone = Object.keys(before.processes).some((id) => processes[id] === undefined)
  // The probe may have been the call of a process that is gone.
  const breaker = isAnyGone ? { ...before.breaker, probe: null } : before.breaker
  const state = { ...before, processes, breaker }
  if (count === 0) return state
  const rules = strictest(Object.values(processes).map((process) => process.rules))
  const isSame = JSON.stringify(rules) === JSON.stringify(before.rules)
  const ruled = isSame ? state : underRules(state, rules)
  return countBefore === 0 || count === countBefore ? ruled : reportChange(ruled, shareWords(count))
}
