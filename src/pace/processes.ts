// The processes that share one pacing state. Each visits the state: it reports results and takes the permits that are its turn.
// A state in memory has one process.
import { slotMs } from './growth.ts'
import { forAnotherRun, adopt } from './learned.ts'
import type { Observation } from './observation.ts'
import { nextSendAt, onResult, onSend, paceOf } from './policy.ts'
import { formatPace } from './rate.ts'
import { createPaceState, type PaceState, type Process, type Rules, type Sending } from './state.ts'

/** A process that has not visited for this long is gone, and its permits are void. */
const GONE_MS = 3000
/** A live process visits at least this often. */
export const SEEN_EVERY_MS = 1000
/** A state that ended processes left longer ago than this belongs to an earlier run. */
const SAME_RUN_MS = 10_000
/** A process that misses its turn is skipped after one slot, within these bounds. */
const PASSED_AFTER_MS = [20, 100] as const

export interface Result {
  readonly sending: Sending
  readonly observation: Observation
}

export interface Visit {
  readonly id: string
  readonly rules: Rules
  /** Results since the last visit. */
  readonly results: readonly Result[]
  /** Calls in flight, and calls that wait for a permit. */
  readonly inFlight: number
  readonly waiting: number
  /** Permits may be granted this far ahead of their time. */
  readonly aheadMs: number
  /** When the waiting call was due; it is later now if the process woke up late. */
  readonly awaitedAt: number | undefined
  /** Uniform in [0, 1). */
  readonly random: () => number
}

export interface Visited {
  /** Permits; each call is sent at its time. */
  readonly sendings: readonly Sending[]
  /** False if the state need not be written back. */
  readonly isChanged: boolean
}

export function visit(state: PaceState, now: number, visitor: Visit): Visited {
  const { id, results, waiting, random } = visitor
  const before = state.processes[id]
  const isNew = join(state, now, visitor)
  const own = state.processes[id]
  if (own === undefined) throw new Error(`process ${id} has joined and is missing`)
  for (const { sending, observation } of results)
    tell(state, onResult(state, now, sending, observation, random))
  own.inFlight = visitor.inFlight
  own.waiting = waiting
  const sendings: Sending[] = []
  const isShared = visitor.aheadMs > 0
  const most = isShared && waiting > 0 ? Math.max(waiting, batchOf(paceOf(state).pace)) : waiting
  const until = now + visitor.aheadMs
  let takeAt = most === 0 ? Infinity : turnOf(state, now, id).takeAt
  while (sendings.length < most && takeAt <= (sendings.length < waiting ? until : until + BATCH_MS)) {
    // Those that missed their turn are not waited for again until they visit: a dead one costs one wait.
    for (const one of waitingBefore(state, own)) one.waiting = 0
    own.inFlight += 1
    own.servedIn = state.sent
    const at = takeAt > now ? takeAt : now - lateness(state, now, visitor)
    sendings.push(onSend(state, at, inFlightOf(state)))
    // Computed after the send: a probe in flight delays the next call.
    takeAt = dueAt(state, Math.max(now, at))
  }
  const isDue = before === undefined || now - before.seenAt >= SEEN_EVERY_MS || before.waiting !== waiting
  const isChanged = isNew || isDue || results.length > 0 || sendings.length > 0
  if (isChanged) state.steppedAt = own.seenAt = now
  return { sendings, isChanged }
}

/**
 * Each step of a shared state costs two round trips. At a high pace a process takes the permits of this long at once and returns
 * those that it does not use.
 */
const BATCH_MS = 20

const batchOf = (pace: number | null): number =>
  pace === null ? 1 : Math.max(1, Math.floor((BATCH_MS * pace) / 1000))

/**
 * A busy machine fires timers late. At a known rate the lateness is made up for, by up to half a slot or 10 ms: the margin of
 * 1 % below the rate covers that in every window of a second or longer. Without it two cores that run twenty processes lose a
 * tenth of the rate. At an unknown rate the growing pace makes up for it.
 */
const MADE_UP_SLOTS = 0.5
const MADE_UP_MS = [10, 25] as const

function lateness(state: PaceState, now: number, { awaitedAt = now }: Visit): number {
  const { paced } = state
  if (paced === null || paced.speed.known === null) return 0
  const bound = within(MADE_UP_MS, MADE_UP_SLOTS * slotMs(paced.speed))
  return Math.max(0, Math.min(now - awaitedAt, bound))
}

/** The process has ended; its permits and requests are void. */
export function leave(state: PaceState, now: number, id: string): void {
  if (!drop(state, [id])) return
  state.steppedAt = now
  applyRules(state, now)
}

