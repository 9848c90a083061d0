// One simulated run in virtual time: threads of dependent turns, a policy, a server.
import type { Policy, Sending } from '../../../src/pace/policy.ts'
import { observe } from '../../../src/pace/observation.ts'
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
}

export interface Outcome {
  /** Until the last answer, milliseconds. */
  readonly makespan: number
  readonly attempts: number
  readonly refused: number
  /** Refusals in a row of one call, at most. */
  readonly worstCall: number
}

interface SimThread {
  left: number
  refusals: number
}

interface Event {
  readonly at: number
  readonly run: () => void
}

const REFUSAL_MS = 60
/** One way through the network, at most. */
const JITTER_MS = 20

export function simulate(policy: Contender, server: Server, load: Load): Outcome {
  const { random } = load
  // Windows of the clock do not begin when we do.
  const phase = random() * 3_600_000
  const events = createHeap()
  const ready = createBuckets()
  let planned = 0
  while (planned < load.calls) {
    const left = Math.min(2 + Math.floor(random() * 7), load.calls - planned)
    planned += left
    ready.push({ left, refusals: 0 })
  }
  let [now, inFlight, attempts, refused, done, worstCall] = [0, 0, 0, 0, 0, 0]
  let lastAnswer = 0
  let wakeAt = Infinity

  const send = (thread: SimThread): void => {
    inFlight += 1
    attempts += 1
    const sending = policy.onSend(now, inFlight)
    const arrivesAt = now + random() * JITTER_MS
    events.push({ at: arrivesAt, run: () => arrive(thread, sending) })
  }
  const arrive = (thread: SimThread, sending: Sending): void => {
    const verdict = server.arrive(now + phase)
    const takes = verdict.admitted ? answerTime(load) : REFUSAL_MS * (0.7 + 0.6 * random())
    events.push({
      at: now + takes,
      run: () => answer(thread, sending, verdict.admitted, verdict.headers),
    })
  }
  const answer = (thread: SimThread, sending: Sending, admitted: boolean, headers: Headers): void => {
    inFlight -= 1
    if (admitted) {
      server.finish(now + phase)
      thread.left -= 1
      thread.refusals = 0
      done += 1
      lastAnswer = now
    } else {
      refused += 1
      thread.refusals += 1
      worstCall = Math.max(worstCall, thread.refusals)
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

  for (let steps = 0; done < load.calls && steps < 5_000_000; steps += 1) {
    if (ready.size > 0 && inFlight < load.cap) {
      const at = policy.nextSendAt(now, inFlight)
      if (at <= now) {
        const thread = ready.pop()
        if (thread !== undefined) send(thread)
        continue
      }
      wakeAt = at
    } else wakeAt = Infinity
    const next = events.peek()
    if (next === undefined && wakeAt === Infinity) throw new Error('the simulation is stuck')
    if (next !== undefined && next.at <= wakeAt) {
      events.pop()
      now = Math.max(now, next.at)
      next.run()
    } else now = wakeAt
    if (now > 40 * 24 * 3_600_000) break
  }
  return { makespan: done < load.calls ? Infinity : lastAnswer, attempts, refused, worstCall }
}

/** A policy, ours or a peer's. Peers hold back the refused call, too, or instead. */
export interface Contender extends Omit<Policy, 'state' | 'splitAmong'> {
  /** Milliseconds before a call that was refused so often may be sent again. */
  retryDelayMs?(refusals: number): number
}

const EMPTY = { conversationId: '', message: '', status: '', contextSource: '' }

function answerTime({ random, medianMs, sigma }: Load): number {
  // Box and Muller.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return medianMs * Math.exp(sigma * normal)
}

function createHeap() {
  const heap: Event[] = []
  return {
    peek: (): Event | undefined => heap[0],
    push: (event: Event): void => {
      let place = heap.push(event) - 1
      while (place > 0) {
        const parent = (place - 1) >> 1
        const above = heap[parent]
        if (above === undefined || above.at <= event.at) break
        heap[place] = above
        place = parent
      }
      heap[place] = event
    },
    pop: (): void => {
      const last = heap.pop()
      if (last === undefined || heap.length === 0) return
      let place = 0
      for (;;) {
        const left = 2 * place + 1
        const right = left + 1
        const a = heap[left]
        const b = heap[right]
        if (a === undefined) break
        const [child, lower] = b !== undefined && b.at < a.at ? [right, b] : [left, a]
        if (lower.at >= last.at) break
        heap[place] = lower
        place = child
      }
      heap[place] = last
    },
  }
}

/** Refused first, then the most turns left: a list for each number of turns. */
function createBuckets() {
  const buckets: SimThread[][] = Array.from({ length: 11 }, () => [])
  let size = 0
  return {
    get size() {
      return size
    },
    push: (thread: SimThread): void => {
      size += 1
      buckets[thread.refusals > 0 ? 10 : thread.left]?.push(thread)
    },
    pop: (): SimThread | undefined => {
      for (let place = buckets.length - 1; place >= 0; place -= 1) {
        const thread = buckets[place]?.pop()
        if (thread === undefined) continue
        size -= 1
        return thread
      }
      return undefined
    },
  }
}
