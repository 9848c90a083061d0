// The processes of an organization at one state: each visits it with its results, and takes the permits that are its due.
// Where the state lives in one process, that process is the only one.
import { slotMs } from './growth.ts'
import { forAnotherRun, adopt } from './learned.ts'
import type { Observation } from './observation.ts'
import { nextSendAt, onResult, onSend, paceOf } from './policy.ts'
import { formatPace } from './rate.ts'
import { createPaceState, type PaceState, type Process, type Rules, type Sending } from './state.ts'

/** A process that was not seen for so long is gone, and so are its permits. */
const GONE_MS = 3000
/** A process that lives is seen as often as that. */
export const SEEN_EVERY_MS = 1000
/** What was learned longer ago, by processes that have ended, was learned by another run. */
const SAME_RUN_MS = 10_000
/** Who does not come when its turn is due is passed by after a slot, but after so long at least and at most. */
const PASSED_AFTER_MS = [20, 100] as const

export interface Result {
  readonly sending: Sending
  readonly observation: Observation
}

export interface Visit {
  readonly id: string
  readonly rules: Rules
  /** What came back since the last visit. */
  readonly results: readonly Result[]
  /** Calls that are in flight now, and calls that wait for a permit. */
  readonly inFlight: number
  readonly waiting: number
  /** Permits for so far ahead are given. */
  readonly aheadMs: number
  /** When a waiting call might have gone, had the machine been in time. */
  readonly awaitedAt: number | undefined
  /** Uniform in [0, 1). */
  readonly random: () => number
}

export interface Visited {
  /** Permits: each call is to be sent at its time. */
  readonly sendings: readonly Sending[]
  /** False where the state is as good as it was. */
  readonly isChanged: boolean
}

export function visit(state: PaceState, now: number, visitor: Visit): Visited {
  const { id, results, waiting, random } = visitor
  const before = state.processes[id]
  const isNew = welcome(state, now, visitor)
  const own = state.processes[id]
  if (own === undefined) throw new Error(`process ${id} was welcomed and is not there`)
  for (const { sending, observation } of results)
    tell(state, onResult(state, now, sending, observation, random))
  own.inFlight = visitor.inFlight
  // Who was served asks again at once, as a rule: the next visit tells.
  own.waiting = waiting
  const sendings: Sending[] = []
  const isShared = visitor.aheadMs > 0
  const most = isShared && waiting > 0 ? Math.max(waiting, batchOf(paceOf(state).pace)) : waiting
  const until = now + visitor.aheadMs
  let takeAt = most === 0 ? Infinity : turnOf(state, now, id).takeAt
  while (sendings.length < most && takeAt <= (sendings.length < waiting ? until : until + BATCH_MS)) {
    passBy(state, own)
    own.inFlight += 1
    own.servedIn = state.sent
    const at = takeAt > now ? takeAt : now - lateness(state, now, visitor)
    sendings.push(onSend(state, at, inFlightOf(state)))
    // By then: a probe that is out holds up the next call.
    takeAt = dueAt(state, Math.max(now, at))
  }
  const isDue = before === undefined || now - before.seenAt >= SEEN_EVERY_MS || before.waiting !== waiting
  const isChanged = isNew || isDue || results.length > 0 || sendings.length > 0
  if (isChanged) state.steppedAt = own.seenAt = now
  return { sendings, isChanged }
}

/**
 * Where others step the state, too, each step costs two ways through the network: at a high pace the permits of so long a
 * time are taken at once, and those that are not used are given back.
 */
const BATCH_MS = 20

const batchOf = (pace: number | null): number =>
  pace === null ? 1 : Math.max(1, Math.floor((BATCH_MS * pace) / 1000))

/**
 * A busy machine wakes us late. Where a rate is known that is made good, elsewhere the pace makes up for it: half of the time
 * between two calls, or 10 ms, which the margin of 1 % below the rate covers in every window of a second or longer. Else each
 * call is late for good: two cores that serve twenty lose a tenth of the rate.
 */
const MADE_GOOD = 0.5
const MADE_GOOD_MS = [10, 25] as const

function lateness(state: PaceState, now: number, { awaitedAt = now }: Visit): number {
  const { paced } = state
  if (paced === null || paced.speed.known === null) return 0
  const [least, most] = MADE_GOOD_MS
  const bound = Math.min(most, Math.max(least, MADE_GOOD * slotMs(paced.speed)))
  return Math.max(0, Math.min(now - awaitedAt, bound))
}

/** The process has ended: what it holds and waits for is void. */
export function leave(state: PaceState, now: number, id: string): void {
  if (!drop(state, [id])) return
  state.steppedAt = now
  rule(state, now)
}

export interface Turn {
  /** When the process may take a permit; Infinity while an answer is waited for. */
  readonly takeAt: number
  /** When another that waits is expected to have taken the permit before; Infinity where nobody else waits. */
  readonly lookAt: number
}

