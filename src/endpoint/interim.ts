// Interim responses (1xx) precede an answer and say nothing about it (RFC 9110, 15.2).
import { MAX_HEADER_BYTES } from './exchange.ts'

interface Socket {
  read(size?: number): Buffer | null
}

const NO_BYTES = Buffer.alloc(0)
const HEAD_END = '\r\n\r\n'
/** Matches `HTTP/1.1 1xx`; 101 changes the protocol, so that no answer can follow. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d/
const STATUS_LENGTH = 'HTTP/1.1 100'.length

/**
 * Removes interim responses from what the socket reads: undici ends the connection at a `100 Continue` that
 * it did not ask for. Returns a function to call before each request; the next bytes are then its answer.
 */
export function skipInterim(socket: Socket): () => void {
  const read = socket.read.bind(socket)
  let isStart = false
  let held: Buffer = NO_BYTES

  socket.read = (size) => {
    const chunk = read(size)
    if (!isStart || chunk === null) return chunk
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    while (INTERIM.test(held.toString('latin1', 0, STATUS_LENGTH))) {
      const end = held.indexOf(HEAD_END)
      // What has no end is left to undici, which refuses it.
      if (end < 0 && held.length > MAX_HEADER_BYTES) break
      if (end < 0) return null
      held = held.subarray(end + HEAD_END.length)
    }
    if (held.length < STATUS_LENGTH && 'HTTP/1.'.startsWith(held.toString('latin1', 0, 7))) return null
    isStart = false
    return held
  }
  return () => {
    isStart = true
    held = NO_BYTES
  }
}
