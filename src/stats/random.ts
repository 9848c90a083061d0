// Seeded random numbers: the same seed draws the same sample.

/**
 * Draws uniformly in [0, 1), the same for the same seed. Source: mulberry32, Tommy Ettinger, public domain.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Keeps the items' order. Each subset is equally likely. Source: selection sampling, Knuth, The Art of
 * Computer Programming, volume 2, 3.4.2, algorithm S.
 */
export function drawSample<T>(items: readonly T[], count: number, random: () => number): T[] {
  let needed = Math.min(count, items.length)
  return items.filter((_, index) => {
    if (random() * (items.length - index) >= needed) return false
    needed -= 1
    return true
  })
}

/** Each stream, uniform in [0, 1), depends on seed and number alone, not on the order of their use. */
export function createRandomStreams(seed: number): (stream: number) => () => number {
  const start = mix(seed)
  return (stream) => seededRandom(mix(start ^ mix(stream + 0x9e3779b9)))
}

/** The finalizer of MurmurHash3 (Appleby, public domain) lets every input bit reach every output bit. */
function mix(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