export function turnOf(state: PaceState, now: number, id: string): Turn {
  const due = dueAt(state, now)
  const own = state.processes[id]
  const ahead = own === undefined ? 0 : waitingBefore(state, own).length
  if (ahead === 0) return { takeAt: due, lookAt: Infinity }
  const { pace } = paceOf(state)
  const slot = pace === null ? 0 : 1000 / pace
  const [least, most] = PASSED_AFTER_MS
  const late = Math.min(most, Math.max(least, slot))
  const passedAt = Math.min(due, dueSince(state)) + ahead * late
  return { takeAt: Math.max(due, passedAt), lookAt: due + ahead * slot * batchOf(pace) }
}

/** Since when a call might have gone, where one may go now. */
const dueSince = ({ paced, breaker }: PaceState): number =>
  Math.max(paced?.speed.nextAt ?? 0, paced?.closure?.until ?? 0, breaker.closure?.until ?? 0)

/** When the next call may go, whoever sends it. */
function dueAt(state: PaceState, now: number): number {
  const inFlight = inFlightOf(state)
  return inFlight >= state.rules.concurrency ? Infinity : nextSendAt(state, now, inFlight)
}

export const processesOf = (state: PaceState): number => Object.keys(state.processes).length

/** How things stand for a process that joins, in words. `state` is undefined where nothing was ever learned. */
export function describeStanding(state: PaceState | undefined, now: number): string {
  const others = Object.values(state?.processes ?? {}).filter((one) => isThere(one, now)).length
  const processes = `${shareWords(others + 1)} through Redis`
  if (state === undefined) return `${processes}; the limit is unknown`
  return others > 0
    ? `${processes}; the pace is ${formatPace(paceOf(state).pace)}`
    : `${processes}; starting with the pace of an earlier run`
}

const shareWords = (processes: number): string =>
  processes === 1 ? 'this process uses the limit alone' : `${processes} processes share the limit`

const isThere = ({ seenAt }: Process, now: number): boolean => now - seenAt <= GONE_MS

const inFlightOf = ({ processes }: PaceState): number => {
  let sum = 0
  for (const id in processes) sum += processes[id]?.inFlight ?? 0
  return sum
}

/** Those that wait, too, and were served longer ago. */
function waitingBefore({ processes }: PaceState, own: Process): Process[] {
  return Object.values(processes).filter(
    (one) => one !== own && one.waiting > 0 && one.servedIn < own.servedIn,
  )
}

/** Those that did not come in time are waited for no more, until they come: one that is gone costs one wait. */
function passBy(state: PaceState, own: Process): void {
  for (const one of waitingBefore(state, own)) one.waiting = 0
}

/** Who is gone is dropped, who is new is taken in. Returns whether either was so. */
function welcome(state: PaceState, now: number, { id, rules }: Visit): boolean {
  const ids = Object.keys(state.processes)
  const gone = ids.filter((other) => other !== id && !isThere(state.processes[other] as Process, now))
  const isNew = state.processes[id] === undefined
  if (!isNew && gone.length === 0) return false
  const isAnotherRun = isNew && gone.length === ids.length && now - state.steppedAt > SAME_RUN_MS
  drop(state, gone)
  if (isNew) {
    // Before who was served last.
    state.processes[id] = { rules, seenAt: now, inFlight: 0, waiting: 0, servedIn: state.sent - 1 }
    if (processesOf(state) > 1) tell(state, shareWords(processesOf(state)))
  }
  if (isAnotherRun) beginAgain(state, rules, now)
  else rule(state, now)
  return true
}

function beginAgain(state: PaceState, rules: Rules, now: number): void {
  const { processes, told } = state
  const { paced } = state
  Object.assign(state, { ...createPaceState(rules), processes, told })
  if (paced !== null) state.paced = forAnotherRun(paced, rules, now)
}

function drop(state: PaceState, ids: readonly string[]): boolean {
  const before = processesOf(state)
  state.processes = Object.fromEntries(Object.entries(state.processes).filter(([id]) => !ids.includes(id)))
  const after = processesOf(state)
  if (after === before) return false
  // Its answer may have been what is waited for.
  state.breaker.probe = null
  if (after > 0) tell(state, shareWords(after))
  return true
}

/** The strictest rules of all hold: the slowest known rate, the fewest calls at once, the smallest share. */
function rule(state: PaceState, now: number): void {
  const all = Object.values(state.processes).map(({ rules }) => rules)
  if (all.length === 0) return
  const next = strictest(all)
  const isSame = JSON.stringify(next) === JSON.stringify(state.rules)
  state.rules = next
  const { paced } = state
  if (isSame || paced === null) return
  adopt(paced, next, now)
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
