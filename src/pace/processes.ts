// The processes that share one pacing state. Each visits the state: it reports results and takes the permits that are its turn.
// A state in memory has one process.
import { slotMs } from './growth.ts'
import { forAnotherRun, adopt } from './learned.ts'
import type { Observation } from './observation.ts'
import { nextSendAt, onResult, onSend } from './policy.ts'
import { createPaceState, type PaceState, type Process, type Rules, type Sending } from './state.ts'

/** A process that has not visited for this long is gone, and its permits are void. */
const GONE_MS = 3000
/** A live process visits at least this often. */
export const SEEN_EVERY_MS = 1000
/** A state that ended processes left longer ago than this belongs to an earlier run. */
const SAME_RUN_MS = 10_000
/** A process that misses its turn is skipped after one slot, within these bounds. */
const PASSED_AFTER_MS = [20, 100] as const

/** The result of a call. */
export type Result = readonly [sending: Sending, observation: Observation]

export interface Member {
  /** Unique in the store. */
  readonly id: string
  readonly rules: Rules
  /** Uniform in [0, 1). */
  readonly random: () => number
}

export interface Visit {
  /** Results since the last visit. */
  readonly results: readonly Result[]
  readonly inFlight: number
  /** Whether a call waits for a permit. */
  readonly isWaiting: boolean
  /** Calls that are still to be sent; null if unknown. */
  readonly left: number | null
  /** Permits may be granted this far ahead of their time. */
  readonly aheadMs: number
  /** When the waiting call was due; it is later now if the process woke up late. */
  readonly awaitedAt: number | undefined
}

/**
 * Each step of a shared state costs two round trips. At a high pace a process takes the permits of this long at once and returns
 * those that it does not use.
 */
const BATCH_MS = 20

/** Returns permits, each for a call at its time, and whether the state must be written back. */
export function visit(
  state: PaceState,
  now: number,
  member: Member,
  { results, inFlight, isWaiting, left, aheadMs, awaitedAt = now }: Visit,
): { sendings: Sending[]; isChanged: boolean } {
  const { own, hasJoined } = join(state, now, member)
  own.left = left
  for (const [sending, observation] of results)
    report(state, onResult(state, now, sending, observation, member.random))
  Object.assign(own, { inFlight, isWaiting })
  const sendings: Sending[] = []
  const pace = state.paced?.speed.pace ?? 0
  const most = aheadMs > 0 ? Math.max(1, Math.floor((BATCH_MS * pace) / 1000)) : 1
  let takeAt = isWaiting ? turnOf(state, now, own) : Infinity
  while (sendings.length < most && takeAt <= now + aheadMs + (sendings.length > 0 ? BATCH_MS : 0)) {
    // Those that missed their turn are not waited for again until they visit: a dead one costs one wait.
    for (const one of waitingBefore(state, own.servedIn)) one.isWaiting = false
    own.inFlight += 1
    own.servedIn = state.sent
    const at = takeAt > now ? takeAt : now - lateness(state, now - awaitedAt)
    sendings.push(onSend(state, at, inFlightOf(state)))
    // Computed after the send: a probe in flight delays the next call.
    takeAt = dueAt(state, Math.max(now, at))
  }
  const isSilent = results.length === 0 && sendings.length === 0
  const isChanged = hasJoined || !isSilent || now - own.seenAt >= SEEN_EVERY_MS
  if (isChanged) state.steppedAt = own.seenAt = now
  return { sendings, isChanged }
}

/**
 * A busy machine fires timers late. At a known rate the lateness is made up for, by up to half a slot or 10 ms: the margin of
 * 1 % below the rate covers that in every window of a second or longer. Without it two cores that run twenty processes lose a
 * tenth of the rate. At an unknown rate the growing pace makes up for it.
 */
const MADE_UP_SLOTS = 0.5
const MADE_UP_MS = [10, 25] as const

/** What is made up for of `ms`. */
function lateness({ paced }: PaceState, ms: number): number {
  if (paced === null || paced.speed.known === null) return 0
  return Math.max(0, Math.min(ms, within(MADE_UP_MS, MADE_UP_SLOTS * slotMs(paced.speed))))
}

/** The process has ended; its permits and requests are void. */
export function leave(state: PaceState, now: number, id: string): void {
  if (state.processes[id] === undefined) return
  drop(state, [id])
  state.steppedAt = now
  applyRules(state, now)
}

