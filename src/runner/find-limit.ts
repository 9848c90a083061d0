// Searches for an organization's limit: uses it up, waits, probes until it opens, and repeats until the calls show it or the budget is used up.
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

/** What the calls so far show of the limit. */
export interface Judged {
  /** Closely enough to stop. */
  readonly isKnown: boolean
  /** What explains the calls best, however little that says. */
  readonly best:
    | {
        readonly kind: LimitKind
        /** Calls in a window, at once, or in flight. */
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

/** So many calls in a row that say nothing of the limit: nothing will be learned. */
const MOST_LOST_IN_A_ROW = 8
/** So long without a refusal a call counts as accepted: refusals come at once, answers take their time. */
const SHORTEST_SILENCE_MS = 150
const UNKNOWN_SILENCE_MS = 3000
const SILENCE_OF_REFUSALS = 3

/**
 * Call k sends the first turn of thread k modulo their number, in a conversation of its own; nothing is sent again. Resolves when
 * no call is in flight any more: `done` where the limit is known, or no call was refused.
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

  /** Until then, or until an answer comes. */
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

  /** Sends a call at that time, or as soon after it as is allowed; undefined where the search is over, or `isMoot` by then. */
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

  /** Waits until a refusal of these calls would have come. */
  const listen = async (some: readonly Sent[]): Promise<void> => {
    for (const call of some) while (isPending(call)) await pause(call.sentAt + silenceMs())
  }

  /** As fast as is allowed, until a call is refused or so many were sent. */
  const useUp = async (most = Infinity): Promise<void> => {
    const [from, refusedBefore] = [calls.length, counts.refusals]
    const isUsedUp = (): boolean => counts.refusals > refusedBefore || calls.length - from >= most
    while ((await sendAt(clock.now(), isUsedUp)) !== undefined);
    await listen(calls.slice(from))
  }

  /** Evenly, so many calls. */
  const keepPace = async (gapMs: number, most: number): Promise<void> => {
    const from = calls.length
    for (let at = clock.now(); calls.length - from < most && !isOver(); at += gapMs) await sendAt(at)
    await listen(calls.slice(from))
  }

  const waitUntil = async (at: number): Promise<void> => {
    while (!isOver() && clock.now() < at) await pause(Math.min(at, endsAt))
  }

  /** One call after the other, until one is not refused. */
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
   * Each kind shows itself differently. A bucket: a little faster and a little slower than it fills. Windows: half of one at once and the
   * rest in its middle, since fixed and sliding ones differ in how they open then; and after a rest, since a window may begin with a call.
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
  // Calls in flight are counted already, so they are awaited.
  while (counts.inFlight > 0) await pause(Infinity)
  signals.stop.removeEventListener('abort', onStop)
  if (stop !== undefined) return stop
  if (counts.refusals === 0 && calls.length >= budget) return { kind: 'done' }
  return calls.length >= budget ? { kind: 'budget', maxCalls: budget } : { kind: 'timeUp', maxMs }
}

/** Of the bucket's rate. */
const PACES = [1.06, 1.1, 1.03, 0.97]
const FEWEST_PACED = 8
const MOST_PACED = 40
/** A rate that was misread must not keep the search waiting: of a slow one the next round shows more. */
const MOST_PACED_MS = 45_000
/** Windows after the last one opened: late in the one after next. */
const LATE = 1.35

/** From one probe to the next, as a ratio of the time closed: where the opening is expected later, and where it is not. */
const COARSE = 1.6
const FINE = 1.25
const FIRST_MS = 40
/** Around the expected opening, as a part of the window, and how many probes. */
const AROUND = 0.2
const FEWEST_AROUND = 8
const MOST_AROUND = 40

/** When to try a closed limit again: densely where it should open, and ever more rarely where nothing is known. */
function* probeTimes(calls: readonly Sent[], best: Judged['best']): Generator<number, void, void> {
  const closedAt = calls.findLast(({ verdict }) => verdict === 'refused')?.sentAt ?? 0
  const size = best?.size.value ?? 1
  const windowMs = best?.windowMs?.value ?? 0
  // What a window costs to use up decides how many refusals its turn is worth.
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

/** When the call was sent that opened the limit the last time. */
function openedAt(calls: readonly Sent[]): number {
  const place = calls.findLastIndex(
    ({ verdict }, nth) => verdict !== 'refused' && calls[nth - 1]?.verdict === 'refused',
  )
  return calls[Math.max(0, place)]?.sentAt ?? 0
}
