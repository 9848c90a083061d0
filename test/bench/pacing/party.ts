// One that asks: threads of dependent turns, a policy that says when, and what became of its calls.
import { observe, type Observation } from '../../../src/pace/observation.ts'
import type { Sending } from '../../../src/pace/state.ts'
import type { Heap } from '../../../src/runner/heap.ts'
import type { Headers, Server } from './servers.ts'

export interface Load {
  /** Calls to get through. */
  readonly calls: number
  readonly random: () => number
  /** Answer times: lognormal. */
  readonly medianMs: number
  readonly sigma: number
  /** Calls in flight at most. */
  readonly cap: number
  /** What a refusal takes, about. */
  readonly refusalMs?: number
}

/** A policy, ours or a peer's. Peers hold back the refused call, too, or instead. */
export interface Contender {
  /** Earliest time for the next call; Infinity while it must wait for an answer. */
  nextSendAt(now: number, inFlight: number): number
  /** `inFlight` counts the call itself. */
  onSend(now: number, inFlight: number): Sending
  onAnswer(now: number, sending: Sending, observation: Observation): unknown
  /** Milliseconds before a call that was refused so often may be sent again. */
  retryDelayMs?(refusals: number): number
}

export interface Event {
  readonly at: number
  readonly run: () => void
}

export interface World {
  readonly server: Server
  /** Earliest first. */
  readonly events: Heap<Event>
  /** The server's clock is ahead by this. */
  readonly phase: number
  /** One way through the network, at most. */
  readonly jitterMs: number
}

interface SimThread {
  left: number
  refusals: number
}

const MOST_TURNS = 8
const REFUSAL_MS = 60
const EMPTY = { conversationId: '', message: '', status: '', contextSource: '' }

export function createParty(policy: Contender, load: Load, { server, events, phase, jitterMs }: World) {
  const { random } = load
  const ready = createReady()
  let planned = 0
  while (planned < load.calls) {
    const left = Math.min(2 + Math.floor(random() * (MOST_TURNS - 1)), load.calls - planned)
    planned += left
    ready.push({ left, refusals: 0 })
  }
  const seen = { inFlight: 0, attempts: 0, refused: 0, done: 0, lastAnswer: 0 }

  const send = (thread: SimThread, now: number): void => {
    seen.inFlight += 1
    seen.attempts += 1
    const sending = policy.onSend(now, seen.inFlight)
    const at = now + random() * jitterMs
    if (jitterMs === 0) arrive(thread, sending, now)
    else events.push({ at, run: () => arrive(thread, sending, at) })
  }
  const arrive = (thread: SimThread, sending: Sending, now: number): void => {
    const { admitted, headers } = server.arrive(now + phase)
    const at = now + (admitted ? answerTime(load) : (load.refusalMs ?? REFUSAL_MS) * (0.7 + 0.6 * random()))
    events.push({ at, run: () => answer(thread, sending, { admitted, headers, now: at }) })
  }
  const answer = (
    thread: SimThread,
    sending: Sending,
    { admitted, headers, now }: { admitted: boolean; headers: Headers; now: number },
  ): void => {
    seen.inFlight -= 1
    if (admitted) {
      server.finish(now + phase)
      thread.left -= 1
      thread.refusals = 0
      seen.done += 1
      seen.lastAnswer = now
    } else {
      seen.refused += 1
      thread.refusals += 1
    }
    const result = admitted
      ? { kind: 'reply' as const, httpStatus: 200, reply: EMPTY, headers }
      : { kind: 'rejection' as const, httpStatus: 429, error: { message: '' }, headers }
    policy.onAnswer(now, sending, observe(result, now))
    if (thread.left === 0) return
    const delay = admitted ? 0 : (policy.retryDelayMs?.(thread.refusals) ?? 0)
    if (delay === 0) ready.push(thread)
    else events.push({ at: now + delay, run: () => ready.push(thread) })
  }

  return {
    seen,
    get isDone() {
      return seen.done >= load.calls
    },
    /** When it would send next, with what it has ready; Infinity while it waits for an answer. */
    nextSendAt: (now: number): number =>
      ready.size > 0 && seen.inFlight < load.cap ? policy.nextSendAt(now, seen.inFlight) : Infinity,
    sendOne: (now: number): void => {
      const thread = ready.pop()
      if (thread !== undefined) send(thread, now)
    },
  }
}

function answerTime({ random, medianMs, sigma }: Load): number {
  // Box and Muller.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return medianMs * Math.exp(sigma * normal)
}

/** Refused first, then the most turns left: a list for each number of turns. */
function createReady() {
  const lists: SimThread[][] = Array.from({ length: MOST_TURNS + 2 }, () => [])
  let size = 0
  return {
    get size() {
      return size
    },
    push: (thread: SimThread): void => {
      size += 1
      lists[thread.refusals > 0 ? MOST_TURNS + 1 : thread.left]?.push(thread)
    },
    pop: (): SimThread | undefined => {
      const thread = lists.findLast(({ length }) => length > 0)?.pop()
      if (thread !== undefined) size -= 1
      return thread
    },
  }
}
