// Finds an organization's rate limit: meets it, then tries a pace slightly above it, and keeps to one
// slightly below, until the calls show all that a claim needs.
import { errorCodeOf, isQuotaRefusal } from '../domain/attempt.ts'
import { callVerdict, type LimitCall, type LimitDoubt, type LimitGuess } from '../domain/limit.ts'
import type { FindLimitSettings } from '../domain/load.ts'
import type { Stop } from '../domain/stop.ts'
import { observe } from '../pace/observation.ts'
import { type CallEnd, Calls, type LoadRules, openArrival } from './calls.ts'
import type { AnchoredClock } from './clock.ts'
import { describeTrouble, QUOTA_MS } from './stops.ts'
import type { AttemptPorts, ThreadState } from './thread.ts'

/** Must be made fast: after every round, while no call is in flight. */
export interface LimitEstimate {
  /** Is what the calls do not show yet; the limit is known if it is undefined. */
  readonly doubt: LimitDoubt | undefined
  /** Is the rule to look at, however uncertain. */
  readonly rule: LimitGuess | undefined
  /** Is a faster rule that calls keep to, so that only `rule` refuses them. */
  readonly keepTo: LimitGuess | undefined
}

/** Resolves when no call is in flight: `done` if the limit is known or no call was refused. */
export async function findLimit(
  threads: readonly ThreadState[],
  ports: AttemptPorts,
  plan: ProbePlan,
  estimate: (calls: readonly LimitCall[]) => LimitEstimate,
  signal: AbortSignal,
): Promise<Stop> {
  const probes = new Probes(threads, ports, plan, signal)
  const { clock } = probes
  const tried = { limit: 0, above: 0, second: 0 }
  await meet(probes, undefined, Infinity)
  while (probes.refusals > 0 && !probes.isOver) {
    const { doubt, rule, keepTo } = estimate(
      probes.calls.flatMap(({ sentAt, endedAt = clock.now(), verdict = 'accepted' }) =>
        verdict === 'none' ? [] : [{ sentAt: clock.wallOf(sentAt), endedAt: clock.wallOf(endedAt), verdict }],
      ),
    )
    probes.limit(BELOW[0] * rateOf(keepTo), inFlightOf(keepTo))
    if (doubt === undefined) probes.end({ kind: 'done' })
    else if (doubt.kind === 'limit' || rule === undefined)
      for (let round = Math.min(tried.limit, MAX_ROUNDS); round >= 0; round -= 1) await meet(probes, rule)
    else if (doubt.kind === 'above') await tryAbove(probes, rule, tried.above)
    else await keepBelow(probes, rule, tried.second, doubt.until)
    if (doubt !== undefined) tried[doubt.kind] += 1
  }
  return probes.close()
}

/** Bounds how often the limit is met before the calls are looked at again. */
const MAX_ROUNDS = 8
const MAX_MEET_MS = 60_000

/** Sends until a call is refused. A faster rule that calls keep to may be the only one: then none is. */
async function meet(probes: Probes, rule: LimitGuess | undefined, maxMs = MAX_MEET_MS): Promise<void> {
  await untilAccepted(probes, rule)
  const [before, until] = [probes.refusals, probes.clock.now() + maxMs]
  await probes.pace(Infinity, 0, () => probes.refusals > before || probes.clock.now() >= until)
}

/** Are multiples of a rule's rate. */
const ABOVE = [1.06, 1.04, 1.08]
/** Bounds the time spent on a rate that was estimated far too low; the next estimate corrects it. */
const MAX_ABOVE_MS = 120_000

/** Paces calls slightly above the rule from when it reopens, until one is refused. */
async function tryAbove(probes: Probes, rule: LimitGuess, attempt: number): Promise<void> {
  if (probes.calls.at(-1)?.verdict !== 'refused') await meet(probes, rule)
  await untilAccepted(probes, rule)
  // An empty bucket would refuse the first call that comes early, or that the network moves.
  const rest = (rule.kind === 'token-bucket' ? 1 : 0) + (attempt % 4)
  const maxCalls = Math.max(25 * (1 + rest), rule.windowMs === undefined ? 0 : 1.3 * rule.size)
  const [before, until] = [probes.refusals, probes.clock.now() + MAX_ABOVE_MS]
  const perSecond = rule.perSecond * (ABOVE[attempt % ABOVE.length] ?? 1)
  const isDone = (sent: number) => probes.refusals > before || sent >= maxCalls || probes.clock.now() >= until
  await probes.pace(perSecond, rest, isDone)
}

