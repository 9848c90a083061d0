// Finds an organization's rate limit: uses it up, probes until it resets, and again until it is known.
import type { LimitCall, LimitKind } from '../../domain/limit.ts'
import type { Stop } from '../../domain/stop.ts'
import type { ThreadState } from '../thread-state.ts'
import type { AttemptPorts } from '../turn.ts'
import { type ProbePlan, Probes, type SentProbe } from './probes.ts'

interface Value {
  readonly value: number
}

export interface LimitEstimate {
  /** Says that the limit is known precisely enough to stop, and a second rule is ruled out. */
  readonly isKnown: boolean
  readonly best: LimitGuess | undefined
  /** Is a known rule that calls keep to, so that only a second rule refuses them. */
  readonly keepTo: LimitGuess | undefined
  /** Is how long to keep to it, in milliseconds, to see if there is a second rule; 0 to measure `best`. */
  readonly holdMs: number
}

interface LimitGuess {
  readonly kind: LimitKind
  /** Counts calls per window, at once, or in flight. */
  readonly size: Value
  readonly windowMs?: Value
  readonly perSecond?: Value
}

/** Must be fast: it runs after every round, while no call is in flight. */
export type EstimateLimit = (calls: readonly LimitCall[]) => LimitEstimate

/** Is the share of a rule's rate at which calls keep to it. */
const KEPT_SHARE = 0.97

/** Resolves when no call is in flight: `done` if the limit is known or no call was refused. */
export async function findLimit(
  threads: readonly ThreadState[],
  ports: AttemptPorts,
  plan: ProbePlan,
  estimate: EstimateLimit,
  signal: AbortSignal,
): Promise<Stop> {
  const probes = new Probes(threads, ports, plan, signal)
  await useUp(probes)
  for (let number = 0; probes.refusals > 0 && !probes.isOver; number += 1) {
    const { clock } = probes
    const telling = probes.calls.flatMap(({ sentAt, endedAt = clock.now(), verdict = 'accepted' }) =>
      verdict === 'none' ? [] : [{ sentAt: clock.wallOf(sentAt), endedAt: clock.wallOf(endedAt), verdict }],
    )
    const { isKnown, keepTo, holdMs, best } = estimate(telling)
    probes.limit(
      KEPT_SHARE * (keepTo?.perSecond?.value ?? Infinity),
      keepTo?.kind === 'concurrency' ? keepTo.size.value : Infinity,
    )
    if (isKnown) probes.end({ kind: 'done' })
    else if (holdMs > 0) await hold(probes, holdMs)
    else await round(probes, best, number)
  }
  return probes.close()
}

async function useUp(probes: Probes, maxCalls = Infinity): Promise<void> {
  const before = probes.refusals
  await probes.sendUntil((sent) => probes.refusals > before || sent >= maxCalls)
}

async function hold(probes: Probes, ms: number): Promise<void> {
  const [until, before] = [probes.clock.now() + ms, probes.refusals]
  await probes.sendUntil(() => probes.refusals > before || probes.clock.now() >= until)
}

async function keepPace(probes: Probes, gapMs: number, maxCalls: number): Promise<void> {
  const from = probes.calls.length
  for (let at = probes.clock.now(); probes.calls.length - from < maxCalls && !probes.isOver; at += gapMs)
    await probes.sendAt(at)
  await probes.awaitVerdicts(probes.calls.slice(from))
}

/**
 * Sends one round of calls that tell the kinds of limit apart. Bucket: slightly faster and slower than its
 * rate. Windows: half of the limit at once and the rest in mid-window, when fixed and sliding windows reset
 * differently; and after a pause, since a window may start with the first call.
 */
async function round(probes: Probes, best: LimitGuess | undefined, number: number): Promise<void> {
  const size = best?.size.value ?? 1
  const windowMs = best?.windowMs?.value
  const perSecond = best?.perSecond?.value
  if (number % 3 === 2 && best?.kind === 'fixed-window' && windowMs !== undefined)
    await probes.waitUntil(lastResetAt(probes.calls) + REST_WINDOWS * windowMs)
  await probe(probes, best)
  if (best?.kind === 'token-bucket' && perSecond !== undefined && number > 0) {
    await useUp(probes)
    const gapMs = 1000 / (perSecond * (PACES[number % PACES.length] ?? 1))
    await keepPace(probes, gapMs, Math.max(MIN_PACED, Math.min(MAX_PACED, MAX_PACED_MS / gapMs)))
    return
  }
  if (number % 2 === 1 && windowMs !== undefined && size >= 4) {
    await useUp(probes, Math.ceil(size / 2) - 1)
    await probes.waitUntil(probes.clock.now() + windowMs / 2)
  }
  await useUp(probes)
}

async function probe(probes: Probes, best: LimitGuess | undefined): Promise<void> {
  for (const at of probeTimes(probes.calls, best)) {
    if (at <= (probes.calls.at(-1)?.sentAt ?? 0)) continue
    const call = await probes.sendAt(at)
    if (call === undefined) return
    await probes.awaitVerdicts([call])
    if (call.verdict !== 'refused') return
  }
}

/** Are multiples of the bucket's rate. */
const PACES = [1.06, 1.1, 1.03, 0.97]
const MIN_PACED = 8
const MAX_PACED = 40
/** Limits the time spent on a rate that was estimated far too low; the next round corrects it. */
const MAX_PACED_MS = 45_000
/** Is when to probe after a pause, in windows since the last reset. */
const REST_WINDOWS = 1.35

/** Are the growth of the wait between probes: before the expected reset, and without an expectation. */
const COARSE = 1.6
const FINE = 1.25
const FIRST_MS = 40
/** Is the range around the expected reset, as a share of the window, in which probes are dense. */
const RESET_RANGE = 0.2
const MIN_PROBES = 8
const MAX_PROBES = 40

/** Probes a used-up limit densely around the expected reset, otherwise with exponential backoff. */
function* probeTimes(
  calls: readonly SentProbe[],
  best: LimitGuess | undefined,
): Generator<number, void, void> {
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

function lastResetAt(calls: readonly SentProbe[]): number {
  const index = calls.findLastIndex(
    ({ verdict }, nth) => verdict !== 'refused' && calls[nth - 1]?.verdict === 'refused',
  )
  return calls[Math.max(0, index)]?.sentAt ?? 0
}
