// Finds an organization's rate limit: uses it up, probes until it resets, and repeats until the limit is known.
import { type LimitCall, type LimitKind, verdictOf } from '../domain/limit.ts'
import type { FindLimitSettings } from '../domain/load.ts'
import type { Stop } from '../domain/stop.ts'
import type { AttemptPorts } from './attempt.ts'
import { anchorClock, type Asked, createAskCall, firstCall, type LoadRules } from './load/call.ts'
import { type Conversation, openArrival } from './load/timetable.ts'
import type { RunnerSignals } from './run.ts'
import { interruption, stopOfError } from './stops.ts'
import { firstTurn } from './thread-state.ts'

interface Value {
  readonly value: number
}

/** What the calls so far reveal about the limit. */
export interface Judged {
  /** The limit is known precisely enough to stop. */
  readonly isKnown: boolean
  /** The best explanation of the calls so far; undefined without one. */
  readonly best:
    | {
        readonly kind: LimitKind
        /** Calls per window, at once, or in flight. */
        readonly size: Value
        readonly windowMs?: Value
        readonly perSecond?: Value
      }
    | undefined
}

/** Pure and fast: it runs after every round, while no call is in flight. */
export type JudgeCalls = (calls: readonly LimitCall[]) => Judged

/** Times are milliseconds of the clock. */
interface Sent {
  readonly sentAt: number
  endedAt?: number
  verdict?: LimitCall['verdict'] | 'none'
}

/** The search stops after this many consecutive calls that reveal nothing about the limit. */
const MOST_LOST_IN_A_ROW = 8
// A call without a refusal for a multiple of the slowest refusal counts as accepted: refusals are faster than answers.
const SHORTEST_SILENCE_MS = 150
const UNKNOWN_SILENCE_MS = 3000
const SILENCE_OF_REFUSALS = 3

/**
 * Call k sends the first turn of thread k modulo the number of threads, in a new conversation, without retries.
 * Resolves when no call is in flight: `done` if the limit is known or no call was refused.
 */
export async function findLimit(
  threads: readonly Conversation[],
  ports: AttemptPorts,
  plan: FindLimitSettings & Omit<LoadRules, 'maxCalls'>,
  judge: JudgeCalls,
  signals: RunnerSignals,
): Promise<Stop> {
  const clock = anchorClock(ports.clock)
  const { budget, maxMs, maxInFlight, maxPerSecond } = plan
  const startedAt = clock.now()
  const endsAt = startedAt + maxMs
  const ask = createAskCall({ ...ports, clock }, plan, clock.wallOf, signals.abandon)
  const first = threads.map(({ order, turns }): Conversation => ({ order, turns: [firstTurn({ turns })] }))
  const calls: Sent[] = []
  const counts = { inFlight: 0, lostInARow: 0, refusals: 0, slowestRefusalMs: 0 }
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

  const settle = (call: Sent, { report, decision, loss }: Asked): void => {
    const verdict = verdictOf(report.result) ?? 'none'
    Object.assign(call, { sentAt: report.sentAt, endedAt: report.endedAt, verdict })
    if (verdict === 'refused') {
      counts.refusals += 1
      counts.slowestRefusalMs = Math.max(counts.slowestRefusalMs, report.endedAt - report.sentAt)
    }
    const isLost = verdict === 'unknown' || verdict === 'none'
    counts.lostInARow = isLost ? counts.lostInARow + 1 : 0
    if (decision.kind === 'keyRefused') end(decision)
    else if (loss !== undefined) end(loss)
    else if (counts.lostInARow >= MOST_LOST_IN_A_ROW)
      end({ kind: 'gaveUp', over: 'failures', last: report.result.kind, afterMs: clock.now() - startedAt })
  }

  const send = (dueAt: number): Sent => {
    const arrival = calls.length
    const call: Sent = { sentAt: clock.now() }
    calls.push(call)
    counts.inFlight += 1
    const landed = (): void => {
      counts.inFlight -= 1
      wake()
    }
    ask(
      firstCall(openArrival(first, arrival), arrival, dueAt),
      arrival + 1,
      -Infinity,
      (asked) => {
        settle(call, asked)
        landed()
      },
      (error) => {
        end(stopOfError(error))
        landed()
      },
    )
    return call
  }

  /** Sends a call as soon as allowed after `at`; undefined if the search is over or `isMoot` by then. */
  const sendAt = async (at: number, isMoot: () => boolean = isOver): Promise<Sent | undefined> => {
    const due = Math.max(at, (calls.at(-1)?.sentAt ?? -Infinity) + 1000 / maxPerSecond)
    while (!isOver() && !isMoot()) {
      const hasRoom = counts.inFlight < maxInFlight
      if (hasRoom && clock.now() >= due) return send(due)
      await pause(Math.min(hasRoom ? due : Infinity, endsAt))
    }
    return undefined
  }

  const silenceMs = (): number =>
    counts.refusals === 0
      ? UNKNOWN_SILENCE_MS
      : Math.max(SHORTEST_SILENCE_MS, SILENCE_OF_REFUSALS * counts.slowestRefusalMs)
  const isPending = (call: Sent): boolean =>
    stop === undefined && call.verdict === undefined && clock.now() < call.sentAt + silenceMs()

  /** Waits until each call is refused, answered, or counts as accepted. */
  const listen = async (some: readonly Sent[]): Promise<void> => {
    for (const call of some) while (isPending(call)) await pause(call.sentAt + silenceMs())
  }

  /** Sends as fast as allowed, until a call is refused or `most` were sent. */
  const useUp = async (most = Infinity): Promise<void> => {
    const [from, refusedBefore] = [calls.length, counts.refusals]
    const isUsedUp = (): boolean => counts.refusals > refusedBefore || calls.length - from >= most
    while ((await sendAt(clock.now(), isUsedUp)) !== undefined);
    await listen(calls.slice(from))
  }

  /** Sends `most` calls, evenly spaced. */
  const keepPace = async (gapMs: number, most: number): Promise<void> => {
    const from = calls.length
    for (let at = clock.now(); calls.length - from < most && !isOver(); at += gapMs) await sendAt(at)
    await listen(calls.slice(from))
  }

  const waitUntil = async (at: number): Promise<void> => {
    while (!isOver() && clock.now() < at) await pause(Math.min(at, endsAt))
  }

  /** Sends single calls until one is not refused. */
  const probe = async (best: Judged['best']): Promise<void> => {
    for (const at of probeTimes(calls, best)) {
      if (at <= (calls.at(-1)?.sentAt ?? 0)) continue
      const call = await sendAt(at)
      if (call === undefined) return
      await listen([call])
      if (call.verdict !== 'refused') return
    }
  }

  /**
   * One round of calls that tell the kinds of limit apart. Bucket: slightly faster and slower than its rate. Windows:
   * half of the limit at once and the rest in mid-window, when fixed and sliding windows reset differently; and after
   * a pause, since a window may start with the first call.
   */
  const round = async (best: Judged['best'], number: number): Promise<void> => {
    const size = best?.size.value ?? 1
    const windowMs = best?.windowMs?.value
    const perSecond = best?.perSecond?.value
    if (number % 3 === 2 && best?.kind === 'fixed-window' && windowMs !== undefined)
      await waitUntil(openedAt(calls) + LATE * windowMs)
    await probe(best)
    if (best?.kind === 'token-bucket' && perSecond !== undefined && number > 0) {
      await useUp()
      const gapMs = 1000 / (perSecond * (PACES[number % PACES.length] ?? 1))
      await keepPace(gapMs, Math.max(FEWEST_PACED, Math.min(MOST_PACED, MOST_PACED_MS / gapMs)))
      return
    }
    if (number % 2 === 1 && windowMs !== undefined && size >= 4) {
      await useUp(Math.ceil(size / 2) - 1)
      await waitUntil(clock.now() + windowMs / 2)
    }
    await useUp()
  }

  const seen = (): LimitCall[] =>
    calls.flatMap(({ sentAt, endedAt = clock.now(), verdict = 'accepted' }) =>
      verdict === 'none' ? [] : [{ sentAt: clock.wallOf(sentAt), endedAt: clock.wallOf(endedAt), verdict }],
    )

  const onStop = (): void => end(interruption(signals.stop))
  signals.stop.addEventListener('abort', onStop)
  if (signals.stop.aborted) onStop()
  await useUp()
  for (let number = 0; counts.refusals > 0 && !isOver(); number += 1) {
    const { isKnown, best } = judge(seen())
    if (isKnown) end({ kind: 'done' })
    else await round(best, number)
  }
  // Calls in flight count toward the budget, so wait for their results.
  while (counts.inFlight > 0) await pause(Infinity)
  signals.stop.removeEventListener('abort', onStop)
  if (stop !== undefined) return stop
  if (counts.refusals === 0 && calls.length >= budget) return { kind: 'done' }
  return calls.length >= budget ? { kind: 'budget', maxCalls: budget } : { kind: 'timeUp', maxMs }
}

