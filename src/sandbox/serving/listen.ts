// The HTTP edge: reads a request whole, hands it over as a value, and writes what comes back, damage included.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { errorBody } from '../contract.ts'
import { MAX_TIMER_MS } from '../latency.ts'

export interface IncomingCall {
  readonly method: string
  /** Without the query, as it was sent. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array | 'too-large'
}

/** Must not throw. */
export type Answer = (call: IncomingCall) => Delivery

/** A longer idle time than clients keep connections: so they close them, and no request meets a closed one. */
const KEEP_ALIVE_MS = 75_000
/** A body this many times too large is answered before its end, or one without end never would be. */
const DRAIN_FACTOR = 32
/** Who still sends this long after that answer has had the time to read it. */
const DRAIN_MS = 10_000

export interface Listener {
  /** Origin, with the port that was found. */
  readonly url: string
  /** Ends idle and busy connections alike: who stops a sandbox waits for nobody. */
  readonly close: () => Promise<void>
}

/** Rejects where the port is taken or the host is not ours. */
export async function listen(
  host: string,
  port: number,
  maxBodyBytes: number,
  answer: Answer,
): Promise<Listener> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    readBody(request, maxBodyBytes, (body) => {
      const [path, query] = splitOnce(request.url ?? '', '?')
      const { method = '', headers } = request
      deliver(response, answer({ method, path, query: new URLSearchParams(query), headers, body }))
    })
  })
  server.on('clientError', refuseMalformed)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  const found = typeof address === 'object' ? address?.port : port
  return {
    url: `http://${reachable(host)}:${found}`,
    close: async () => stop(server),
  }
}

/** As it stands in a URL; who listens everywhere is reached at home. */
function reachable(host: string): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return name.includes(':') ? `[${name}]` : name
}

async function stop(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function readBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (body: Uint8Array | 'too-large') => void,
): void {
  const chunks: Buffer[] = []
  let length = 0
  let giveUp: NodeJS.Timeout | undefined
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= maxBytes) chunks.push(chunk)
    // The rest is read and thrown away, or the client would never come to read our 413; but not for ever.
    else if (length > maxBytes * DRAIN_FACTOR && giveUp === undefined) {
      giveUp = setTimeout(() => request.socket.destroy(), DRAIN_MS)
      done('too-large')
    }
  })
  request.once('close', () => clearTimeout(giveUp))
  request.once('end', () => {
    clearTimeout(giveUp)
    if (giveUp === undefined) done(length > maxBytes ? 'too-large' : Buffer.concat(chunks))
  })
  // A client that gives up before its request is whole has not called.
  request.once('error', () => request.destroy())
}

/** Not even HTTP: no request object exists, so the one error shape is written by hand. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(errorBody('BAD_REQUEST', 'The request is not valid HTTP.'))
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}

export type Headers = Readonly<Record<string, string>>

export interface WholeForm {
  readonly kind: 'whole'
  readonly status: number
  readonly headers: Headers
  readonly body: string | Uint8Array
}

export type Form =
  | WholeForm
  /** Headers promise the whole body; half of it comes, then the connection closes. */
  | (Omit<WholeForm, 'kind'> & { readonly kind: 'truncated' })
  /** The whole body, in pieces spread over that time. */
  | (Omit<WholeForm, 'kind'> & { readonly kind: 'drip'; readonly overMs: number })
  /** TCP reset without a byte of answer. */
  | { readonly kind: 'reset' }
  /** Nothing, until the client gives up. */
  | { readonly kind: 'hang' }

export interface Delivery {
  readonly form: Form
  /** Milliseconds before it begins. */
  readonly delayMs: number
  /** What the log says of it. */
  readonly note?: string
}

const JSON_HEADERS: Headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
}

export function jsonForm(
  status: number,
  value: unknown,
  headers: Headers = {},
): WholeForm & { body: string } {
  return { kind: 'whole', status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(value) }
}

export const atOnce = (form: Form, note?: string): Delivery =>
  note === undefined ? { form, delayMs: 0 } : { form, delayMs: 0, note }

/** Headers of the form itself win. */
export function withHeaders(form: Form, headers: Headers): Form {
  return 'headers' in form ? { ...form, headers: { ...headers, ...form.headers } } : form
}

/** Time between two pieces of a drip. */
const DRIP_MS = 25

function deliver(response: ServerResponse, { form, delayMs }: Delivery): void {
  if (delayMs <= 0) {
    send(response, form)
    return
  }
  const timer = setTimeout(() => send(response, form), Math.min(delayMs, MAX_TIMER_MS))
  response.once('close', () => clearTimeout(timer))
}

function send(response: ServerResponse, form: Form): void {
  switch (form.kind) {
    case 'whole':
      writeHead(response, form).end(form.body)
      return
    case 'truncated': {
      const bytes = Buffer.from(form.body)
      writeHead(response, form).write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy())
      return
    }
    case 'drip':
      drip(writeHead(response, form), Buffer.from(form.body), form.overMs)
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'hang':
      return
  }
}

function writeHead(response: ServerResponse, form: Extract<Form, { body: unknown }>): ServerResponse {
  return response.writeHead(form.status, { ...form.headers, 'content-length': Buffer.byteLength(form.body) })
}

function drip(response: ServerResponse, bytes: Buffer, overMs: number): void {
  const pieces = Math.max(2, Math.ceil(overMs / DRIP_MS))
  let sent = 0
  const timer = setInterval(() => {
    sent += 1
    const piece = bytes.subarray(
      Math.floor((bytes.length * (sent - 1)) / pieces),
      Math.floor((bytes.length * sent) / pieces),
    )
    if (sent < pieces) response.write(piece)
    else {
      clearInterval(timer)
      response.end(piece)
    }
  }, overMs / pieces)
  response.once('close', () => clearInterval(timer))
}
