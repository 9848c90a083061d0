// A load test: an open model, where arrivals do not wait for answers, or a closed loop of users.
import { anchorClock } from '../../domain/clock.ts'
import TinyQueue from 'tinyqueue'
import type { LoadOptions } from '../../domain/load.ts'
import type { Stop } from '../../domain/stop.ts'
import { interruption, stopOfError } from '../stops.ts'
import { firstTurn, turnsLeft } from '../thread-state.ts'
import type { AttemptPorts } from '../turn.ts'
import { openArrival, type Conversation, createSource, type Arrival, createThinkTimes } from './timetable.ts'
import { createCallSender, type CallEnd, type LoadRules, type Call } from './call.ts'

export interface LoadPorts extends AttemptPorts {
  /** Returns the random stream of an arrival, uniform in [0, 1). */
  readonly random: (stream: number) => () => number
}

/** Maximum calls sent without returning to the event loop, so that answers are read on time. */
const MAX_BATCH = 64

/**
 * Sends every arrival, or records it as dropped, until the timetable ends, the test stops or the budget is used up.
 * Later turns of a thread take precedence and wait for a free slot; new threads do not wait. In a closed loop, users
 * pause after a failure or a 429 (see `pauseAfter`). Resolves when no call is in flight: `done` even if the graceful
 * stop cut threads off.
 */
export async function runLoad(
  threads: readonly Conversation[],
  ports: LoadPorts,
  load: LoadOptions,
  rules: LoadRules,
  signal: AbortSignal,
): Promise<Stop> {
  const clock = anchorClock(ports.clock)
  const startedAt = clock.now()
  const source = createSource(load.model, startedAt)
  const drawThink = createThinkTimes(load.thinkTime, ports.random)
  const queue = new TinyQueue<Call>([], (a, b) => a.dueAt - b.dueAt || a.arrival - b.arrival)
  let isEnded = false
  let [inFlight, attempts] = [0, 0]
  /** When a slot last became free. */
  let slotFreeAt = -Infinity
  let stop: Stop | undefined
  let cancelTimer: (() => void) | undefined
  let armedFor = Infinity
  let finish: () => void = () => undefined
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })

  const end = (reason: Stop | undefined): void => {
    stop ??= reason
    isEnded = true
    cancelTimer?.()
    while (queue.pop() !== undefined);
    if (inFlight === 0) finish()
  }
  const guarded = (act: () => void) => (): void => {
    try {
      act()
    } catch (error) {
      end(stopOfError(error))
    }
  }
  const openCall = ({ arrival, at }: Arrival): Call => ({
    thread: openArrival(threads, arrival),
    arrival,
    dueAt: at,
  })
  const sendCall = createCallSender({ ...ports, clock }, rules)

  /** Schedules the thread's next turn or, in a closed loop, the user's next thread. */
  const scheduleNext = (call: Call, { decision, report: { endedAt }, pauseMs, gaveUp }: CallEnd): void => {
    if (decision.kind === 'keyRefused') end(decision)
    else if (gaveUp !== undefined) end(gaveUp)
    if (isEnded || decision.kind === 'abandoned') return
    const { thread, arrival } = call
    const thinkMs = drawThink(thread, arrival)
    if (turnsLeft(thread) > 0) queue.push({ thread, arrival, dueAt: endedAt + thinkMs })
    else {
      const next = source.nextOfUser(endedAt + Math.max(thinkMs, pauseMs))
      if (next !== undefined) queue.push(openCall(next))
    }
  }

  const send = (call: Call, slotFreeSince: number): void => {
    const freeSlot = (endedAt: number): void => {
      if (inFlight === load.maxInFlight) slotFreeAt = endedAt
      inFlight -= 1
      pump()
    }
    const failed = (error: unknown): void => {
      end(stopOfError(error))
      freeSlot(clock.now())
    }
    sendCall(
      call,
      attempts,
      slotFreeSince,
      (settled) => {
        try {
          scheduleNext(call, settled)
        } catch (error) {
          end(stopOfError(error))
        }
        freeSlot(settled.report.endedAt)
      },
      failed,
    )
  }

  /** Returns false and ends the test if the budget is used up. */
  const start = (call: Call, slotFreeSince: number): boolean => {
    if (rules.maxCalls !== undefined && attempts >= rules.maxCalls) {
      end({ kind: 'budget', maxCalls: rules.maxCalls })
      return false
    }
    attempts += 1
    inFlight += 1
    send(call, slotFreeSince)
    return true
  }

  const drop = (due: Arrival): true => {
    const { turns, repeat } = openArrival(threads, due.arrival)
    const question = firstTurn({ turns }).index
    const [arrival, dueAt] = [due.arrival, clock.wallOf(due.at)]
    ports.record({ kind: 'dropped', at: clock.wall(), arrival, dueAt, question, repeat })
    return true
  }

  /** Sends or drops one due call; false if none is due, or the test has ended. */
  const sendNext = (): boolean => {
    if (isEnded) return false
    const now = clock.now()
    const hasFreeSlot = inFlight < load.maxInFlight
    const isReady = (queue.peek()?.dueAt ?? Infinity) <= now
    const call = isReady && hasFreeSlot ? queue.pop() : undefined
    if (call !== undefined) return start(call, slotFreeAt)
    const due = source.next()
    if (due === undefined || due.at > now) return false
    source.take()
    // It did not wait for a slot, so any delay is the load generator's lag.
    return hasFreeSlot ? start(openCall(due), -Infinity) : drop(due)
  }

  const pump = guarded(() => {
    let sent = 0
    while (sent < MAX_BATCH && sendNext()) sent += 1
    const isOver = source.next() === undefined && queue.length === 0
    if (inFlight === 0 && (isEnded || isOver)) finish()
    if (isEnded) return
    const hasFreeSlot = inFlight < load.maxInFlight
    const next = Math.min(
      source.next()?.at ?? Infinity,
      hasFreeSlot ? (queue.peek()?.dueAt ?? Infinity) : Infinity,
    )
    if (next === armedFor) return
    cancelTimer?.()
    armedFor = next
    if (next < Infinity) cancelTimer = clock.after(next - clock.now(), onTimer)
  })
  const onTimer = (): void => {
    armedFor = Infinity
    pump()
  }

  const onStop = (): void => end(interruption(signal))
  signal.addEventListener('abort', onStop)
  if (signal.aborted) onStop()
  const cancelGrace = clock.after(source.durationMs + load.gracefulStopMs, () => end(undefined))
  for (const first of source.firstArrivals) queue.push(openCall(first))
  pump()
  await finished
  cancelGrace()
  signal.removeEventListener('abort', onStop)
  return stop ?? { kind: 'done' }
}
