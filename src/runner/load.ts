// A load test: an open model, where arrivals do not wait for answers, or a closed loop of users. Arrival and
// think times depend on the options and the seed alone.
import TinyQueue from 'tinyqueue'
import { createArrivalRate } from '../domain/arrivals.ts'
import type { LoadSettings, Stage, ThinkTime } from '../domain/load.ts'
import type { Stop } from '../domain/stop.ts'
import { type CallEnd, Calls, type LoadCall, type LoadRules, openArrival } from './calls.ts'
import { stopOfError } from './stops.ts'
import { type AttemptPorts, type ThreadState, turnsLeft } from './thread.ts'

export interface LoadPorts extends AttemptPorts {
  /** Returns the random stream of an arrival, uniform in [0, 1). */
  readonly random: (stream: number) => () => number
}

/** Takes a longer delay for a pause of this machine. What it missed would be a burst that no user makes. */
const MAX_LATE_MS = 1000

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
): Promise<Stop> => new LoadTest(threads, ports, load, rules, signal).run()

class LoadTest {
  readonly #threads: readonly ThreadState[]
  readonly #ports: LoadPorts
  readonly #load: LoadSettings
  readonly #rules: LoadRules
  readonly #calls: Calls
  readonly #startedAt: number
  /** Is undefined in a closed loop. */
  readonly #timetable: ReturnType<typeof createTimetable> | undefined
  readonly #drawThink: ReturnType<typeof createThinkTimes>
  /** Is the first call of the timetable's next thread, if there is one. */
  #next: LoadCall | undefined
  #opened = 0
  readonly #queue = new TinyQueue<LoadCall>([], (a, b) => a.dueAt - b.dueAt || a.arrival - b.arrival)
  #slotFreeAt = -Infinity
  #seenAt = -Infinity
  #resumedAt = -Infinity

  constructor(
    threads: readonly ThreadState[],
    ports: LoadPorts,
    load: LoadSettings,
    rules: LoadRules,
    signal: AbortSignal,
  ) {
    this.#threads = threads
    this.#ports = ports
    this.#load = load
    this.#rules = rules
    this.#calls = new Calls(ports, rules, signal)
    this.#startedAt = this.#calls.clock.now()
    this.#timetable = load.model.kind === 'open' ? createTimetable(load.model.stages) : undefined
    this.#drawThink = createThinkTimes(load.thinkTime, ports.random)
  }

