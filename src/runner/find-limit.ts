// Finds an organization's rate limit: uses it up, probes until it resets, and repeats until the limit is known.
import { anchorClock } from '../domain/clock.ts'
import { type LimitCall, type LimitKind, verdictOf } from '../domain/limit.ts'
import type { FindLimitSettings } from '../domain/load.ts'
import type { Stop } from '../domain/stop.ts'
import { type CallEnd, createCallSender, type LoadRules } from './load/call.ts'
import { type Conversation, openArrival } from './load/timetable.ts'
import { observe } from '../pace/observation.ts'
import { describeAttempt, interruption, overOf, stopOfError } from './stops.ts'
import { firstTurn } from './thread-state.ts'
import type { AttemptPorts } from './turn.ts'

interface Value {
  readonly value: number
}

/** What the calls so far reveal about the limit. */
export interface LimitEstimate {
  /** The limit is known precisely enough to stop, and a second rule is ruled out. */
  readonly isKnown: boolean
  /** The best explanation of the calls so far; undefined without one. */
  readonly best: LimitGuess | undefined
  /** A known rule that calls keep to, so that only a second rule refuses them. */
  readonly keepTo: LimitGuess | undefined
  /** How long to keep to it, in milliseconds, to see whether there is a second rule; 0 to measure `best`. */
  readonly holdMs: number
}

interface LimitGuess {
  readonly kind: LimitKind
  /** Calls per window, at once, or in flight. */
  readonly size: Value
  readonly windowMs?: Value
  readonly perSecond?: Value
}

/** Pure and fast: it runs after every round, while no call is in flight. */
export type EstimateLimit = (calls: readonly LimitCall[]) => LimitEstimate

/** Times are milliseconds of the clock. */
interface Sent {
  readonly sentAt: number
  endedAt?: number
  verdict?: LimitCall['verdict'] | 'none'
}

/** Calls that keep to a rule come at this share of its rate. */
const KEPT_SHARE = 0.97

/** The search stops after this many consecutive calls that reveal nothing about the limit. */
const MAX_LOST_IN_A_ROW = 8
// A call without a refusal for a multiple of the slowest refusal counts as accepted: refusals are faster than answers.
const MIN_SILENCE_MS = 150
const INITIAL_SILENCE_MS = 3000
const SILENCE_FACTOR = 3

/**
 * Call k sends the first turn of thread k modulo the number of threads, in a new conversation, without retries.
 * Resolves when no call is in flight: `done` if the limit is known or no call was refused.
 */