/** Multiples of the bucket's rate. */
const PACES = [1.06, 1.1, 1.03, 0.97]
const FEWEST_PACED = 8
const MOST_PACED = 40
/** Limits the time spent on a rate that was estimated far too low; the next round corrects it. */
const MOST_PACED_MS = 45_000
/** When to probe after a pause, in windows since the last reset. */
const LATE = 1.35

/** Growth of the wait between probes: before the expected reset, and without an expectation. */
const COARSE = 1.6
const FINE = 1.25
const FIRST_MS = 40
/** Range around the expected reset, as a share of the window, and the number of probes in it. */
const AROUND = 0.2
const FEWEST_AROUND = 8
const MOST_AROUND = 40

/** When to probe a used-up limit: densely around the expected reset, otherwise with exponential backoff. */
function* probeTimes(calls: readonly Sent[], best: Judged['best']): Generator<number, void, void> {
  const closedAt = calls.findLast(({ verdict }) => verdict === 'refused')?.sentAt ?? 0
  const size = best?.size.value ?? 1
  const windowMs = best?.windowMs?.value ?? 0
  // Refused probes may cost a fixed share of the calls that use up a window.
  const around = Math.min(MOST_AROUND, Math.max(FEWEST_AROUND, Math.round(0.15 * size)))
  const expected = Array.from(
    { length: windowMs > 0 ? around + 1 : 0 },
    (_, nth) => openedAt(calls) + windowMs * (1 - AROUND + (2 * AROUND * nth) / around),
  ).filter((at) => at > closedAt)
  const lastExpected = expected.at(-1) ?? 0
  const fine = Math.max(1.08, FINE - 0.001 * size)
  for (let waitMs = FIRST_MS; ; waitMs *= closedAt + waitMs < lastExpected ? COARSE : fine) {
    while (expected[0] !== undefined && expected[0] <= closedAt + waitMs) yield expected.shift() ?? 0
    yield closedAt + waitMs
  }
}

/** When the first call after the last refusals was sent. */
function openedAt(calls: readonly Sent[]): number {
  const place = calls.findLastIndex(
    ({ verdict }, nth) => verdict !== 'refused' && calls[nth - 1]?.verdict === 'refused',
  )
  return calls[Math.max(0, place)]?.sentAt ?? 0
}
