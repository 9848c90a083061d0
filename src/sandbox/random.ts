// Seeded randomness addressed by number: draw n is the same in whatever order the draws are made.

/** Uniform in [0, 1). Concurrent calls cannot disturb each other's draws, as they would a stream's. */
export type Draw = (purpose: string, index: number) => number

export function seededDraw(seed: number): Draw {
  const start = mix(seed | 0)
  return (purpose, index) => mix(mix(start ^ hashText(purpose)) + Math.imul(index | 0, 0x9e3779b1)) / 2 ** 32
}

/** Standard normal deviate of the same draw, by Box and Muller (1958). */
export function normalDraw(draw: Draw, purpose: string, index: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - draw(`${purpose}:radius`, index)))
  return radius * Math.cos(2 * Math.PI * draw(`${purpose}:angle`, index))
}

/** Finalizer of MurmurHash3 (Appleby, public domain): every input bit reaches every output bit. */
function mix(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (const unit of text) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193)
  return hash
}
