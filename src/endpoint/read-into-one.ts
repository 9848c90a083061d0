// What sockets receive goes through one piece of memory: a piece for each read costs more to get and to free than to copy from.
import type { Received } from './read-at-once.ts'

/** As much as the system reads at once. */
const BYTES = 2 ** 16

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
export const readIntoOne = (): ReadInto => ({
  onread: {
    buffer: Buffer.allocUnsafeSlow(BYTES),
    callback(length, memory) {
      return this.push(Buffer.from(memory.subarray(0, length)))
    },
  },
})
