// When to try a closed limit again: densely near the time at which it should open, and ever more rarely where nothing is
// known. What a window costs to use up decides how many refusals its turn is worth.
import type { LimitFinding } from '../../domain/limit-finding.ts'
import type { Search } from './seek.ts'

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

export function* probeTimes(finding: LimitFinding, search: Search): Generator<number, void, void> {
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
export function openedAt(calls: Search['book']['calls']): number {
  for (let place = calls.length - 1; place > 0; place -= 1)
    if (calls[place]?.refused !== true && calls[place - 1]?.refused === true) return calls[place]?.sentMs ?? 0
  return calls[0]?.sentMs ?? 0
}
