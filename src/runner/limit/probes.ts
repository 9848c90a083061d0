// The calls of a search for the limit: each is sent as soon as it may be.
import type { AnchoredClock } from '../clock.ts'
import { type LimitCall, callVerdict } from '../../domain/limit.ts'
import type { FindLimitSettings } from '../../domain/load.ts'
import type { Stop } from '../../domain/stop.ts'
import { observe } from '../../pace/observation.ts'
import { type CallEnd, Calls, type LoadRules } from '../load/calls.ts'
import { openArrival } from '../load/timetable.ts'
import { describeTrouble } from '../stops.ts'
import type { ThreadState } from '../thread-state.ts'
import type { AttemptPorts } from '../turn.ts'

/** Has times in milliseconds of the clock. */
export interface SentProbe {
  readonly sentAt: number
  endedAt?: number
  verdict?: LimitCall['verdict'] | 'none'
}

export type ProbePlan = FindLimitSettings & LoadRules

/** Stops the search after this many calls in a row that reveal nothing about the limit. */
const MAX_LOST_IN_A_ROW = 8
// Silence for a multiple of the slowest refusal is acceptance: refusals are faster than answers.
const MIN_SILENCE_MS = 150
const INITIAL_SILENCE_MS = 3000
const SILENCE_FACTOR = 3

/**
 * Sends with call k the first turn of thread k modulo the number of threads, in a new conversation, without
 * retries. Ends with the budget, the time, `signal`, a refused key, or calls that reveal nothing.
 */
export class Probes {
  readonly calls: SentProbe[] = []
  readonly #plan: ProbePlan
  readonly #threads: readonly ThreadState[]
  readonly #sending: Calls
  readonly #startedAt: number
  #gapMs: number
  #maxInFlight: number
  /** Is when a wait ends that a 5xx named. */
  #resumeAt = -Infinity
  #lostInARow = 0
  #refusals = 0
  #slowestRefusalMs = 0

  constructor(threads: readonly ThreadState[], ports: AttemptPorts, plan: ProbePlan, signal: AbortSignal) {
    this.#plan = plan
    this.#threads = threads.map((thread) => ({ ...thread, turns: [thread.turns[0]] }))
    this.#sending = new Calls(ports, plan, signal)
    this.#startedAt = this.clock.now()
    this.#gapMs = 1000 / plan.maxPerSecond
    this.#maxInFlight = plan.maxInFlight
  }

  get clock(): AnchoredClock {
    return this.#sending.clock
  }

  get refusals(): number {
    return this.#refusals
  }

  get isOver(): boolean {
    const { budget } = this.#plan
    return this.#sending.isEnded || this.calls.length >= budget || this.clock.now() >= this.#endsAt
  }

  get #endsAt(): number {
    return this.#startedAt + this.#plan.maxMs
  }

  end(reason: Stop): void {
    this.#sending.end(reason)
  }

  /** Waits for the calls in flight, which count toward the budget. */
  async close(): Promise<Stop> {
    await this.#sending.close()
    const { budget, maxMs } = this.#plan
    if (this.#sending.stop !== undefined) return this.#sending.stop
    if (this.calls.length < budget) return { kind: 'timeUp', maxMs }
    return this.#refusals === 0 ? { kind: 'done' } : { kind: 'budget', maxCalls: budget }
  }

  /** Keeps calls to these bounds from now on; never above those of the plan. */
  limit(perSecond: number, inFlight: number): void {
    this.#gapMs = 1000 / Math.min(this.#plan.maxPerSecond, perSecond)
    this.#maxInFlight = Math.min(this.#plan.maxInFlight, inFlight)
  }

  /** Sends a call as soon as allowed after `at`, unless the search is over or `isDone` by then. */
  async sendAt(at: number, isDone: () => boolean = () => false): Promise<SentProbe | undefined> {
    while (!this.isOver && !isDone()) {
      const due = Math.max(at, (this.calls.at(-1)?.sentAt ?? -Infinity) + this.#gapMs, this.#resumeAt)
      const hasFreeSlot = this.#sending.inFlight < this.#maxInFlight
      if (hasFreeSlot && this.clock.now() >= due) return this.#sendNow(due)
      await this.#sending.wait.until(Math.min(hasFreeSlot ? due : Infinity, this.#endsAt))
    }
    return undefined
  }

  /** Sends as fast as allowed until `isDone`, then waits for each call to be refused or accepted. */
  async sendUntil(isDone: (sent: number) => boolean): Promise<void> {
    const from = this.calls.length
    while ((await this.sendAt(this.clock.now(), () => isDone(this.calls.length - from))) !== undefined);
    await this.awaitVerdicts(this.calls.slice(from))
  }

  async awaitVerdicts(some: readonly SentProbe[]): Promise<void> {
    for (const call of some)
      while (this.#isPending(call)) await this.#sending.wait.until(call.sentAt + this.#silenceMs)
  }

  async waitUntil(at: number): Promise<void> {
    while (!this.isOver && this.clock.now() < at) await this.#sending.wait.until(Math.min(at, this.#endsAt))
  }

  get #silenceMs(): number {
    return this.#refusals === 0
      ? INITIAL_SILENCE_MS
      : Math.max(MIN_SILENCE_MS, SILENCE_FACTOR * this.#slowestRefusalMs)
  }

  #isPending({ verdict, sentAt }: SentProbe): boolean {
    const isSilent = this.clock.now() >= sentAt + this.#silenceMs
    return !this.#sending.isEnded && verdict === undefined && !isSilent
  }

  #sendNow(dueAt: number): SentProbe {
    const arrival = this.calls.length
    const call: SentProbe = { sentAt: this.clock.now() }
    this.calls.push(call)
    const thread = openArrival(this.#threads, arrival)
    this.#sending.send({ thread, arrival, dueAt }, -Infinity, (end) => this.#settle(call, end))
    return call
  }

  #settle(call: SentProbe, { report }: CallEnd): void {
    const { result, sentAt, endedAt } = report
    const verdict = callVerdict(result) ?? 'none'
    Object.assign(call, { sentAt, endedAt, verdict })
    if (verdict === 'refused') {
      this.#refusals += 1
      this.#slowestRefusalMs = Math.max(this.#slowestRefusalMs, endedAt - sentAt)
    }
    const isLost = verdict === 'unknown' || verdict === 'none'
    // Calls sent before a named wait are one failure.
    if (!isLost) this.#lostInARow = 0
    else if (sentAt >= this.#resumeAt) this.#lostInARow += 1
    const seen = observe(result, this.clock.wall())
    if (seen.kind === 'failed' && seen.namedMs !== undefined)
      this.#resumeAt = Math.max(this.#resumeAt, endedAt + seen.namedMs)
    if (this.#lostInARow >= MAX_LOST_IN_A_ROW) {
      const afterMs = this.clock.now() - this.#startedAt
      this.end({ kind: 'gaveUp', ...describeTrouble(seen, result), afterMs })
    }
  }
}