  async run(): Promise<Stop> {
    const calls = this.#calls
    const { model, gracefulStopMs } = this.#load
    const durationMs = this.#timetable?.durationMs ?? (model.kind === 'closed' ? model.durationMs : 0)
    const cancelGrace = calls.clock.after(durationMs + gracefulStopMs, () => calls.end(undefined))
    this.#takeNext()
    const users = model.kind === 'closed' ? model.users : 0
    for (let user = 0; user < users; user += 1) this.#queue.push(this.#open(this.#startedAt))
    for (;;) {
      this.#sendDue()
      const isDone = calls.inFlight === 0 && this.#next === undefined && this.#queue.length === 0
      if (calls.isEnded || isDone) break
      const queuedAt = this.#hasFreeSlot ? this.#queue.peek()?.dueAt : undefined
      await calls.wait.until(Math.min(this.#next?.dueAt ?? Infinity, queuedAt ?? Infinity))
    }
    await calls.close()
    cancelGrace()
    return calls.stop ?? { kind: 'done' }
  }

  #open(dueAt: number): LoadCall {
    const arrival = this.#opened
    this.#opened += 1
    return { thread: openArrival(this.#threads, arrival), arrival, dueAt }
  }

  #takeNext(): void {
    const moment = this.#timetable?.next()
    this.#next = moment === undefined ? undefined : this.#open(this.#startedAt + moment)
  }

  #sendDue(): void {
    try {
      while (this.#sendNext());
    } catch (error) {
      this.#calls.end(stopOfError(error))
    }
  }

  get #hasFreeSlot(): boolean {
    return this.#calls.inFlight < this.#load.maxInFlight
  }

  #sendNext(): boolean {
    if (this.#calls.isEnded) return false
    const { clock } = this.#calls
    const now = clock.now()
    this.#skipPause(now)
    const isReady = (this.#queue.peek()?.dueAt ?? Infinity) <= now
    const call = isReady && this.#hasFreeSlot ? this.#queue.pop() : undefined
    if (call !== undefined) return this.#start(call, this.#slotFreeAt)
    const next = this.#next
    if (next === undefined || next.dueAt > now) return false
    this.#takeNext()
    // It did not wait for a slot, so any delay is the load generator's lag.
    const isMissed = next.dueAt <= this.#resumedAt || now - next.dueAt > MAX_LATE_MS
    if (this.#hasFreeSlot && !isMissed) return this.#start(next, -Infinity)
    const { thread, arrival } = next
    const dueAt = clock.wallOf(next.dueAt)
    const question = thread.turns[0].index
    const at = clock.wall()
    this.#ports.record({ kind: 'dropped', at, arrival, dueAt, question, repeat: thread.repeat })
    return true
  }

  /**
   * Drops the arrivals that a pause of this machine missed; later turns keep their distances behind it. A
   * turn that waits for a slot misses nothing until one is free.
   */
  #skipPause(now: number): void {
    const [queued] = this.#hasFreeSlot ? this.#queue.data : []
    const dueAt = Math.min(
      this.#next?.dueAt ?? Infinity,
      Math.max(queued?.dueAt ?? Infinity, this.#slotFreeAt),
    )
    const missedMs = now - Math.max(this.#seenAt, dueAt)
    this.#seenAt = now
    if (missedMs <= MAX_LATE_MS) return
    this.#resumedAt = now
    // All move alike, so that the queue stays in order.
    this.#queue.data = this.#queue.data.map((call) => ({ ...call, dueAt: call.dueAt + missedMs }))
  }

  /** Returns false and ends the test if the budget is used up. */
  #start(call: LoadCall, slotFreeAt: number): boolean {
    const { maxCalls = Infinity } = this.#rules
    if (this.#calls.attempts < maxCalls)
      this.#calls.send(call, slotFreeAt, (end) => {
        if (!this.#hasFreeSlot) this.#slotFreeAt = end.report.endedAt
        this.#scheduleNext(call, end)
      })
    else this.#calls.end({ kind: 'budget', maxCalls })
    return !this.#calls.isEnded
  }

  #scheduleNext({ thread, arrival }: LoadCall, { decision, report, pauseMs }: CallEnd): void {
    if (this.#calls.isEnded || decision.kind === 'abandoned') return
    const { endedAt } = report
    const { model } = this.#load
    const thinkMs = this.#drawThink(thread, arrival)
    const nextAt = endedAt + Math.max(thinkMs, pauseMs)
    if (turnsLeft(thread) > 0) this.#queue.push({ thread, arrival, dueAt: endedAt + thinkMs })
    else if (model.kind === 'closed' && nextAt - this.#startedAt < model.durationMs)
      this.#queue.push(this.#open(nextAt))
  }
}

/** Bounds the relative error of the integral, so that rounding adds no arrival. */
const ROUNDING = 1e-9

/**
 * Lets thread i, from 0, arrive when the integral of the rate reaches i, so 2/s for 30 s means 60 threads at
 * 0, 0.5, … 29.5 s. Stages work as in k6: the rate changes linearly to the stage's target. `--arrival-rate
 * 2/s --stages 30s:5/s,1m:5/s` starts at 2 threads per second, reaches 5 after 30 s, and stays there for a
 * minute: 105 and 300 threads. The first stage starts at 0 without `--arrival-rate`; `--arrival-rate 2/s
 * --duration 30s` is one flat stage.
 */
export function createTimetable(stages: readonly Stage[]) {
  const { durationMs, expected, momentOf } = createArrivalRate(stages)
  const last = expected - ROUNDING * Math.max(1, expected)
  let area = 0
  return {
    durationMs,
    /** Gives the next arrival, in milliseconds from the start; undefined after the last. */
    next: (): number | undefined => {
      if (area >= last) return undefined
      const moment = momentOf(area)
      area += 1
      return moment
    },
  }
}

/** Is the 95th percentile of the standard normal distribution. */
const Z95 = 1.6448536269514722

/** Draws a thread's think times, in milliseconds, from a stream of its own: answers do not affect others. */
export function createThinkTimes(
  thinkTime: ThinkTime,
  streamOf: (arrival: number) => () => number,
): (thread: object, arrival: number) => number {
  const streams = new WeakMap<object, () => number>()
  return (thread, arrival) => {
    if (thinkTime.kind === 'constant') return thinkTime.ms
    const random = streams.get(thread) ?? streamOf(arrival)
    streams.set(thread, random)
    if (thinkTime.kind === 'uniform') return thinkTime.fromMs + (thinkTime.toMs - thinkTime.fromMs) * random()
    // A standard normal deviate, by Box and Muller (1958).
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const { medianMs, p95Ms } = thinkTime
    return medianMs * Math.exp((Math.log(p95Ms / medianMs) / Z95) * normal)
  }
}
