// A way to a Redis of this machine that takes time: a proxy on loopback that delays bytes, and keeps their order.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type FarRedis = Awaited<ReturnType<typeof startFarRedis>>

export async function startFarRedis(firstPort: number, oneWayMs: number) {
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
    /** Leads new connections to another port, as a name does after a failover. */
    lead: (to: number) => {
      port = to
    },
    /** Delays what arrives from now on in each direction. */
    delay: (ms: number) => {
      delayMs = ms
    },
    stall: (ms: number) => {
      stalledUntil = Date.now() + ms
    },
    /** Ends all connections; new ones are let through. */
    cut,
    close: () => {
      server.close()
      cut()
    },
  }
}
