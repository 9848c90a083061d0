// Seeded random numbers: the same seed draws the same sample.

/**
 * Uniform in [0, 1); a seed always gives the same sequence. Source: mulberry32, Tommy Ettinger, public
 * domain.
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
 * Draws `count` items, or all if there are fewer, and keeps their order. Each subset is equally likely.
 * Source: selection sampling, Knuth, The Art of Computer Programming, volume 2, 3.4.2, algorithm S.
 */
export function drawSample<T>(items: readonly T[], count: number, random: () => number): T[] {
  let needed = Math.min(count, items.length)
  return items.filter((_, index) => {
    if (random() * (items.length - index) >= needed) return false
    needed -= 1
    return true
  })
}

/** Streams, uniform in [0, 1), that seed and number alone decide, not the order of their use. */
export function createRandomStreams(seed: number): (stream: number) => () => number {
  const start = mix(seed)
  return (stream) => seededRandom(mix(start ^ mix(stream + 0x9e3779b9)))
}

/** Finalizer of MurmurHash3 (Appleby, public domain): every input bit reaches every output bit. */
function mix(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
