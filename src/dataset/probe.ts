// The first reading of a file: its digest, its encoding, and its beginning. Nothing is kept of the rest.
import { createHash } from 'node:crypto'
import { findByteOrderMark, type Encoding } from './encoding.ts'
import type { Source } from './source.ts'
import { Utf8Check } from './utf8.ts'

const HEAD_BYTES = 65_536

export interface Probe {
  /** `sha256:<hex>` of the raw bytes. */
  readonly digest: string
  readonly encoding: Encoding
  /** Bytes of the byte order mark, which is no text. */
  readonly start: number
  /** Up to 64 KiB from `start` on. */
  readonly head: Buffer
  /** Whether the head is the whole file. */
  readonly isWhole: boolean
  /** Line of the first byte that is not UTF-8, in a file therefore read as Windows-1252. */
  readonly notUtf8Line: number | undefined
}

export type Probing =
  { readonly kind: 'text'; readonly probe: Probe } | { readonly kind: 'refused'; readonly message: string }

export async function probeSource(source: Source): Promise<Probing> {
  const hash = createHash('sha256')
  const check = new Utf8Check()
  const head: Buffer[] = []
  let size = 0
  for await (const chunk of source.chunks()) {
    hash.update(chunk)
    check.write(chunk)
    if (size < HEAD_BYTES) head.push(Buffer.from(chunk))
    size += chunk.length
  }
  check.end()
  return describe(Buffer.concat(head), size, `sha256:${hash.digest('hex')}`, check.brokenLine)
}

function describe(head: Buffer, size: number, digest: string, brokenLine: number | undefined): Probing {
  const mark = findByteOrderMark(head)
  if (mark?.encoding === 'utf-32')
    return { kind: 'refused', message: 'the file is UTF-32, which is not read; save it as "CSV UTF-8"' }
  const start = mark?.length ?? 0
  if (size === start)
    return { kind: 'refused', message: 'the file is empty; it needs a header row and a question' }
  const isUtf16 = mark !== undefined && mark.encoding !== 'utf-8'
  const encoding = isUtf16 ? mark.encoding : brokenLine === undefined ? 'utf-8' : 'windows-1252'
  return {
    kind: 'text',
    probe: {
      digest,
      encoding,
      start,
      head: head.subarray(start, HEAD_BYTES),
      isWhole: size <= HEAD_BYTES,
      notUtf8Line: isUtf16 ? undefined : brokenLine,
    },
  }
}
