// A load test: an open model, where arrivals do not wait for answers, or a closed loop of users.
import { anchorClock, type AnchoredClock } from '../../domain/clock.ts'
import TinyQueue from 'tinyqueue'
import type { LoadSettings } from '../../domain/load.ts'
import type { Stop } from '../../domain/stop.ts'
import { interruption, stopOfError } from '../stops.ts'
import { type ThreadState, turnsLeft } from '../thread-state.ts'
import type { AttemptPorts } from '../turn.ts'
import { type Arrival, createSource, createThinkTimes, openArrival, type Source } from './timetable.ts'
import { type CallEnd, CallSender, type LoadCall, type LoadRules } from './call.ts'

export interface LoadPorts extends AttemptPorts {
  /** Returns the random stream of an arrival, uniform in [0, 1). */
  readonly random: (stream: number) => () => number
}

/** Maximum calls sent without returning to the event loop, so that answers are read on time. */
const MAX_BATCH = 64

/**
 * Sends every arrival, or records it as dropped, until the timetable ends, the test stops or the budget is
 * used up. Later turns of a thread take precedence and wait for a free slot; new threads do not wait. In a
 * closed loop, users pause after a failure or a 429 (see `pauseAfter`). Resolves when no call is in flight:
 * `done` even if the graceful stop cut threads off.
 */
export const runLoad = async (
  threads: readonly ThreadState[],
  ports: LoadPorts,
  load: LoadSettings,
  rules: LoadRules,
  signal: AbortSignal,
): Promise<Stop> => new LoadTest(threads, ports, load, rules).run(signal)

/** The sending of one load test. */
class LoadTest {
  readonly #threads: readonly ThreadState[]
  readonly #ports: LoadPorts
  readonly #load: LoadSettings
  readonly #rules: LoadRules
  readonly #clock: AnchoredClock
  readonly #source: Source
  readonly #drawThink: ReturnType<typeof createThinkTimes>
  readonly #sender: CallSender
  /** Calls that wait for their time or a free slot. */
  readonly #queue = new TinyQueue<LoadCall>([], (a, b) => a.dueAt - b.dueAt || a.arrival - b.arrival)
  #isEnded = false
  #inFlight = 0
  #attempts = 0
  /** When a slot last became free. */
  #slotFreeAt = -Infinity
  #stop: Stop | undefined
  #cancelTimer: (() => void) | undefined
  #armedFor = Infinity
  #finish: () => void = () => undefined

  constructor(threads: readonly ThreadState[], ports: LoadPorts, load: LoadSettings, rules: LoadRules) {
    this.#threads = threads
    this.#ports = ports
    this.#load = load
    this.#rules = rules
    this.#clock = anchorClock(ports.clock)
    this.#source = createSource(load.model, this.#clock.now())
    this.#drawThink = createThinkTimes(load.thinkTime, ports.random)
    this.#sender = new CallSender(ports, this.#clock, rules)
  }

