// Unpacks a compressed body, within bounds.
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { MAX_BODY_BYTES } from './exchange.ts'
import { failureCode } from './failure.ts'

const unpackers = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
}

/** Whether a body with that content-encoding is to be unpacked before it is read. */
export function isPacked(encoding: string): boolean {
  const name = encoding.trim().toLowerCase()
  return name !== '' && name !== 'identity'
}

/** Compressed answers were not asked for, but proxies send them; bounded, since a bomb is small when packed. */
export async function unpack(body: Buffer, encoding: string): Promise<Buffer | 'oversize' | 'corrupt'> {
  const name = encoding.trim().toLowerCase()
  const unpacker = Object.entries(unpackers).find(([known]) => known === name)?.[1]
  if (unpacker === undefined) return 'corrupt'
  try {
    return await unpacker(body, { maxOutputLength: MAX_BODY_BYTES })
  } catch (error) {
    return failureCode(error) === 'ERR_BUFFER_TOO_LARGE' ? 'oversize' : 'corrupt'
  }
}
