// Whole numbers as ranges of them: what a long list without many gaps comes to.

/** Each from its first to its last, both included. */
export function* numbersOf(ranges: Iterable<readonly [number, number]>): Generator<number> {
  for (const [first, last] of ranges) for (let number = first; number <= last; number += 1) yield number
}
