// The accepted calls of a run, from which its limit is measured: the latest ones singly, older ones in lumps.
import { MAX_LUMPS } from './constants.ts'

/** Is calls accepted from `from` to `to`, evenly spread. A single call is a lump without length. */
export type Lump = readonly [from: number, to: number, calls: number]

/** Begins with the oldest. */
export type Log = readonly Lump[]

/** Adds a call: it counts as accepted when it is sent, since 429s arrive quickly and answers do not. */
export function admit(log: Log, at: number): Log {
  const lumps: Log = [...log, [at, at, 1]]
  return lumps.length > MAX_LUMPS ? joinShortest(lumps, at) : lumps
}

/** Takes out the call sent at `at`: it got a 429, or was not sent at all. */
export function withdraw(log: Log, at: number): Log {
  const index = log.findLastIndex(([from, to]) => from <= at && at <= to)
  const [from, to, calls] = log[index] ?? [0, 0, 0]
  if (calls > 1) return log.with(index, [from, to, calls - 1])
  return calls === 1 ? log.toSpliced(index, 1) : log
}

/** Joins the two neighbours shortest for their age: a span ending inside a lump is measured less exactly. */
function joinShortest(log: Log, now: number): Log {
  let shortest = 0
  let minShare = Infinity
  for (let index = 0; index < log.length - 1; index += 1) {
    const [from, to] = [(log[index] as Lump)[0], (log[index + 1] as Lump)[1]]
    const shareOfAge = (to - from) / Math.max(1, now - from)
    if (shareOfAge < minShare) {
      shortest = index
      minShare = shareOfAge
    }
  }
  const [first, second] = log.slice(shortest) as [Lump, Lump]
  return log.toSpliced(shortest, 2, [first[0], second[1], first[2] + second[2]])
}

/** Counts calls accepted from `from` to `to`, both included. */
export function countCalls(log: Log, from: number, to: number): number {
  let count = 0
  for (const [start, end, calls] of log)
    if (end >= from && start <= to)
      count += start === end ? calls : (calls * (Math.min(end, to) - Math.max(start, from))) / (end - start)
  return count
}

export const rateBetween = (log: Log, from: number, to: number): number =>
  (countCalls(log, from, to) * 1000) / Math.max(1, to - from)

export const firstAt = (log: Log): number | undefined => log[0]?.[0]

/** Is when the latest `calls` began; the first call's time if there are fewer. */
export const latestFrom = (log: Log, calls: number): number | undefined => (log.at(-calls) ?? log[0])?.[0]
