// A proxy for tests: it opens tunnels (CONNECT) to endpoints of this machine, whatever host they name.
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Identity } from './endpoint.ts'

export type TestProxy = Awaited<ReturnType<typeof startProxy>>

export interface ProxyRules {
  /** Where every tunnel ends. */
  readonly port: number
  /** `user:password` without which it answers 407. */
  readonly login?: string
  /** Answers every CONNECT with this status; 0 closes the connection, undefined never answers. */
  readonly refuses?: number | undefined
  /** It refuses this many only; all by default. */
  readonly refusals?: number
  /** It is reached by TLS itself. */
  readonly identity?: Identity
}

export async function startProxy(rules: ProxyRules) {
  const tunnels: string[] = []
  const sockets = new Set<Socket>()
  const { identity } = rules
  const server = identity === undefined ? createServer() : createTlsServer(identity)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  // Anything but a tunnel is a fault of the client.
  server.on('request', (_request, response) => response.writeHead(405).end('CONNECT only'))
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined)
    tunnels.push(request.url ?? '')
    const status = statusFor(request, rules, tunnels.length)
    if (status === undefined) return
    if (status === 0) return void socket.destroy()
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 4\r\n\r\nnope`)
    const there = connect(rules.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      there.pipe(socket)
      socket.pipe(there)
    })
    there.on('error', () => socket.destroy())
    there.on('close', () => socket.destroy())
    socket.on('close', () => there.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `${identity === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    /** What was asked of it, refused or not: `desk.example.com:443`. */
    tunnels,
    close: async () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** `number`: which tunnel is asked for, from 1. Undefined: it says nothing. */
function statusFor({ headers }: IncomingMessage, rules: ProxyRules, number: number): number | undefined {
  const { login, refusals = Infinity } = rules
  if ('refuses' in rules && number <= refusals) return rules.refuses
  const basic = `Basic ${Buffer.from(login ?? '').toString('base64')}`
  return login === undefined || headers['proxy-authorization'] === basic ? 200 : 407
}
