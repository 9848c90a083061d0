// The calls of a search for the limit: each is sent as soon as it may be.
import type { AnchoredClock } from '../clock.ts'
import { errorCodeOf, isQuotaRefusal } from '../../domain/attempt.ts'
import { type LimitCall, callVerdict } from '../../domain/limit.ts'
import type { FindLimitSettings } from '../../domain/load.ts'
import type { Stop } from '../../domain/stop.ts'
import { observe } from '../../pace/observation.ts'
import { type CallEnd, Calls, type LoadRules } from '../load/calls.ts'
import { openArrival } from '../load/timetable.ts'
import { describeTrouble, QUOTA_MS } from '../stops.ts'
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
const SILENCE_FACTOR = 3

/**
 * Sends with call k the first turn of thread k modulo the number of threads, in a new conversation, without
 * retries. Ends with the budget, the time, `signal`, a refused key, or calls that reveal nothing.
 */
export class Probes {
  readonly calls: SentProbe[] = []
  refusals = 0
  readonly #plan: ProbePlan
  readonly #threads: readonly ThreadState[]
  readonly #sending: Calls
  readonly #startedAt: number
  #gapMs: number
  #maxInFlight: number
  /** Is when a wait ends that a 5xx named. */
  #resumeAt = -Infinity
  #lostInARow = 0
  #slowestRefusalMs = 0
  #lastAcceptedAt: number

  constructor(threads: readonly ThreadState[], ports: AttemptPorts, plan: ProbePlan, signal: AbortSignal) {
    this.#plan = plan
    this.#threads = threads.map((thread) => ({ ...thread, turns: [thread.turns[0]] }))
    this.#sending = new Calls(ports, plan, signal)
    this.#startedAt = this.clock.now()
    this.#lastAcceptedAt = this.#startedAt
    this.#gapMs = 1000 / plan.maxPerSecond
    this.#maxInFlight = plan.maxInFlight
  }

  get clock(): AnchoredClock {
    return this.#sending.clock
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
    if (this.calls.length < budget) return { kind: 'timeUp', maxMs, option: '--duration' }
    return this.refusals === 0 ? { kind: 'done' } : { kind: 'budget', maxCalls: budget }
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

  /**
   * Sends at an even pace until `isDone`, a step and a rest after the last call, then waits for each call to be
   * refused or accepted.
   */
  async pace(perSecond: number, restSteps: number, isDone: (sent: number) => boolean): Promise<void> {
    const [from, gapMs] = [this.calls.length, 1000 / perSecond]
    let at = Math.max(this.clock.now(), (this.calls.at(-1)?.sentAt ?? 0) + (1 + restSteps) * gapMs)
    while ((await this.sendAt(at, () => isDone(this.calls.length - from))) !== undefined)
      // What was not sent in time is not made up for.
      at = Math.max(at, this.clock.now() - gapMs) + gapMs
    await this.awaitVerdicts(this.calls.slice(from))
  }

  async awaitVerdicts(some: readonly SentProbe[]): Promise<void> {
    for (const call of some)
      while (call.verdict === undefined && !this.#sending.isEnded) {
        const silentAt = call.sentAt + this.#silenceMs
        if (this.clock.now() >= silentAt) break
        await this.#sending.wait.until(silentAt)
      }
  }

  get #silenceMs(): number {
    return Math.max(MIN_SILENCE_MS, SILENCE_FACTOR * this.#slowestRefusalMs)
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
      this.refusals += 1
      this.#slowestRefusalMs = Math.max(this.#slowestRefusalMs, endedAt - sentAt)
    }
    if (verdict === 'accepted') this.#lastAcceptedAt = Math.max(this.#lastAcceptedAt, sentAt)
    const isLost = verdict === 'unknown' || verdict === 'none'
    // Calls sent before a named wait are one failure.
    if (!isLost) this.#lostInARow = 0
    else if (sentAt >= this.#resumeAt) this.#lostInARow += 1
    const seen = observe(result, this.clock.wall())
    if (seen.kind === 'failed' && seen.namedMs !== undefined)
      this.#resumeAt = Math.max(this.#resumeAt, endedAt + seen.namedMs)
    const giveUp = (afterMs: number, code?: string): void =>
      this.end({ kind: 'gaveUp', ...describeTrouble(seen, result), afterMs, ...(code && { code }) })
    if (this.#lostInARow >= MAX_LOST_IN_A_ROW) giveUp(this.clock.now() - this.#startedAt)
    // A used-up quota is no limit that a search could find.
    if (isQuotaRefusal(result) && sentAt - this.#lastAcceptedAt >= QUOTA_MS)
      giveUp(QUOTA_MS, errorCodeOf(result))
  }
}
