// Simulates a run in virtual time: threads of dependent turns, a policy that paces the calls, and a limit.
import { observe, type Observation, type SentCall } from '../../../src/pace/observation.ts'
import TinyQueue from 'tinyqueue'
import type { Server, Verdict } from './servers.ts'

export interface Load {
  readonly calls: number
  readonly random: () => number
  /** Answer times are lognormal. */
  readonly medianMs: number
  readonly sigma: number
  readonly cap: number
  /** Approximate time of a 429. */
  readonly refusalMs?: number
  /** Share of the calls that a busy machine sends late. Default: 0.05. */
  readonly lateShare?: number
}

/** A pacing policy. Other clients may delay the refused call, too, or instead. */
export interface Contender {
  /** Earliest time for the next call; Infinity while it must wait for an answer. */
  nextSendAt(now: number, inFlight: number): number
  /** `inFlight` counts the call itself. */
  onSend(now: number, inFlight: number): SentCall
  onAnswer(now: number, sending: SentCall, observation: Observation): unknown
  /** Milliseconds before a call with that many 429s may be sent again. */
  retryDelayMs?(refusals: number): number
}

interface Thread {
  readonly turns: number
  left: number
  refusals: number
  isRestarted: boolean
}

interface Event {
  readonly at: number
  readonly run: () => void
}

const JITTER_MS = 20
/** A busy machine sends this share of the calls late, by up to so much. */
const LATE = 0.05
const LATE_MS = 40
const REFUSAL_MS = 60
const MOST_TURNS = 8
const LONGEST_MS = 40 * 24 * 3_600_000
const MOST_STEPS = 5_000_000
const EMPTY = { conversationId: '', message: '', status: '', contextSource: '' }

/**
 * The milliseconds until the last answer, Infinity if answers are missing; attempts; 429s and failures that a limit
 * may have caused; questions that ended in an error or were not asked after one; and the p95 of answers.
 */
export function simulate(policy: Contender, server: Server, load: Load, jitterMs = JITTER_MS) {
  const { random, calls, cap, refusalMs = REFUSAL_MS, lateShare = LATE } = load
  // Aligned windows do not start together with the run.
  const phase = random() * 3_600_000
  const events = new TinyQueue<Event>([], (one, other) => one.at - other.at)
  const ready = planThreads(load)
  const seen = { inFlight: 0, attempts: 0, refused: 0, done: 0, lost: 0 }
  const tookMs: number[] = []
  // As undici's pool: the first free connection, or a new one.
  const busy = new Set<number>()
  let now = 0

  const send = (thread: Thread): void => {
    seen.inFlight += 1
    seen.attempts += 1
    let connection = 0
    while (busy.has(connection)) connection += 1
    busy.add(connection)
    const sending = policy.onSend(now, seen.inFlight)
    const lateMs = lateShare > 0 && random() < lateShare ? random() * LATE_MS : 0
    events.push({
      at: now + lateMs + random() * jitterMs,
      run: () => arrive(thread, sending, connection),
    })
  }
  const arrive = (thread: Thread, sending: SentCall, connection: number): void => {
    const verdict = server.arrive(now + phase, connection)
    const { admitted, delay = (ms) => ms } = verdict
    const ms = admitted ? delay(answerTime(load)) : refusalMs * (0.7 + 0.6 * random())
    events.push({ at: now + ms, run: () => answer(thread, sending, verdict, connection) })
  }
  const answer = (thread: Thread, sending: SentCall, verdict: Verdict, connection: number): void => {
    const { admitted, headers, status = 429 } = verdict
    seen.inFlight -= 1
    busy.delete(connection)
    if (admitted) {
      server.finish(now + phase)
      tookMs.push(now - sending.at)
      thread.left -= 1
      thread.refusals = 0
      seen.done += 1
    } else {
      seen.refused += 1
      thread.refusals += 1
      if (status !== 429) fail(thread)
    }
    const result = admitted
      ? { kind: 'reply' as const, httpStatus: 200, reply: EMPTY, headers }
      : { kind: 'rejection' as const, httpStatus: status, error: { message: '' }, headers }
    policy.onAnswer(now, sending, observe(result, now))
    if (thread.left === 0) return
    const delay = status === 429 && !admitted ? (policy.retryDelayMs?.(thread.refusals) ?? 0) : 0
    if (delay === 0) ready.push(thread)
    else events.push({ at: now + delay, run: () => ready.push(thread) })
  }
  // A thread starts again in a fresh conversation, once: the call may have been processed.
  const fail = (thread: Thread): void => {
    seen.done += thread.isRestarted ? thread.left : thread.left - thread.turns
    seen.lost += thread.isRestarted ? thread.left : 0
    thread.left = thread.isRestarted ? 0 : thread.turns
    thread.isRestarted = true
    thread.refusals = 0
  }

  for (let steps = 0; seen.done < calls && steps < MOST_STEPS && now <= LONGEST_MS; steps += 1) {
    const dueAt = ready.size > 0 && seen.inFlight < cap ? policy.nextSendAt(now, seen.inFlight) : Infinity
    const thread = dueAt <= now ? ready.pop() : undefined
    if (thread !== undefined) {
      send(thread)
      continue
    }
    const event = events.peek()
    if (event === undefined && dueAt === Infinity) throw new Error('the simulation is stuck')
    now = Math.max(now, Math.min(dueAt, event?.at ?? Infinity))
    if (event !== undefined && event.at <= dueAt) {
      events.pop()
      event.run()
    }
  }
  const { attempts, refused, lost } = seen
  const p95Ms = tookMs.toSorted((a, b) => a - b)[Math.floor(0.95 * tookMs.length)] ?? 0
  return { makespan: seen.done < calls ? Infinity : now, attempts, refused, lost, p95Ms }
}

/**
 * Threads that may send: refused ones first, then those with the most turns left; last those that began again.
 */
function planThreads({ calls, random }: Load) {
  const lists: Thread[][] = Array.from({ length: MOST_TURNS + 2 }, () => [])
  let size = 0
  const push = (thread: Thread): void => {
    size += 1
    const rank = thread.refusals > 0 ? MOST_TURNS + 1 : thread.left
    lists[thread.isRestarted ? 0 : rank]?.push(thread)
  }
  for (let planned = 0; planned < calls;) {
    const left = Math.min(2 + Math.floor(random() * (MOST_TURNS - 1)), calls - planned)
    planned += left
    push({ turns: left, left, refusals: 0, isRestarted: false })
  }
  return {
    get size() {
      return size
    },
    push,
    pop: (): Thread | undefined => {
      const thread = lists.findLast(({ length }) => length > 0)?.pop()
      if (thread !== undefined) size -= 1
      return thread
    },
  }
}

function answerTime({ random, medianMs, sigma }: Load): number {
  // Box-Muller transform.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return medianMs * Math.exp(sigma * normal)
}