/** When the process may take a permit; Infinity until an answer arrives. */
export function turnOf(state: PaceState, now: number, own: Process | undefined): number {
  const due = dueAt(state, now)
  const ahead = waitingBefore(state, own?.servedIn ?? 0).length
  const { paced, breaker } = state
  // Without a pace there is one process.
  if (ahead === 0 || paced === null) return due
  // When the permit that may be taken now became due.
  const since = Math.max(paced.speed.nextAt ?? 0, state.closure?.until ?? 0, breaker.closure?.until ?? 0)
  return Math.max(due, Math.min(due, since) + ahead * within(PASSED_AFTER_MS, slotMs(paced.speed)))
}

const within = ([least, most]: readonly [number, number], value: number): number =>
  Math.min(most, Math.max(least, value))

/** When the next call of any process may be sent. */
function dueAt(state: PaceState, now: number): number {
  const inFlight = inFlightOf(state)
  return inFlight >= state.rules.concurrency ? Infinity : nextSendAt(state, now, inFlight)
}

export const processesOf = (state: PaceState): number => Object.keys(state.processes).length

export const shareWords = (processes: number): string =>
  processes === 1 ? 'this process uses the limit alone' : `${processes} processes share the limit`

const isAlive = ({ seenAt }: Process, now: number): boolean => now - seenAt <= GONE_MS

const inFlightOf = ({ processes }: PaceState): number =>
  Object.values(processes).reduce((sum, { inFlight }) => sum + inFlight, 0)

/** Waiting processes that were served longer ago. */
const waitingBefore = ({ processes }: PaceState, servedIn: number): Process[] =>
  Object.values(processes).filter((one) => one.isWaiting && one.servedIn < servedIn)

/** Drops processes that are gone and adds this one if it is new. */
function join(state: PaceState, now: number, { id, rules }: Member): { own: Process; hasJoined: boolean } {
  const known = state.processes[id]
  const others = Object.keys(state.processes).filter((other) => other !== id)
  const gone = others.filter((other) => !isAlive(state.processes[other] as Process, now))
  // Its turn is before that of the process served last.
  const own = known ?? {
    rules,
    seenAt: now,
    inFlight: 0,
    isWaiting: false,
    left: null,
    servedIn: state.sent - 1,
  }
  if (known !== undefined && gone.length === 0) return { own, hasJoined: false }
  const isAlone = gone.length === others.length
  drop(state, gone)
  state.processes[id] = own
  if (known === undefined && !isAlone) report(state, shareWords(processesOf(state)))
  if (known === undefined && isAlone && now - state.steppedAt > SAME_RUN_MS) {
    const { processes, reported, paced } = state
    Object.assign(state, { ...createPaceState(rules), processes, reported })
    if (paced !== null) state.paced = forAnotherRun(paced, rules, now)
  } else applyRules(state, now)
  return { own, hasJoined: true }
}

function drop(state: PaceState, ids: readonly string[]): void {
  if (ids.length === 0) return
  state.processes = Object.fromEntries(Object.entries(state.processes).filter(([id]) => !ids.includes(id)))
  // The probe may have been its call.
  state.breaker.probe = null
  const left = processesOf(state)
  if (left > 0) report(state, shareWords(left))
}

/** The strictest rules apply: the slowest known rate, the lowest concurrency, the smallest share. */
function applyRules(state: PaceState, now: number): void {
  const all = Object.values(state.processes)
  if (all.length === 0) return
  const rules = strictest(all.map((one) => one.rules))
  const isNew = JSON.stringify(rules) !== JSON.stringify(state.rules)
  state.rules = rules
  if (isNew && state.paced !== null) adopt(state.paced, rules, now)
}

export function strictest(all: readonly Rules[]): Rules {
  return all.reduce((one, other) => ({
    rate: slower(one.rate, other.rate),
    concurrency: Math.min(one.concurrency, other.concurrency),
    share: Math.min(one.share, other.share),
  }))
}

/** Known is stricter than auto, auto than unlimited. */
function slower(one: Rules['rate'], other: Rules['rate']): Rules['rate'] {
  if (one.kind === 'known' && other.kind === 'known') return one.perSecond <= other.perSecond ? one : other
  return one.kind === 'known' || (one.kind === 'auto' && other.kind === 'unlimited') ? one : other
}

function report({ reported }: PaceState, cause: string | undefined): void {
  if (cause === undefined) return
  reported.number += 1
  reported.cause = cause
}
