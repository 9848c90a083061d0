// The HTTP server: reads a request, calls its route, writes the answer, including deliberately broken ones.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { errorBody, MAX_REQUEST_BYTES, REFUSALS, type AssistRefusal } from './contract.ts'

export interface IncomingCall {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array | 'too-large'
}

export type Headers = Readonly<Record<string, string>>

/** Sends a body. `truncated` closes after half of it, `drip` sends it in pieces. */
export interface BodyResponse {
  readonly kind: 'whole' | 'truncated' | 'drip'
  readonly status: number
  readonly headers: Headers
  readonly body: string | Uint8Array
  readonly overMs?: number
}

/** Writes a body, or `reset`: a TCP reset before any byte, or `hang`: nothing until a disconnect. */
export type WireResponse = (BodyResponse | { readonly kind: 'reset' | 'hang' }) & {
  readonly delayMs?: number
}

export interface HttpRoute {
  readonly method: 'GET' | 'POST'
  /** Matches the whole path; its first group is the parameter. */
  readonly path: RegExp
  readonly handle: (call: IncomingCall, parameter: string) => WireResponse
}

const JSON_HEADERS: Headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
}

export function jsonResponse(status: number, value: unknown, headers: Headers = {}): BodyResponse {
  return { kind: 'whole', status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(value) }
}

export function refusalResponse({ cause, message, details, headers }: AssistRefusal): BodyResponse {
  const { status, code } = REFUSALS[cause]
  return jsonResponse(status, errorBody(code, message, details), headers)
}

/** Is longer than clients keep idle connections: no client sends on one that was just closed. */
const KEEP_ALIVE_MS = 75_000

type Notice = (line: string) => void

const HOST = '127.0.0.1'

/** Listens at `url`, the origin with the actual port. Rejects if the server cannot listen on this port. */
export async function listen(port: number, routes: readonly HttpRoute[], notice: Notice) {
  // Loaded late: the schema of faults, which every run loads, is made of these responses.
  const { createServer } = await import('node:http')
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, target) => {
    readBody(request, (body) => {
      const { method = '', headers, url = '' } = request
      const [path = '', ...query] = url.split('?')
      const call = { method, path, query: new URLSearchParams(query.join('?')), headers, body }
      const response = answer(call, routes, notice)
      const { delayMs = 0 } = response
      if (delayMs <= 0) return send(target, response)
      const timer = setTimeout(() => send(target, response), delayMs)
      target.once('close', () => clearTimeout(timer))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, resolve)
  })
  const address = server.address()
  const found = typeof address === 'object' ? address?.port : port
  return {
    url: `http://${HOST}:${found}`,
    // Busy connections are closed, too: stopping must not wait for a client.
    close: async () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Drains a body that is too large: many clients read the 413 only after they have sent everything. */
function readBody(request: IncomingMessage, done: (body: IncomingCall['body']) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= MAX_REQUEST_BYTES) chunks.push(chunk)
  })
  request.once('end', () => done(length > MAX_REQUEST_BYTES ? 'too-large' : Buffer.concat(chunks)))
  // The client disconnected before the request was complete: there is nothing to answer or record.
  request.once('error', () => request.destroy())
}

function answer(call: IncomingCall, routes: readonly HttpRoute[], notice: Notice): WireResponse {
  try {
    return route(routes, call)
  } catch (error) {
    notice(`internal error: ${(error as Error).stack}`)
    return refusalResponse({ cause: 'internal', message: 'Internal error of the sandbox.' })
  }
}

/** Checks path and method before the key: the API is public, so 404 and 405 need no key. */
function route(routes: readonly HttpRoute[], call: IncomingCall): WireResponse {
  const match = routes.find(({ path }) => path.test(call.path))
  if (match === undefined) return refusalResponse({ cause: 'not_found', message: 'Not found.' })
  const { method: allow, path, handle } = match
  if (allow === call.method) return handle(call, path.exec(call.path)?.[1] ?? '')
  const message = `The method must be ${allow}.`
  return refusalResponse({ cause: 'method_not_allowed', message, headers: { allow } })
}

function send(target: ServerResponse, response: WireResponse): void {
  if (!('body' in response)) {
    if (response.kind === 'reset') target.socket?.resetAndDestroy()
    return
  }
  const bytes = Buffer.from(response.body)
  target.writeHead(response.status, { ...response.headers, 'content-length': bytes.length })
  switch (response.kind) {
    case 'whole':
      target.end(bytes)
      return
    case 'truncated':
      target.write(bytes.subarray(0, bytes.length >> 1), () => target.socket?.destroy())
      return
    case 'drip':
      drip(target, bytes, response.overMs ?? 0)
      return
  }
}

const DRIP_MS = 25

function drip(target: ServerResponse, bytes: Buffer, overMs: number): void {
  const pieces = Math.max(2, Math.ceil(overMs / DRIP_MS))
  const end = (piece: number): number => Math.floor((bytes.length * piece) / pieces)
  let sent = 0
  const timer = setInterval(() => {
    target.write(bytes.subarray(end(sent), end(sent + 1)))
    sent += 1
    if (sent < pieces) return
    clearInterval(timer)
    target.end()
  }, overMs / pieces)
  target.once('close', () => clearInterval(timer))
}