export async function findLimit(
  threads: readonly Conversation[],
  ports: AttemptPorts,
  plan: FindLimitSettings & Omit<LoadRules, 'maxCalls'>,
  estimate: EstimateLimit,
  signal: AbortSignal,
): Promise<Stop> {
  const clock = anchorClock(ports.clock)
  const { budget, maxMs, maxInFlight, maxPerSecond } = plan
  const startedAt = clock.now()
  const endsAt = startedAt + maxMs
  const sendCall = createCallSender({ ...ports, clock }, plan)
  const first = threads.map(({ order, turns }): Conversation => ({ order, turns: [firstTurn({ turns })] }))
  const calls: Sent[] = []
  const counts = { inFlight: 0, lostInARow: 0, refusals: 0, slowestRefusalMs: 0 }
  /** Calls come no faster than this, and not before the end of a wait that a 5xx named. */
  const pace = { gapMs: 1000 / maxPerSecond, inFlight: maxInFlight, resumeAt: -Infinity }
  let stop: Stop | undefined
  let wake: () => void = () => undefined

  const end = (reason: Stop): void => {
    stop ??= reason
    wake()
  }
  const isOver = (): boolean => stop !== undefined || calls.length >= budget || clock.now() >= endsAt

  /** Waits until that time or the next answer. */
  const pause = async (until: number): Promise<void> => {
    let cancel: () => void = () => undefined
    await new Promise<void>((resolve) => {
      wake = resolve
      if (until < Infinity) cancel = clock.after(Math.max(0, until - clock.now()), resolve)
    })
    cancel()
  }

  const settle = (call: Sent, { report, decision, gaveUp }: CallEnd): void => {
    const verdict = verdictOf(report.result) ?? 'none'
    Object.assign(call, { sentAt: report.sentAt, endedAt: report.endedAt, verdict })
    if (verdict === 'refused') {
      counts.refusals += 1
      counts.slowestRefusalMs = Math.max(counts.slowestRefusalMs, report.endedAt - report.sentAt)
    }
    const isLost = verdict === 'unknown' || verdict === 'none'
    // Calls sent before a named wait are one failure.
    if (!isLost) counts.lostInARow = 0
    else if (report.sentAt >= pace.resumeAt) counts.lostInARow += 1
    const seen = observe(report.result, clock.wall())
    if (seen.kind === 'failed' && seen.namedMs !== undefined)
      pace.resumeAt = Math.max(pace.resumeAt, report.endedAt + seen.namedMs)
    if (decision.kind === 'keyRefused') end(decision)
    else if (gaveUp !== undefined) end(gaveUp)
    else if (counts.lostInARow >= MAX_LOST_IN_A_ROW)
      end({
        kind: 'gaveUp',
        over: overOf(seen, report.result),
        last: describeAttempt(seen, report.result),
        afterMs: clock.now() - startedAt,
      })
  }

  const send = (dueAt: number): Sent => {
    const arrival = calls.length
    const call: Sent = { sentAt: clock.now() }
    calls.push(call)
    counts.inFlight += 1
    const onEnd = (): void => {
      counts.inFlight -= 1
      wake()
    }
    sendCall(
      { thread: openArrival(first, arrival), arrival, dueAt },
      arrival + 1,
      -Infinity,
      (settled) => {
        settle(call, settled)
        onEnd()
      },
      (error) => {
        end(stopOfError(error))
        onEnd()
      },
    )
    return call
  }

  /** Sends a call as soon as allowed after `at`; undefined if the search is over or `isDone` by then. */
  const sendAt = async (at: number, isDone: () => boolean = isOver): Promise<Sent | undefined> => {
    while (!isOver() && !isDone()) {
      const due = Math.max(at, (calls.at(-1)?.sentAt ?? -Infinity) + pace.gapMs, pace.resumeAt)
      const hasFreeSlot = counts.inFlight < pace.inFlight
      if (hasFreeSlot && clock.now() >= due) return send(due)
      await pause(Math.min(hasFreeSlot ? due : Infinity, endsAt))
    }
    return undefined
  }

  const silenceMs = (): number =>
    counts.refusals === 0
      ? INITIAL_SILENCE_MS
      : Math.max(MIN_SILENCE_MS, SILENCE_FACTOR * counts.slowestRefusalMs)
  const isPending = (call: Sent): boolean =>
    stop === undefined && call.verdict === undefined && clock.now() < call.sentAt + silenceMs()

  /** Waits until each call is refused, answered, or counts as accepted. */
  const awaitVerdicts = async (some: readonly Sent[]): Promise<void> => {
    for (const call of some) while (isPending(call)) await pause(call.sentAt + silenceMs())
  }

  /** Sends as fast as allowed, until a call is refused or `maxCalls` were sent. */
  const useUp = async (maxCalls = Infinity): Promise<void> => {
    const [from, refusedBefore] = [calls.length, counts.refusals]
    const isUsedUp = (): boolean => counts.refusals > refusedBefore || calls.length - from >= maxCalls
    while ((await sendAt(clock.now(), isUsedUp)) !== undefined);
    await awaitVerdicts(calls.slice(from))
  }

  /** Sends `maxCalls` calls, evenly spaced. */
  const keepPace = async (gapMs: number, maxCalls: number): Promise<void> => {
    const from = calls.length
    for (let at = clock.now(); calls.length - from < maxCalls && !isOver(); at += gapMs) await sendAt(at)
    await awaitVerdicts(calls.slice(from))
  }

  const keepTo = (rule: LimitGuess | undefined): void => {
    pace.gapMs = 1000 / Math.min(maxPerSecond, KEPT_SHARE * (rule?.perSecond?.value ?? Infinity))
    pace.inFlight = Math.min(maxInFlight, rule?.kind === 'concurrency' ? rule.size.value : Infinity)
  }

  /** Sends at the pace that is kept, until a call is refused or the time is over. */
  const hold = async (ms: number): Promise<void> => {
    const [from, until, refusedBefore] = [calls.length, clock.now() + ms, counts.refusals]
    const isOverOrRefused = (): boolean => counts.refusals > refusedBefore || clock.now() >= until
    while ((await sendAt(clock.now(), isOverOrRefused)) !== undefined);
    await awaitVerdicts(calls.slice(from))
  }

  const waitUntil = async (at: number): Promise<void> => {
    while (!isOver() && clock.now() < at) await pause(Math.min(at, endsAt))
  }

  /** Sends single calls until one is not refused. */
  const probe = async (best: LimitEstimate['best']): Promise<void> => {
    for (const at of probeTimes(calls, best)) {
      if (at <= (calls.at(-1)?.sentAt ?? 0)) continue
      const call = await sendAt(at)
      if (call === undefined) return
      await awaitVerdicts([call])
      if (call.verdict !== 'refused') return
    }
  }

  /**
   * One round of calls that tell the kinds of limit apart. Bucket: slightly faster and slower than its rate. Windows:
   * half of the limit at once and the rest in mid-window, when fixed and sliding windows reset differently; and after
   * a pause, since a window may start with the first call.
   */
  const round = async (best: LimitEstimate['best'], number: number): Promise<void> => {
    const size = best?.size.value ?? 1
    const windowMs = best?.windowMs?.value
    const perSecond = best?.perSecond?.value
    if (number % 3 === 2 && best?.kind === 'fixed-window' && windowMs !== undefined)
      await waitUntil(lastResetAt(calls) + REST_WINDOWS * windowMs)
    await probe(best)
    if (best?.kind === 'token-bucket' && perSecond !== undefined && number > 0) {
      await useUp()
      const gapMs = 1000 / (perSecond * (PACES[number % PACES.length] ?? 1))
      await keepPace(gapMs, Math.max(MIN_PACED, Math.min(MAX_PACED, MAX_PACED_MS / gapMs)))
      return
    }
    if (number % 2 === 1 && windowMs !== undefined && size >= 4) {
      await useUp(Math.ceil(size / 2) - 1)
      await waitUntil(clock.now() + windowMs / 2)
    }
    await useUp()
  }

  const limitCalls = (): LimitCall[] =>
    calls.flatMap(({ sentAt, endedAt = clock.now(), verdict = 'accepted' }) =>
      verdict === 'none' ? [] : [{ sentAt: clock.wallOf(sentAt), endedAt: clock.wallOf(endedAt), verdict }],
    )

  const onStop = (): void => end(interruption(signal))
  signal.addEventListener('abort', onStop)
  if (signal.aborted) onStop()
  await useUp()
  for (let number = 0; counts.refusals > 0 && !isOver(); number += 1) {
    const found = estimate(limitCalls())
    keepTo(found.keepTo)
    if (found.isKnown) end({ kind: 'done' })
    else if (found.holdMs > 0) await hold(found.holdMs)
    else await round(found.best, number)
  }
  // Calls in flight count toward the budget, so wait for their results.
  while (counts.inFlight > 0) await pause(Infinity)
  signal.removeEventListener('abort', onStop)
  if (stop !== undefined) return stop
  if (counts.refusals === 0 && calls.length >= budget) return { kind: 'done' }
  return calls.length >= budget ? { kind: 'budget', maxCalls: budget } : { kind: 'timeUp', maxMs }
}

