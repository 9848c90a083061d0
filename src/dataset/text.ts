// Reads a text file as UTF-8. Encoding: by byte order mark, else UTF-8 if valid, else Windows-1252.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { FileMessage, FileMessages } from './messages.ts'

export interface FileText {
  /** It is `sha256:<hex>` of the raw bytes. */
  readonly digest: string
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
  /** The text begins so, in UTF-8. */
  readonly head: Buffer
  /** The text has LF line ends, in UTF-8. */
  readonly chunks: () => AsyncIterable<Buffer> | Iterable<Buffer>
}

export async function openText(path: string, messages: FileMessages): Promise<FileText | undefined> {
  try {
    // Check before opening: opening a named pipe would block until a writer opens it.
    const stats = await stat(path)
    if (stats.isFile()) return await examine(path, messages)
    messages.fail({ message: 'this is not a file; name the CSV file itself' })
  } catch (error) {
    const message = describeFileError(error)
    if (message === undefined) throw error
    messages.fail({ message })
  }
  return undefined
}

/** Returns undefined for an error that is not about the file. */
export function describeFileError(error: unknown): string | undefined {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return undefined
  return error.code === 'ENOENT' || error.code === 'ENOTDIR'
    ? 'no such file; check its name and the current folder'
    : `the file cannot be read (${String(error.code)})`
}

/** Decodes a whole file that is no table, without its byte order mark. */
export async function decodeText(content: Buffer): Promise<string> {
  const encoding = encodingOfMark(content)
  try {
    if (encoding === undefined) return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    // Not UTF-8.
  }
  const { default: iconv } = await import('iconv-lite')
  return iconv.decode(content, encoding ?? 'windows-1252')
}

const CHUNK_BYTES = 2 ** 18

/** Streams the file: the results of a run may be too large for memory. */
async function examine(path: string, messages: FileMessages): Promise<FileText | undefined> {
  const chunks = (): AsyncIterable<Buffer> => createReadStream(path, { highWaterMark: CHUNK_BYTES })
  const hash = createHash('sha256')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let head: Buffer = Buffer.alloc(0)
  let [hasReturns, isUtf8] = [false, true]
  const decode = (chunk?: Buffer): void => {
    try {
      if (isUtf8) decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      isUtf8 = false
    }
  }
  for await (const chunk of chunks()) {
    hash.update(chunk)
    if (head.length === 0) head = chunk
    hasReturns ||= chunk.includes('\r')
    decode(chunk)
  }
  // Fails where the file ends within a character.
  decode()
  const digest = `sha256:${hash.digest('hex')}`
  const encoding = encodingOfMark(head) ?? (isUtf8 ? 'utf-8' : 'windows-1252')
  if (encoding === 'utf-8' && !hasReturns) return { digest, encoding, head, chunks }
  // Node's decoder maps 0x80 to 0x9F of Windows-1252 to control characters. Few files need iconv.
  const { default: iconv } = await import('iconv-lite')
  const content = await readFile(path)
  if (encoding === 'windows-1252') {
    const faults = findDamage(content.toString('utf8'))
    faults.forEach(messages.fail)
    if (faults.length > 0) return undefined
    const message =
      'the file is not UTF-8 and is read as Windows-1252; if letters look wrong, save it as "CSV UTF-8"'
    messages.warn({ message })
  }
  const bytes = Buffer.from(iconv.decode(content, encoding).replaceAll(/\r\n?/g, '\n'))
  const pieces = function* (): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
  }
  return { digest, encoding, head: bytes.subarray(0, CHUNK_BYTES), chunks: pieces }
}

/**
 * Finds lines with bytes that are not UTF-8, where a byte order mark, or at least as many characters that can
 * hardly be anything else, show that the file is UTF-8. `text` has U+FFFD for these bytes.
 */
function findDamage(text: string): FileMessage[] {
  const damaged = text.match(/\ufffd/g)?.length ?? 0
  const others = text.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0
  if (!text.startsWith('\ufeff') && others < damaged) return []
  const message =
    'this line is not UTF-8, but the rest of the file is; correct its damaged letters, and save the ' +
    'file as "CSV UTF-8"'
  return text
    .split(/\r\n?|\n/)
    .flatMap((line, index) => (line.includes('\ufffd') ? [{ line: index + 1, message }] : []))
}

function encodingOfMark([first, second]: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}
