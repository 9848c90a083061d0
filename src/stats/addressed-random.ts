// Streams of random numbers, each with an address: what one draws cannot disturb another.
import { seededRandom } from './random.ts'

/** The stream of that number: uniform in [0, 1), the same for the same seed and number, in whatever order streams are used. */
export type RandomStreams = (stream: number) => () => number

export function createRandomStreams(seed: number): RandomStreams {
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