  async run(signal: AbortSignal): Promise<Stop> {
    const finished = new Promise<void>((resolve) => {
      this.#finish = resolve
    })
    const onStop = (): void => this.#end(interruption(signal))
    signal.addEventListener('abort', onStop)
    if (signal.aborted) onStop()
    const endsInMs = this.#source.durationMs + this.#load.gracefulStopMs
    const cancelGrace = this.#clock.after(endsInMs, () => this.#end(undefined))
    for (const first of this.#source.firstArrivals) this.#queue.push(this.#open(first))
    this.#pump()
    await finished
    cancelGrace()
    signal.removeEventListener('abort', onStop)
    return this.#stop ?? { kind: 'done' }
  }

  #end(reason: Stop | undefined): void {
    this.#stop ??= reason
    this.#isEnded = true
    this.#cancelTimer?.()
    while (this.#queue.pop() !== undefined);
    if (this.#inFlight === 0) this.#finish()
  }

  #open({ arrival, at }: Arrival): LoadCall {
    return { thread: openArrival(this.#threads, arrival), arrival, dueAt: at }
  }

  /** Sends what is due, and sets a timer for what is due next. */
  readonly #pump = (): void => {
    try {
      let sent = 0
      while (sent < MAX_BATCH && this.#sendNext()) sent += 1
      const isOver = this.#source.next() === undefined && this.#queue.length === 0
      if (this.#inFlight === 0 && (this.#isEnded || isOver)) this.#finish()
      if (!this.#isEnded) this.#arm()
    } catch (error) {
      this.#end(stopOfError(error))
    }
  }

  #arm(): void {
    const queued = this.#hasFreeSlot ? this.#queue.peek()?.dueAt : undefined
    const next = Math.min(this.#source.next()?.at ?? Infinity, queued ?? Infinity)
    if (next === this.#armedFor) return
    this.#cancelTimer?.()
    this.#armedFor = next
    if (next === Infinity) return
    this.#cancelTimer = this.#clock.after(next - this.#clock.now(), () => {
      this.#armedFor = Infinity
      this.#pump()
    })
  }

  get #hasFreeSlot(): boolean {
    return this.#inFlight < this.#load.maxInFlight
  }

  /** Sends or drops one due call; false if none is due, or the test has ended. */
  #sendNext(): boolean {
    if (this.#isEnded) return false
    const now = this.#clock.now()
    const isReady = (this.#queue.peek()?.dueAt ?? Infinity) <= now
    const call = isReady && this.#hasFreeSlot ? this.#queue.pop() : undefined
    if (call !== undefined) return this.#start(call, this.#slotFreeAt)
    const due = this.#source.next()
    if (due === undefined || due.at > now) return false
    this.#source.take()
    // It did not wait for a slot, so any delay is the load generator's lag.
    return this.#hasFreeSlot ? this.#start(this.#open(due), -Infinity) : this.#drop(due)
  }

  #drop({ arrival, at }: Arrival): true {
    const { turns, repeat } = openArrival(this.#threads, arrival)
    const dueAt = this.#clock.wallOf(at)
    const question = turns[0].index
    this.#ports.record({ kind: 'dropped', at: this.#clock.wall(), arrival, dueAt, question, repeat })
    return true
  }

  /** Returns false and ends the test if the budget is used up. */
  #start(call: LoadCall, slotFreeAt: number): boolean {
    const { maxCalls = Infinity } = this.#rules
    if (this.#attempts < maxCalls) void this.#carryOut(call, slotFreeAt)
    else this.#end({ kind: 'budget', maxCalls })
    return !this.#isEnded
  }

  async #carryOut(call: LoadCall, slotFreeAt: number): Promise<void> {
    this.#attempts += 1
    this.#inFlight += 1
    let endedAt: number | undefined
    try {
      const end = await this.#sender.send(call, this.#attempts, slotFreeAt)
      endedAt = end.report.endedAt
      this.#scheduleNext(call, end)
    } catch (error) {
      this.#end(stopOfError(error))
    }
    if (!this.#hasFreeSlot) this.#slotFreeAt = endedAt ?? this.#clock.now()
    this.#inFlight -= 1
    this.#pump()
  }

  /** Schedules the thread's next turn or, in a closed loop, the user's next thread. */
  #scheduleNext({ thread, arrival }: LoadCall, { decision, report, pauseMs, stop }: CallEnd): void {
    if (stop !== undefined) this.#end(stop)
    if (this.#isEnded || decision.kind === 'abandoned') return
    const { endedAt } = report
    const thinkMs = this.#drawThink(thread, arrival)
    if (turnsLeft(thread) > 0) this.#queue.push({ thread, arrival, dueAt: endedAt + thinkMs })
    else {
      const next = this.#source.nextOfUser(endedAt + Math.max(thinkMs, pauseMs))
      if (next !== undefined) this.#queue.push(this.#open(next))
    }
  }
}
