// Finds an organization's rate limit: meets it, then tries a pace slightly above it, and keeps to one slightly
// below, until the calls show all that a claim needs.
import type { LimitCall, LimitDoubt, LimitGuess } from '../../domain/limit.ts'
import type { Stop } from '../../domain/stop.ts'
import type { ThreadState } from '../thread-state.ts'
import type { AttemptPorts } from '../turn.ts'
import { type ProbePlan, Probes, type SentProbe } from './probes.ts'

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