/** Multiples of the bucket's rate. */
const PACES = [1.06, 1.1, 1.03, 0.97]
const MIN_PACED = 8
const MAX_PACED = 40
/** Limits the time spent on a rate that was estimated far too low; the next round corrects it. */
const MAX_PACED_MS = 45_000
/** When to probe after a pause, in windows since the last reset. */
const REST_WINDOWS = 1.35

/** Growth of the wait between probes: before the expected reset, and without an expectation. */
const COARSE = 1.6
const FINE = 1.25
const FIRST_MS = 40
/** Range around the expected reset, as a share of the window, and the number of probes in it. */
const RESET_RANGE = 0.2
const MIN_PROBES = 8
const MAX_PROBES = 40

/** When to probe a used-up limit: densely around the expected reset, otherwise with exponential backoff. */
function* probeTimes(calls: readonly Sent[], best: LimitEstimate['best']): Generator<number, void, void> {
  const closedAt = calls.findLast(({ verdict }) => verdict === 'refused')?.sentAt ?? 0
  const size = best?.size.value ?? 1
  const windowMs = best?.windowMs?.value ?? 0
  // Refused probes may cost a fixed share of the calls that use up a window.
  const probes = Math.min(MAX_PROBES, Math.max(MIN_PROBES, Math.round(0.15 * size)))
  const expected = Array.from(
    { length: windowMs > 0 ? probes + 1 : 0 },
    (_, nth) => lastResetAt(calls) + windowMs * (1 - RESET_RANGE + (2 * RESET_RANGE * nth) / probes),
  ).filter((at) => at > closedAt)
  const lastExpected = expected.at(-1) ?? 0
  const fine = Math.max(1.08, FINE - 0.001 * size)
  for (let waitMs = FIRST_MS; ; waitMs *= closedAt + waitMs < lastExpected ? COARSE : fine) {
    while (expected[0] !== undefined && expected[0] <= closedAt + waitMs) yield expected.shift() ?? 0
    yield closedAt + waitMs
  }
}

/** When the first call after the last refusals was sent. */
function lastResetAt(calls: readonly Sent[]): number {
  const place = calls.findLastIndex(
    ({ verdict }, nth) => verdict !== 'refused' && calls[nth - 1]?.verdict === 'refused',
  )
  return calls[Math.max(0, place)]?.sentAt ?? 0
}
