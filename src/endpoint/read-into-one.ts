// What sockets receive goes through one piece of memory: a piece for each read costs more to get and to free than to copy from.
import type { Received } from './read-at-once.ts'

/** As much as the system reads at once. */
const BYTES = 2 ** 16
/** Answers are short, as a rule: those up to so many bytes are kept side by side in one piece of memory. */
const SHORT = 2 ** 12

/** What Node's `net.connect` and `tls.connect` take; Node calls it as a method of the socket. */
export interface ReadInto {
  readonly onread: {
    readonly buffer: Uint8Array
    callback(this: Pick<Received, 'push'>, length: number, memory: Uint8Array): boolean
  }
}

/**
 * For any number of sockets: each takes what is its own out of the memory before the next one reads. It stands in the socket's
 * stream as if it had been read there.
 */
export function readIntoOne(): ReadInto {
  const keep = createKeep()
  return {
    onread: {
      buffer: Buffer.allocUnsafeSlow(BYTES),
      callback(length, memory) {
        return this.push(keep(memory, length))
      },
    },
  }
}

/** Copies the first `length` bytes to where they stay. Node's own pool has room for ten answers, and is got anew for the next. */
function createKeep(): (memory: Uint8Array, length: number) => Buffer {
  let pool = Buffer.allocUnsafeSlow(BYTES)
  let used = 0
  return (memory, length) => {
    const read = memory.subarray(0, length)
    if (length > SHORT) return Buffer.from(read)
    if (used + length > BYTES) {
      pool = Buffer.allocUnsafeSlow(BYTES)
      used = 0
    }
    const kept = pool.subarray(used, used + length)
    kept.set(read)
    used += length
    return kept
  }
}