/** Are multiples of a rule's rate. Further attempts keep farther below: jitter alone may be refused. */
const BELOW = [0.97, 0.95, 0.93] as const

/** Paces calls slightly below the rule, until one is refused or `until`. */
async function keepBelow(probes: Probes, rule: LimitGuess, attempt: number, until: number): Promise<void> {
  await untilAccepted(probes, rule)
  const before = probes.refusals
  const isDone = () =>
    probes.refusals > before || probes.clock.wallOf(probes.calls.at(-1)?.sentAt ?? 0) > until
  if (rule.kind === 'concurrency') probes.limit(Infinity, rule.size)
  const perSecond = rateOf(rule) * (BELOW[attempt] ?? BELOW[2])
  await probes.pace(perSecond, attempt % 4, isDone)
}

const rateOf = (rule: LimitGuess | undefined): number =>
  rule === undefined || rule.kind === 'concurrency' ? Infinity : rule.perSecond

const inFlightOf = (rule: LimitGuess | undefined): number =>
  rule?.kind === 'concurrency' ? rule.size : Infinity

async function untilAccepted(probes: Probes, rule: LimitGuess | undefined): Promise<void> {
  if (probes.calls.at(-1)?.verdict !== 'refused') return
  for (const at of probeTimes(probes.calls, rule)) {
    if (at <= (probes.calls.at(-1)?.sentAt ?? 0)) continue
    const call = await probes.sendAt(at)
    if (call === undefined) return
    await probes.awaitVerdicts([call])
    if (call.verdict !== 'refused') return
  }
}

/** Is the wait between probes, as a share of the time since the last call that was accepted. */
const GROWTH = 0.25
const FIRST_MS = 40
/** Is the range around the expected reset, as a share of the window, in which probes are dense. */
const RESET_RANGE = 0.2
const MIN_PROBES = 8
const MAX_PROBES = 40

/** Probes a used-up limit densely around the expected reset, otherwise with exponential backoff. */
function* probeTimes(
  calls: readonly SentProbe[],
  rule: LimitGuess | undefined,
): Generator<number, void, void> {
  const { size = 1, windowMs = 0 } = rule ?? {}
  const closedAt = calls.findLast(({ verdict }) => verdict === 'refused')?.sentAt ?? 0
  const reopened = calls.findLastIndex(
    ({ verdict }, nth) => verdict !== 'refused' && calls[nth - 1]?.verdict === 'refused',
  )
  const resetAt = (calls[Math.max(0, reopened)]?.sentAt ?? 0) + windowMs
  const [from, to] = [resetAt - RESET_RANGE * windowMs, resetAt + RESET_RANGE * windowMs]
  // Refused probes may cost a fixed share of the calls that use up a window.
  const probes = Math.min(MAX_PROBES, Math.max(MIN_PROBES, Math.round(0.15 * size)))
  for (let at = closedAt + FIRST_MS; ;) {
    yield at
    const backedOff = at + GROWTH * (at - closedAt)
    if (at < from) at = Math.min(from, backedOff)
    else at = at < to ? at + (to - from) / probes : backedOff
  }
}

/** Has times in milliseconds of the clock. */
interface SentProbe {
  readonly sentAt: number
  endedAt?: number
  verdict?: LimitCall['verdict'] | 'none'
}

type ProbePlan = FindLimitSettings & LoadRules

/** Stops the search after this many calls in a row that reveal nothing about the limit. */
const MAX_LOST_IN_A_ROW = 8
// Silence for a multiple of the slowest refusal is acceptance: refusals are faster than answers.
const MIN_SILENCE_MS = 150
const SILENCE_FACTOR = 3

/**
 * Sends with call k the first turn of thread k modulo the number of threads, in a new conversation, without
 * retries. Ends with the budget, the time, `signal`, a refused key, or calls that reveal nothing.
 */
class Probes {
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
   * Sends at an even pace until `isDone`, a step and a rest after the last call, then waits for each call to
   * be refused or accepted.
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
