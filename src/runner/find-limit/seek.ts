// The order of the experiments: use the limit up, find when it opens again, use it up once more, and so on until what the
// calls say is narrow enough; then watch for a second limit behind the first.
import type { CallSeen, Estimate, LimitFinding } from '../../domain/limit.ts'
import type { FindLimitSettings } from '../../domain/load.ts'
import { type Book, burst, type Experiment, probe, rest, sit } from './experiment.ts'

export interface Search {
  readonly book: Book
  readonly now: () => number
  /** Calls of the budget that are left. */
  readonly left: () => number
  readonly judge: () => LimitFinding
}

/** A little faster than the limit lets through, and a little slower, by turns: the edge is met at little cost. */
const AROUND_RATE = [1.1, 1.03, 0.97, 1.06]
/** So many refusals in a row are another limit's. */
const PATIENCE = 8
const FEWEST_TO_WATCH = 10
/** Windows of the clock turn whether or not anybody calls; others begin with a call, and so late in a third of cases. */
const LATE = 0.35
const SIT_CALLS = 40
/** A rate that was misread must not keep the search waiting: of a slow one the next round tells more. */
const SIT_MS = 45_000

export function* seek(options: FindLimitOptions, search: Search): Generator<Experiment, WhyDone, void> {
  const { book, now, left } = search
  const startedAt = now()
  yield burst(left())
  if (book.refusals === 0) return 'unmet'
  let finding = search.judge()
  for (let round = 0; ; round += 1) {
    if (round % 3 === 2 && finding.kind === 'fixed-window' && finding.windowMs !== null)
      yield rest(openedAt(book.calls) + (1 + LATE) * finding.windowMs.value)
    yield probe(probeTimes(finding, search))
    yield* useUp(finding, search, round)
    finding = search.judge()
    if (!isNarrow(finding)) continue
    yield* watch(finding, options, search, startedAt)
    finding = search.judge()
    if (isNarrow(finding) && !book.endsRefused(PATIENCE)) return 'known'
  }
}

/** Windows are used up half at once and half in their middle: fixed and sliding ones differ in how they open then. */
function* useUp(
  finding: LimitFinding,
  { left, now }: Search,
  round: number,
): Generator<Experiment, void, void> {
  const { burst: size, windowMs } = finding
  const rate = finding.sustainedPerSecond?.value
  if (finding.kind === 'token-bucket' && rate !== undefined && round > 0) {
    yield burst(left())
    const gapMs = 1000 / (rate * (AROUND_RATE[(round - 1) % AROUND_RATE.length] ?? 1))
    yield sit(gapMs, Math.max(PATIENCE, Math.min(SIT_CALLS, Math.ceil(SIT_MS / gapMs))), PATIENCE)
    return
  }
  if (round > 0 && round % 2 === 1 && windowMs !== null && size !== null && size.value >= 4) {
    yield burst(Math.ceil(size.value / 2) - 1)
    yield rest(now() + windowMs.value / 2)
  }
  yield burst(left())
}

/** At the rate that is known, for as long as a second limit may hide. */
function* watch(
  finding: LimitFinding,
  { watchMs }: FindLimitOptions,
  { now, left }: Search,
  startedAt: number,
): Generator<Experiment, void, void> {
  const rate = finding.sustainedPerSecond?.value
  const lacksMs = watchMs - (now() - startedAt)
  if (rate === undefined || lacksMs <= 0) return
  const calls = Math.min(Math.ceil((rate * lacksMs) / 1000), Math.floor(left() / 2))
  if (calls >= FEWEST_TO_WATCH) yield sit(1000 / rate, calls, PATIENCE)
}

const FIRST_MS = 40
/** From one probe to the next, as a ratio of the time closed: where a window is expected, and where none is. */
const COARSE = 1.6
const COARSEST = 1.25
const FINEST = 1.08
/** Around the time at which a window should turn, as parts of the window. */
const AROUND = 0.2
const FEWEST = 8
const MOST = 40
const PART_OF_SIZE = 0.15

/**
 * When to try a closed limit again: densely near the time at which it should open, and ever more rarely where nothing is known. What a window costs to
 * use up decides how many refusals its turn is worth.
 */
function* probeTimes(finding: LimitFinding, search: Search): Generator<number, void, void> {
  const { book } = search
  const closedAt = book.calls.findLast((call) => call.refused === true)?.sentMs ?? search.now()
  const size = finding.burst?.value ?? 1
  const expected = expectedTimes(finding, book.calls, size).filter((at) => at > closedAt)
  const last = expected.at(-1) ?? closedAt
  const ratio = expected.length > 0 ? COARSE : Math.max(FINEST, COARSEST - 0.001 * size)
  for (let wait = FIRST_MS; ; wait *= closedAt + wait < last ? ratio : fine(size)) {
    while (expected[0] !== undefined && expected[0] <= closedAt + wait) yield expected.shift() ?? 0
    yield closedAt + wait
  }
}

const fine = (size: number): number => Math.max(FINEST, COARSEST - 0.001 * size)

/** A limit opens a window after it opened last, or after what filled it was sent. */
function expectedTimes(finding: LimitFinding, calls: Search['book']['calls'], size: number): number[] {
  const windowMs = finding.windowMs?.value
  const opened = openedAt(calls)
  if (windowMs === undefined) return []
  const probes = Math.min(MOST, Math.max(FEWEST, Math.round(PART_OF_SIZE * size)))
  return Array.from(
    { length: probes + 1 },
    (_, nth) => opened + windowMs * (1 - AROUND + (2 * AROUND * nth) / probes),
  )
}

/** The call that ended the last time closed. */
function openedAt(calls: Search['book']['calls']): number {
  for (let place = calls.length - 1; place > 0; place -= 1)
    if (calls[place]?.refused !== true && calls[place - 1]?.refused === true) return calls[place]?.sentMs ?? 0
  return calls[0]?.sentMs ?? 0
}

/** Either way, as a part of the value. */
const RATE_WITHIN = 0.05
const SIZE_WITHIN = 0.2

export function isNarrow(finding: LimitFinding): boolean {
  const { kind, sustainedPerSecond, windowMs, burst: size, atOnce, evidence } = finding
  if (kind === 'unknown' || kind === 'none-met' || finding.confidence === 'low') return false
  if ((evidence.runnerUpBehind ?? 0) < 2) return false
  if (kind === 'concurrency') return atOnce !== null && isWithin(atOnce, SIZE_WITHIN)
  return (
    sustainedPerSecond !== null &&
    isWithin(sustainedPerSecond, RATE_WITHIN) &&
    [windowMs, size].every((one) => one === null || isWithin(one, SIZE_WITHIN))
  )
}

function isWithin({ value, low, high }: Estimate, part: number): boolean {
  return high !== null && value - low <= part * value && high - value <= part * value
}

/**
 * Calls in flight may end a little after `maxMs`. Once the limit is known, the search goes on at that rate until `watchMs`
 * are over, or half of the budget left is used: a second limit may lie behind the first.
 */
export interface FindLimitOptions extends FindLimitSettings {
  /** Reads the calls so far. Must be quick: it is asked after every experiment. */
  readonly judge: (calls: readonly CallSeen[]) => LimitFinding
}

export type Step =
  /** Send one call, now. */
  | { readonly kind: 'send' }
  /** Nothing before this time, or before an answer comes; Infinity: only an answer helps. */
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'done'; readonly why: WhyDone }

/** `known`: narrow enough; `unmet`: nothing was refused within the budget. */
export type WhyDone = 'known' | 'unmet' | 'budget' | 'time'
