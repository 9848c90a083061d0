// Seeded random numbers, so that a sample can be drawn again.

/** Uniform in [0, 1), the same sequence for the same seed. Source: mulberry32, Tommy Ettinger, public domain. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** `count` of `items` (all, where there are fewer), each subset equally likely, in their old order. */
export const drawSample = <T>(items: readonly T[], count: number, random: () => number): T[] =>
  items.filter(drawing(items.length, count, random))

/** To be asked once for each of `length` items in their order: whether it is of the sample that `drawSample` draws. */
export function drawing(length: number, count: number, random: () => number): () => boolean {
  // Selection sampling: Knuth, The Art of Computer Programming, volume 2, 3.4.2, algorithm S.
  let needed = Math.min(count, length)
  let left = length + 1
  return () => {
    left -= 1
    if (random() * left >= needed) return false
    needed -= 1
    return true
  }
}
