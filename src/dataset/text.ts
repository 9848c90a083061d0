// A file to its text, piece by piece: decoded by its byte order mark, else as UTF-8, else as Windows-1252.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { TextDecoder } from 'node:util'

export interface FileText {
  /** `sha256:<hex>` of the raw bytes. */
  readonly digest: string
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
  /** Without byte order mark, lines ended by LF alone: line ends belong to the file, not to the question. Reads the file again. */
  readonly pieces: () => AsyncIterable<string>
  /** Line of the first byte that is not UTF-8, in a file therefore read as Windows-1252. */
  readonly notUtf8Line: number | undefined
}

export type TextReading =
  | { readonly kind: 'text'; readonly file: FileText }
  | { readonly kind: 'refused'; readonly message: string; readonly line?: number }

const FOLDER = 'this is a folder, not a file; name the CSV file in it'
const NUL =
  'a NUL byte: the file is no plain text, or UTF-16 without its byte order mark; save it as "CSV UTF-8"'
const FORBIDDEN = 'the file may not be read; give yourself the right to read it, or copy it'
const BY_CODE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check its name and the folder you are in',
  ENOTDIR: 'there is no such file, as a part of its path is a file, not a folder; check the path',
  EISDIR: FOLDER,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
}

/** Reads all of it once, for its digest and encoding. Nothing is thrown but for our own bugs. */
export async function openText(path: string): Promise<TextReading> {
  try {
    // Asked of the path first: opening a named pipe would wait for its writer.
    const there = await stat(path)
    if (!there.isFile())
      return refuse(there.isDirectory() ? FOLDER : 'this is no regular file; save it to a file first')
    return await examine(path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error
    const code = String(error.code)
    return refuse(
      BY_CODE[code] ?? `the file cannot be read (${code}); copy it to another place and try again`,
    )
  }
}

async function examine(path: string): Promise<TextReading> {
  const hash = createHash('sha256')
  let encoding: FileText['encoding'] | undefined
  const see = (bytes: Buffer): void => {
    hash.update(bytes)
    encoding ??= encodingOf(bytes)
  }
  let [line, isEmpty] = [1, true]
  try {
    for await (const text of piecesOf(path, see)) {
      const nul = text.indexOf('\0')
      if (nul !== -1) return refuse(NUL, line - 1 + lineAt(text, nul))
      line += lineAt(text, text.length) - 1
      isEmpty &&= text === ''
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return encoding === 'utf-8' ? readLegacy(path) : refuse(error.message)
  }
  if (isEmpty) return refuse('the file is empty; it needs a header row and a question')
  const digest = `sha256:${hash.digest('hex')}`
  const pieces = (): AsyncIterable<string> => piecesOf(path)
  return { kind: 'text', file: { digest, encoding: encoding ?? 'utf-8', pieces, notUtf8Line: undefined } }
}

const begins = (bytes: Buffer, ...mark: number[]): boolean =>
  mark.every((byte, place) => bytes[place] === byte)

/** By the first bytes of a file. Throws TypeError for UTF-32. */
function encodingOf(bytes: Buffer): FileText['encoding'] {
  if (begins(bytes, 0xff, 0xfe, 0, 0) || begins(bytes, 0, 0, 0xfe, 0xff))
    throw new TypeError('the file is UTF-32, which is not read; save it as "CSV UTF-8"')
  return begins(bytes, 0xff, 0xfe) ? 'utf-16le' : begins(bytes, 0xfe, 0xff) ? 'utf-16be' : 'utf-8'
}

const PIECE_BYTES = 2 ** 18

/** Throws TypeError for what is not of its encoding. `see` gets the raw bytes first. */
async function* piecesOf(
  path: string,
  see: (bytes: Buffer) => void = () => undefined,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let held = ''
  for await (const bytes of createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
    see(bytes)
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true })
    const text = held + decode(decoder, bytes)
    // It may be the first half of a line's end.
    held = text.endsWith('\r') ? '\r' : ''
    yield withPlainEnds(held === '' ? text : text.slice(0, -1))
  }
  yield withPlainEnds(held + (decoder === undefined ? '' : decode(decoder)))
}

function decode(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw new TypeError('the file is broken UTF-16; save it again, as "CSV UTF-8"')
  }
}

const withPlainEnds = (text: string): string => (text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text)

/** Few are, and none is large. */
async function readLegacy(path: string): Promise<TextReading> {
  const bytes = await readFile(path)
  // Most files never need its tables.
  const { default: iconv } = await import('iconv-lite')
  const text = withPlainEnds(
    iconv.decode(begins(bytes, 0xef, 0xbb, 0xbf) ? bytes.subarray(3) : bytes, 'windows-1252'),
  )
  const nul = text.indexOf('\0')
  if (nul !== -1) return refuse(NUL, lineAt(text, nul))
  const lenient = withPlainEnds(new TextDecoder('utf-8').decode(bytes))
  return {
    kind: 'text',
    file: {
      digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
      encoding: 'windows-1252',
      pieces: async function* () {
        yield text
      },
      notUtf8Line: lineAt(lenient, lenient.indexOf('\ufffd')),
    },
  }
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

const refuse = (message: string, line?: number): TextReading => ({
  kind: 'refused',
  message,
  ...(line !== undefined && { line }),
})
