// The accepted calls, from which a limit's capacity is measured: recent ones singly, older ones in lumps.

/** Accepted calls sent from `at - ms` to `at`. Milliseconds. */
type Lump = [at: number, ms: number, calls: number]

export interface Admissions {
  /** Oldest first. A single call is a lump of length 0; a refused one has 0 calls. */
  lumps: Lump[]
  firstAt: number | null
  /** When the first calls were sent: the time of the permit until an answer reports the real time; null if it was not used. */
  early: (number | null)[]
}

/** The call that was really sent first is among this many. */
const EARLY_CALLS = 32
/** The latest calls are kept singly. */
const SINGLE_CALLS = 64
/** Beyond this many, older lumps are joined, down to `JOINED_LUMPS`: the state stays below 8 KB. */
const MOST_LUMPS = 240
const JOINED_LUMPS = 130
/** Length of a lump as a share of its age: a measured span that ends inside one is off by half a percent. */
const LENGTH_OF_AGE = 0.01

export const createAdmissions = (): Admissions => ({ lumps: [], firstAt: null, early: [] })

/** A call counts as accepted when it is sent: 429s arrive quickly, answers do not. */
export function admit(log: Admissions, at: number): void {
  log.firstAt ??= at
  if (log.early.length < EARLY_CALLS) log.early.push(at)
  log.lumps.push([at, 0, 1])
  if (log.lumps.length > MOST_LUMPS) join(log, at)
}

/** The call sent at `at` got a 429. */
export function refuse({ lumps }: Admissions, at: number): void {
  const lump = lumps.findLast(([end, ms]) => end - ms <= at)
  if (lump !== undefined && lump[0] >= at) lump[2] = Math.max(0, lump[2] - 1)
}

/** Call `number` (from 0) was accepted, and sent `ms` after its permit; null if it was not sent. */
export function wasLate({ early }: Admissions, number: number, ms: number | null): void {
  const at = early[number]
  if (typeof at === 'number') early[number] = ms === null ? null : Math.floor(at + ms)
}

/** When the first call was really sent, as far as is known: a window that opens with a call began then. */
export function begunAt({ early }: Admissions): number | null {
  const sent = early.filter((at) => at !== null)
  return sent.length === 0 ? null : Math.min(...sent)
}

/** Calls accepted from `from` to `to`, both included. */
export function countAdmitted({ lumps }: Admissions, from: number, to: number): number {
  let count = 0
  for (let place = lumps.length - 1; place >= 0; place -= 1) {
    const [at, ms, calls] = lumps[place] ?? [0, 0, 0]
    if (at < from) break
    const start = at - ms
    if (start >= from && at <= to) count += calls
    else if (start <= to) count += (calls * (Math.min(at, to) - Math.max(start, from))) / ms
  }
  return count
}

/** Calls per second accepted from `from` to `to`. */
export const rateBetween = (log: Admissions, from: number, to: number): number =>
  (countAdmitted(log, from, to) * 1000) / Math.max(1, to - from)

/** When the `calls`-th last call was sent, up to `SINGLE_CALLS`; undefined if there are fewer. */
export const sentBefore = ({ lumps }: Admissions, calls: number): number | undefined =>
  lumps[lumps.length - calls]?.[0]

/** Joins lumps as long as they stay short for their age; coarser if that is not enough. */
function join(log: Admissions, now: number): void {
  const singles = log.lumps.splice(-SINGLE_CALLS)
  for (let part = LENGTH_OF_AGE; log.lumps.length > JOINED_LUMPS; part *= 1.5) {
    const joined: Lump[] = []
    for (const lump of log.lumps) {
      const last = joined.at(-1)
      const ms = last === undefined ? Infinity : Math.round((lump[0] - last[0] + last[1]) * 10) / 10
      if (last === undefined || ms > part * (now - lump[0])) joined.push([...lump])
      else [last[0], last[1], last[2]] = [lump[0], ms, last[2] + lump[2]]
    }
    log.lumps = joined
  }
  log.lumps.push(...singles)
}
