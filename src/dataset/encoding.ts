// Bytes to text: the encodings a spreadsheet saves, and how a file shows which one it is in.
import { decodeWindows1252 } from './windows-1252.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export interface ByteOrderMark {
  readonly encoding: Encoding | 'utf-32'
  readonly length: number
}

/** The byte order mark at the beginning of a file. UTF-32's begins like UTF-16's and is told first. */
export function findByteOrderMark(head: Buffer): ByteOrderMark | undefined {
  const begins = (...bytes: number[]): boolean =>
    head.length >= bytes.length && bytes.every((byte, index) => head[index] === byte)
  if (begins(0xff, 0xfe, 0, 0) || begins(0, 0, 0xfe, 0xff)) return { encoding: 'utf-32', length: 4 }
  if (begins(0xef, 0xbb, 0xbf)) return { encoding: 'utf-8', length: 3 }
  if (begins(0xff, 0xfe)) return { encoding: 'utf-16le', length: 2 }
  if (begins(0xfe, 0xff)) return { encoding: 'utf-16be', length: 2 }
  return undefined
}

export interface Decoder {
  /** The text of the bytes so far; a character cut in two waits for its other half. Throws on broken UTF-16. */
  readonly write: (bytes: Buffer) => string
  readonly end: () => string
}

export function createDecoder(encoding: Encoding): Decoder {
  if (encoding === 'windows-1252') return { write: decodeWindows1252, end: () => '' }
  // UTF-8 was proven valid by the first reading; UTF-16 is proven here.
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() }
}

/** Text of a file's beginning, where the last character may be cut off. */
export function decodeHead(head: Buffer, encoding: Encoding): string {
  if (encoding === 'windows-1252') return decodeWindows1252(head)
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(head, { stream: true })
}
