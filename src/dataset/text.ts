// A file as UTF-8, whatever it was: decoded by its byte order mark, else as UTF-8, else as Windows-1252.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'

export interface FileText {
  readonly kind: 'text'
  /** `sha256:<hex>` of the raw bytes. */
  readonly digest: string
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
  /** The beginning, in UTF-8. */
  readonly head: Buffer
  /** In UTF-8, lines ended by LF alone: line ends belong to the file, not to the question. */
  readonly pieces: () => AsyncIterable<Buffer> | Iterable<Buffer>
}

export type TextReading =
  FileText | { readonly kind: 'refused'; readonly message: string; readonly line?: number }

const refuse = (message: string, line?: number): TextReading => ({
  kind: 'refused',
  message,
  ...(line !== undefined && { line }),
})

/** Nothing is thrown but for our own bugs. */
export async function openText(path: string): Promise<TextReading> {
  try {
    // Asked of the path first: opening a named pipe would wait for its writer.
    const there = await stat(path)
    if (!there.isFile()) return refuse('this is no file; name the CSV file itself')
    return await examine(path)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    return error.code === 'ENOENT' || error.code === 'ENOTDIR'
      ? refuse('there is no such file; check its name and the folder you are in')
      : refuse(`the file cannot be read (${String(error.code)})`)
  }
}

const PIECE_BYTES = 2 ** 18

/** Sets are small, but results of a run, which are read too, may be larger than what memory should hold. */
async function examine(path: string): Promise<TextReading> {
  const hash = createHash('sha256')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const pieces = (): AsyncIterable<Buffer> => createReadStream(path, { highWaterMark: PIECE_BYTES })
  let head: Buffer | undefined
  let [isPlain, isUtf8, nulAt, line] = [true, true, 0, 1]
  for await (const piece of pieces()) {
    hash.update(piece)
    head ??= piece
    isPlain &&= !piece.includes('\r')
    if (nulAt === 0 && piece.includes(0)) nulAt = line + linesOf(piece.subarray(0, piece.indexOf(0)))
    line += linesOf(piece)
    try {
      if (isUtf8) decoder.decode(piece, { stream: true })
    } catch {
      isUtf8 = false
    }
  }
  const begins = (...mark: number[]): boolean => mark.every((byte, place) => head?.[place] === byte)
  const marked = begins(0xff, 0xfe) ? 'utf-16le' : begins(0xfe, 0xff) ? 'utf-16be' : undefined
  const encoding = marked ?? (isUtf8 ? 'utf-8' : 'windows-1252')
  const digest = `sha256:${hash.digest('hex')}`
  if (nulAt > 0 && marked === undefined)
    return refuse(
      'a NUL byte: the file is no plain text, or UTF-16 without its byte order mark; save it as "CSV UTF-8"',
      nulAt,
    )
  if (head !== undefined && encoding === 'utf-8' && isPlain && head.length > MARK_BYTES)
    return { kind: 'text', digest, encoding, head, pieces }
  // Node's own decoder leaves 0x80 to 0x9F of Windows-1252 as control characters. Most files never need these tables.
  const { default: iconv } = await import('iconv-lite')
  const text = iconv.decode(await readFile(path), encoding).replace(/^ï»¿/, '')
  if (text.trim() === '') return refuse('the file is empty; it needs a header row and a question')
  const bytes = Buffer.from(text.replaceAll(/\r\n?/g, '\n'))
  return { kind: 'text', digest, encoding, head: bytes, pieces: () => [bytes] }
}

/** A byte order mark alone is an empty file. */
const MARK_BYTES = 3

function linesOf(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf('\n'); at !== -1; at = bytes.indexOf('\n', at + 1)) count += 1
  return count
}
