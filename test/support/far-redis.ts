// A way to a Redis of this machine that takes time: a proxy on loopback that delays bytes, and keeps their order.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface FarRedis {
  readonly port: number
  readonly url: string
  /** Leads new connections to another port, as a name does after a failover. */
  lead(port: number): void
  /** Delays what arrives from now on by that many milliseconds in each direction. */
  delay(ms: number): void
  /** Holds everything back for that many milliseconds. */
  stall(ms: number): void
  /** Ends all connections; new ones are let through. */
  cut(): void
  close(): void
}

export async function startFarRedis(firstPort: number, oneWayMs: number): Promise<FarRedis> {
  let [port, delayMs, stalledUntil] = [firstPort, oneWayMs, 0]
  const sockets = new Set<Socket>()
  const pass = (from: Socket, to: Socket): void => {
    let lastAt = 0
    // No bytes overtake others when the delay falls.
    const later = (act: () => void): void => {
      lastAt = Math.max(lastAt, Date.now() + delayMs, stalledUntil)
      setTimeout(act, lastAt - Date.now())
    }
    sockets.add(from)
    from.on('data', (bytes) => later(() => to.destroyed || to.write(bytes)))
    from.on('close', () => later(() => to.destroy())).on('close', () => sockets.delete(from))
    from.on('error', () => undefined)
  }
  const server = createServer({ noDelay: true }, (socket) => {
    const there = connect({ port, host: '127.0.0.1', noDelay: true })
    pass(socket, there)
    pass(there, socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const at = (server.address() as AddressInfo).port
  return {
    port: at,
    url: `redis://127.0.0.1:${at}`,
    lead: (to) => {
      port = to
    },
    delay: (ms) => {
      delayMs = ms
    },
    stall: (ms) => {
      stalledUntil = Date.now() + ms
    },
    cut,
    close: () => {
      server.close()
      cut()
    },
  }
}