export interface Turn {
  /** When the process may take a permit; Infinity until an answer arrives. */
  readonly takeAt: number
  /** When the processes before it should have taken theirs; Infinity if none waits. */
  readonly lookAt: number
}

export function turnOf(state: PaceState, now: number, id: string): Turn {
  const due = dueAt(state, now)
  const own = state.processes[id]
  const ahead = own === undefined ? 0 : waitingBefore(state, own).length
  if (ahead === 0) return { takeAt: due, lookAt: Infinity }
  const { pace } = paceOf(state)
  const slot = pace === null ? 0 : 1000 / pace
  const { paced, breaker } = state
  // When the permit that may be taken now became due.
  const since = Math.max(paced?.speed.nextAt ?? 0, paced?.closure?.until ?? 0, breaker.closure?.until ?? 0)
  const passedAt = Math.min(due, since) + ahead * within(PASSED_AFTER_MS, slot)
  return { takeAt: Math.max(due, passedAt), lookAt: due + ahead * slot * batchOf(pace) }
}

const within = ([least, most]: readonly [number, number], value: number): number =>
  Math.min(most, Math.max(least, value))

/** When the next call of any process may be sent. */
function dueAt(state: PaceState, now: number): number {
  const inFlight = inFlightOf(state)
  return inFlight >= state.rules.concurrency ? Infinity : nextSendAt(state, now, inFlight)
}

export const processesOf = (state: PaceState): number => Object.keys(state.processes).length

/** One sentence for a process that joins. `state`: undefined if nothing was learned yet. */
export function describeStanding(state: PaceState | undefined, now: number): string {
  const others = Object.values(state?.processes ?? {}).filter((one) => isAlive(one, now)).length
  const processes = `${shareWords(others + 1)} through Redis`
  if (state === undefined) return `${processes}; the limit is unknown`
  return others > 0
    ? `${processes}; the pace is ${formatPace(paceOf(state).pace)}`
    : `${processes}; starting with the pace of an earlier run`
}

const shareWords = (processes: number): string =>
  processes === 1 ? 'this process uses the limit alone' : `${processes} processes share the limit`

const isAlive = ({ seenAt }: Process, now: number): boolean => now - seenAt <= GONE_MS

const inFlightOf = ({ processes }: PaceState): number => {
  let sum = 0
  for (const id in processes) sum += processes[id]?.inFlight ?? 0
  return sum
}

/** Waiting processes that were served longer ago. */
function waitingBefore({ processes }: PaceState, own: Process): Process[] {
  return Object.values(processes).filter(
    (one) => one !== own && one.waiting > 0 && one.servedIn < own.servedIn,
  )
}

/** Drops processes that are gone and adds this one if it is new. Returns whether anything changed. */
function join(state: PaceState, now: number, { id, rules }: Visit): boolean {
  const ids = Object.keys(state.processes)
  const gone = ids.filter((other) => other !== id && !isAlive(state.processes[other] as Process, now))
  const isNew = state.processes[id] === undefined
  if (!isNew && gone.length === 0) return false
  const isAnotherRun = isNew && gone.length === ids.length && now - state.steppedAt > SAME_RUN_MS
  drop(state, gone)
  if (isNew) {
    // Its turn is before that of the process served last.
    state.processes[id] = { rules, seenAt: now, inFlight: 0, waiting: 0, servedIn: state.sent - 1 }
    if (processesOf(state) > 1) tell(state, shareWords(processesOf(state)))
  }
  if (isAnotherRun) {
    const { processes, told, paced } = state
    Object.assign(state, { ...createPaceState(rules), processes, told })
    if (paced !== null) state.paced = forAnotherRun(paced, rules, now)
  } else applyRules(state, now)
  return true
}

function drop(state: PaceState, ids: readonly string[]): boolean {
  const before = processesOf(state)
  state.processes = Object.fromEntries(Object.entries(state.processes).filter(([id]) => !ids.includes(id)))
  const after = processesOf(state)
  if (after === before) return false
  // The probe may have been its call.
  state.breaker.probe = null
  if (after > 0) tell(state, shareWords(after))
  return true
}

/** The strictest rules apply: the slowest known rate, the lowest concurrency, the smallest share. */
function applyRules(state: PaceState, now: number): void {
  const all = Object.values(state.processes).map(({ rules }) => rules)
  if (all.length === 0) return
  const { rules: before, paced } = state
  state.rules = strictest(all)
  const isSame = JSON.stringify(state.rules) === JSON.stringify(before)
  if (!isSame && paced !== null) adopt(paced, state.rules, now)
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

function tell({ told }: PaceState, cause: string | undefined): void {
  if (cause === undefined) return
  told.number += 1
  told.cause = cause
}
