// Many lines in one piece of memory, ready to be written at once: one text and one write into it for all, no buffer a line.
import { crc32 } from 'node:zlib'

/** What is kept between two writes; an answer of megabytes does not stay in memory. */
const KEPT_BYTES = 2 ** 20
/** UTF-8 takes three bytes at most for what is one unit of a string. */
const MOST_BYTES_A_UNIT = 3

/** Behind an object, whose end becomes a comma; the digits are written over once they are known. */
const END = '"sum":"00000000"}\n'
const END_BYTES = END.length
const DIGITS_AT = '"sum":"'.length
const HEX = Buffer.from('0123456789abcdef')
const [COMMA, NEWLINE] = Buffer.from(',\n') as unknown as readonly [number, number]

/** JSON objects as one text, each ready to become a line. */
export interface Lines {
  readonly text: string
  /** Of each object with what comes behind it, in the units of a string. */
  readonly lengths: readonly number[]
}

export function joinLines(objects: readonly string[]): Lines {
  const lines = objects.map((object) => object + END)
  return { text: lines.join(''), lengths: lines.map(({ length }) => length) }
}

/** The bytes of the lines, each with its object's sum as the last field: to be used before the next are made. */
export type SumLines = (lines: Lines) => Buffer

export function createSumLines(): SumLines {
  const kept = Buffer.allocUnsafeSlow(KEPT_BYTES)

  return ({ text, lengths }) => {
    const fits = text.length * MOST_BYTES_A_UNIT <= KEPT_BYTES
    const needed = fits ? 0 : Buffer.byteLength(text)
    const bytes = needed <= KEPT_BYTES ? kept : Buffer.allocUnsafeSlow(needed)
    const size = bytes.write(text)
    // As many bytes as units: each is one, and the lengths are those of the lines. Else the ends are looked for.
    const isAscii = size === text.length
    let start = 0
    for (const length of lengths) {
      const end = isAscii ? start + length : bytes.indexOf(NEWLINE, start) + 1
      addSum(bytes, start, end - END_BYTES)
      start = end
    }
    return bytes.subarray(0, size)
  }
}

/** `end`: of the object that begins at `start`. */
function addSum(bytes: Buffer, start: number, end: number): void {
  // Half the cost of a Buffer of them; the memory is its own, so the places in it are the same.
  const sum = crc32(new Uint8Array(bytes.buffer, start, end - start))
  bytes[end - 1] = COMMA
  for (let place = end + DIGITS_AT, shift = 28; shift >= 0; place += 1, shift -= 4)
    bytes[place] = HEX[(sum >>> shift) & 15] ?? 0
}
