// A client that sees the bytes: one request over a socket of its own, and what came back before it ended.
import { connect } from 'node:net'

export interface RawAnswer {
  /** Everything that was received, latin-1. */
  readonly text: string
  readonly bytes: Buffer
  /** How the connection ended: `end` (closed in order), an error code such as ECONNRESET, or `timeout` (by us). */
  readonly ended: string
  /** Milliseconds from the first to the last byte. */
  readonly spreadMs: number
}

export async function sendRaw(url: string, request: string | Buffer, timeoutMs = 30_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let [first, last] = [0, 0]
    const socket = connect(Number(port), hostname, () => socket.write(request))
    const finish = (ended: string): void => {
      socket.destroy()
      const bytes = Buffer.concat(chunks)
      resolve({ text: bytes.toString('latin1'), bytes, ended, spreadMs: last - first })
    }
    socket.on('data', (chunk: Buffer) => {
      last = performance.now()
      if (chunks.length === 0) first = last
      chunks.push(chunk)
    })
    socket.once('end', () => finish('end'))
    socket.once('error', (error: NodeJS.ErrnoException) => finish(error.code ?? 'error'))
    socket.setTimeout(timeoutMs, () => finish('timeout'))
  })
}

/** An Assist request as bytes; asks for the connection to be closed after it. */
export function assistRequest(key: string, body: unknown): string {
  const json = JSON.stringify(body)
  return [
    'POST /api/v1/assist HTTP/1.1',
    'Host: sandbox',
    'Connection: close',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(json)}`,
    '',
    json,
  ].join('\r\n')
}
