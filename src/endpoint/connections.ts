// Connections to one origin, each carrying one request at a time; what finds none free waits its turn.
import { buildConnector, Client, type Dispatcher } from 'undici'
import { writeAsOne } from './one-write.ts'
import { readAtOnce } from './read-at-once.ts'
import { readIntoOne } from './read-into-one.ts'

/** undici's client of one connection; it connects again by itself. */
export type Connection = Client

/** One request and what comes of it, as undici tells it. It frees its connection when undici is done with it. */
export interface Passenger extends Dispatcher.DispatchHandler {
  connection: Connection | undefined
}

export interface Connections {
  /** Sends the request as soon as a connection is free. */
  dispatch(request: Dispatcher.DispatchOptions, passenger: Passenger): void
  /** The passenger's connection is free again; `isSound` false where it never came to be. */
  free(passenger: Passenger, isSound: boolean): void
  /** Breaks every connection; what is under way fails. */
  destroy(): Promise<void>
}

/**
 * `most`: connections at most, opened as they are needed. undici's own Pool does the same with a look at every connection
 * for each request, and events between: a tenth of what a call costs. The last one freed is the next one taken, and a
 * request that follows an answer at once goes out with the next turn of the event loop.
 */
export function createConnections(origin: string, most: number, connectTimeoutMs: number): Connections {
  // One for all of them: they share its TLS sessions.
  const connector = buildConnector({ timeout: connectTimeoutMs, ...readIntoOne() })
  const connect: buildConnector.connector = (options, callback) =>
    connector(options, (...result) => {
      if (result[0] === null) {
        writeAsOne(result[1])
        readAtOnce(result[1])
      }
      callback(...result)
    })
  const open = new Set<Client>()
  const idle: Client[] = []
  let isClosed = false
  const waiting: { readonly request: Dispatcher.DispatchOptions; readonly passenger: Passenger }[] = []

  const openOne = (): Client => {
    const client = new Client(origin, {
      connect,
      pipelining: 1,
      // These are idle timers; the deadline bounds the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    open.add(client)
    return client
  }
  const take = (): Client | undefined => idle.pop() ?? (open.size < most ? openOne() : undefined)

  return {
    dispatch: (request, passenger) => {
      if (isClosed) {
        passenger.onError?.(new Error('the client is closed'))
        return
      }
      const connection = take()
      if (connection === undefined) {
        waiting.push({ request, passenger })
        return
      }
      passenger.connection = connection
      connection.dispatch(request, passenger)
    },
    free: (passenger, isSound) => {
      const { connection } = passenger
      if (connection === undefined) return
      passenger.connection = undefined
      if (isSound) idle.push(connection)
      else {
        open.delete(connection)
        connection.destroy().catch(() => undefined)
      }
      if (isClosed) return
      const next = waiting.shift()
      const free = next === undefined ? undefined : take()
      if (next === undefined || free === undefined) return
      next.passenger.connection = free
      free.dispatch(next.request, next.passenger)
    },
    destroy: async () => {
      isClosed = true
      for (const { passenger } of waiting.splice(0)) passenger.onError?.(new Error('the client is closed'))
      await Promise.all([...open].map(async (client) => client.destroy()))
    },
  }
}
