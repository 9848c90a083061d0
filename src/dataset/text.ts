// A file to its text: read whole, decoded by its byte order mark, else as UTF-8, else as Windows-1252.
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'

export interface FileText {
  /** `sha256:<hex>` of the raw bytes. */
  readonly digest: string
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
  /** Without byte order mark, lines ended by LF alone: line ends belong to the file, not to the question. */
  readonly text: string
  /** Line of the first byte that is not UTF-8, in a file therefore read as Windows-1252. */
  readonly notUtf8Line: number | undefined
}

export type TextReading =
  | { readonly kind: 'text'; readonly file: FileText }
  | { readonly kind: 'refused'; readonly message: string; readonly line?: number }

const FOLDER = 'this is a folder, not a file; name the CSV file in it'
const FORBIDDEN = 'the file may not be read; give yourself the right to read it, or copy it'
const BY_CODE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check its name and the folder you are in',
  ENOTDIR: 'there is no such file, as a part of its path is a file, not a folder; check the path',
  EISDIR: FOLDER,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
}

/** Nothing is thrown but for our own bugs. */
export async function readText(path: string): Promise<TextReading> {
  let bytes: Buffer
  try {
    // Asked of the path first: opening a named pipe would wait for its writer.
    const there = await stat(path)
    if (!there.isFile())
      return refuse(there.isDirectory() ? FOLDER : 'this is no regular file; save it to a file first')
    bytes = await readFile(path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error
    const code = String(error.code)
    return refuse(
      BY_CODE[code] ?? `the file cannot be read (${code}); copy it to another place and try again`,
    )
  }
  const decoded = await decode(bytes)
  if (decoded.kind === 'refused') return decoded
  const text = decoded.text.includes('\r') ? decoded.text.replaceAll(/\r\n?/g, '\n') : decoded.text
  if (text === '') return refuse('the file is empty; it needs a header row and a question')
  const nul = text.indexOf('\0')
  if (nul !== -1)
    return refuse(
      'a NUL byte: the file is no plain text, or UTF-16 without its byte order mark; save it as "CSV UTF-8"',
      lineAt(text, nul),
    )
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  return {
    kind: 'text',
    file: { digest, encoding: decoded.encoding, text, notUtf8Line: decoded.notUtf8Line },
  }
}

type Decoding =
  | ({ readonly kind: 'decoded' } & Pick<FileText, 'encoding' | 'text' | 'notUtf8Line'>)
  | { readonly kind: 'refused'; readonly message: string }

async function decode(bytes: Buffer): Promise<Decoding> {
  const begins = (...mark: number[]): boolean => mark.every((byte, place) => bytes[place] === byte)
  if (begins(0xff, 0xfe, 0, 0) || begins(0, 0, 0xfe, 0xff))
    return { kind: 'refused', message: 'the file is UTF-32, which is not read; save it as "CSV UTF-8"' }
  const encoding = begins(0xff, 0xfe) ? 'utf-16le' : begins(0xfe, 0xff) ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return { kind: 'decoded', encoding, text, notUtf8Line: undefined }
  } catch {
    if (encoding !== 'utf-8')
      return { kind: 'refused', message: 'the file is broken UTF-16; save it again, as "CSV UTF-8"' }
    const lenient = new TextDecoder('utf-8').decode(bytes).replaceAll(/\r\n?/g, '\n')
    // Most files never need its tables.
    const { default: iconv } = await import('iconv-lite')
    const text = iconv.decode(begins(0xef, 0xbb, 0xbf) ? bytes.subarray(3) : bytes, 'windows-1252')
    return {
      kind: 'decoded',
      encoding: 'windows-1252',
      text,
      notUtf8Line: lineAt(lenient, lenient.indexOf('\ufffd')),
    }
  }
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

const refuse = (message: string, line?: number): TextReading => ({
  kind: 'refused',
  message,
  ...(line !== undefined && { line }),
})
