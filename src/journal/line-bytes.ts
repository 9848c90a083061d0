// Many lines in one piece of memory, ready to be written at once: no buffer a line, and no copy.
import { crc32 } from 'node:zlib'

/** What is kept between two writes; an answer of megabytes does not stay in memory. */
const KEPT_BYTES = 2 ** 20
/** Of the sum and the end of a line, and to spare. */
const END_BYTES = 64
/** UTF-8 takes three bytes at most for what is one unit of a string. */
const MOST_BYTES_A_UNIT = 3

const SUM = Buffer.from(',"sum":"')
const HEX = Buffer.from('0123456789abcdef')
const [QUOTE, BRACE, NEWLINE] = Buffer.from('"}\n') as unknown as readonly [number, number, number]

export interface LineBytes {
  /** A JSON object as text, with its sum as the last field and the end of the line behind it. */
  add(text: string): void
  /** All that was added since, to be used before the next is. */
  take(): Buffer
}

export function createLineBytes(): LineBytes {
  let bytes = Buffer.allocUnsafeSlow(KEPT_BYTES)
  let end = 0

  const makeRoom = (needed: number): void => {
    if (end + needed <= bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, end + needed))
    bytes.copy(larger, 0, 0, end)
    bytes = larger
  }
  return {
    add: (text) => {
      makeRoom(text.length * MOST_BYTES_A_UNIT + END_BYTES)
      const start = end
      end += bytes.write(text, start)
      // Half the cost of a Buffer of them; the memory is its own, so the places in it are the same.
      const sum = crc32(new Uint8Array(bytes.buffer, start, end - start))
      // The sum goes in before the object's end.
      end -= 1
      for (const byte of SUM) bytes[end++] = byte
      for (let shift = 28; shift >= 0; shift -= 4) bytes[end++] = HEX[(sum >>> shift) & 15] ?? 0
      bytes[end++] = QUOTE
      bytes[end++] = BRACE
      bytes[end++] = NEWLINE
    },
    take: () => {
      const all = bytes.subarray(0, end)
      end = 0
      if (bytes.length > KEPT_BYTES) bytes = Buffer.allocUnsafeSlow(KEPT_BYTES)
      return all
    },
  }
}
