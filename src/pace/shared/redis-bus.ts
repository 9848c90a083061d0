// The way between the processes of an organization through one Redis server (6 or newer), or one node of a cluster.
import { Redis, type RedisOptions } from 'ioredis'
import { holderOf, type Bus } from './bus.ts'
import { rehearse } from './rehearsal.ts'
import { CLAIM, PUBLISH, REHEARSE, RELEASE } from './scripts.ts'
import { LEASE_MS } from './times.ts'

/** Other versions of what is said or kept do not meet. */
const FORMAT = 'v1'
const CONNECT_MS = 5000
const ANSWER_MS = 1500
const LONGEST_RETRY_MS = 1000
const GOODBYE_MS = 1000
/** A connection that was ended here, and that the other side does not end, is cut off. */
const CUT_OFF_MS = 200

export interface RedisAddress {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly database: number
  readonly username: string | undefined
  readonly password: string | undefined
}

export interface BusOptions {
  readonly address: RedisAddress
  /** Hex: names the organization without telling its name. */
  readonly organization: string
  /** Of this process: hex. */
  readonly id: string
}

/** Rejects with what Redis or the network said where it cannot be used. No message of ours holds name or password. */
export async function connectBus({ address, organization, id }: BusOptions): Promise<Bus> {
  const prefix = `assist-harness:{${organization}}:${FORMAT}:`
  const lease = `${prefix}lease`
  const fence = `${prefix}fence`
  const published = `${prefix}published`
  const toAll = `${prefix}all`
  const to = `${prefix}to:`
  let isConnected = false
  let readOnlyAt = -Infinity
  const options: Options = {
    ...optionsOf(address, () => isConnected),
    // Where another has become the master, its address leads to it: only a new connection goes there.
    reconnectOnError: ({ message }) => {
      const now = performance.now()
      if (message.includes('READONLY') && now - readOnlyAt > LONGEST_RETRY_MS) {
        readOnlyAt = now
        for (const one of both) one.disconnect(true)
      }
      return false
    },
  }
  const commands = new Redis({ ...options, commandTimeout: ANSWER_MS })
  const listener = new Redis({ ...options, commandTimeout: ANSWER_MS })
  const both = [commands, listener]
  let isSubscribed = false
  const subscribe = async (): Promise<void> => {
    await listener.subscribe(toAll, to + id)
    isSubscribed = true
  }
  /** Why there is no connection now. */
  let trouble: Error | undefined
  for (const one of both)
    one.on('error', (error: Error) => {
      trouble = error
    })
  const texts: ((text: string) => void)[] = []
  let onConnection: ((isUp: boolean) => void) | undefined

  await connectBoth(both, async () => {
    // The client's own choice of it fails unheard, and leaves database 0.
    if (address.database !== 0) await commands.select(address.database)
    await subscribe()
    await rehearse(async () => commands.eval(REHEARSE, 1, `${prefix}rehearsal:${id}`, to + id))
  })
  isConnected = true
  listener.on('message', (_channel: string, text: string) => {
    for (const tell of texts) tell(text)
  })
  let wasUp = true
  const look = (): void => {
    const isUp = isSubscribed && both.every(({ status }) => status === 'ready')
    if (isUp === wasUp) return
    wasUp = isUp
    if (isUp) trouble = undefined
    onConnection?.(isUp)
  }
  const hear = async (): Promise<void> => {
    if (isSubscribed) await listener.ping()
    else await subscribe().then(look)
  }
  listener.on('close', () => {
    isSubscribed = false
  })
  // Where that fails, it is tried again with the next claim.
  listener.on('ready', () => void hear().catch(ignore))
  for (const one of both) for (const event of ['ready', 'close', 'end']) one.on(event, look)

  /** Who hears nothing gets no leave, and must not hold the lease: that way must stand first. */
  const claimHeard = async (request: readonly (string | number)[]): Promise<unknown> => {
    await answered(listener, hear())
    return answered(commands, commands.eval(CLAIM, 3, ...request))
  }

  return {
    claim: async (highest, suspect, office) => {
      const request = [lease, fence, published, id, LEASE_MS, highest, suspect ?? '', to, office ?? '']
      const reply = await claimHeard(request).catch((error: unknown) => {
        throw both.some(({ status }) => status !== 'ready') && trouble !== undefined ? trouble : error
      })
      const [term, isNew, age, text] = reply as [string, number, string?, string?]
      return {
        term,
        isNew: isNew === 1,
        published: text === undefined ? undefined : { text, ageMs: Number(age) },
      }
    },
    publish: async (term, member, text, kept = '') => {
      const channel = member === 'all' ? toAll : to + member
      const receivers = await commands.eval(PUBLISH, 2, lease, published, term, channel, text, kept)
      return receivers === -1 ? 'deposed' : Number(receivers)
    },
    send: async (term, text) => commands.publish(to + holderOf(term), text),
    release: async (term, text) => {
      const vacant = JSON.stringify({ kind: 'vacant' })
      await commands.eval(RELEASE, 2, lease, published, term, toAll, vacant, text)
    },
    onMessage: (tell) => texts.push(tell),
    onConnection: (tell) => {
      onConnection = tell
    },
    close: async () => {
      onConnection = undefined
      await within(GOODBYE_MS, commands.quit()).catch(() => undefined)
      for (const one of both) one.disconnect()
    },
  }
}

type Options = RedisOptions & { replyMapping?: 'legacy' }

function optionsOf(address: RedisAddress, isConnected: () => boolean): Options {
  const { host, port, tls, database, username, password } = address
  return {
    host,
    port,
    db: database,
    ...(tls ? { tls: {} } : {}),
    // A user is named always: without one, the client complains on our screen where no password would be needed.
    // And a user may need no password (`nopass`): any will do then, an empty one too.
    ...(username === undefined && password === undefined
      ? {}
      : { username: username ?? 'default', password: password ?? '' }),
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    disconnectTimeout: CUT_OFF_MS,
    // It would need one right more, and it is seen by what does not come.
    enableReadyCheck: false,
    // The client's own way leaves a failure of it unheard, which ends the process.
    autoResubscribe: false,
    // What cannot be sent now is void later: the sender goes by what it hears.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => (isConnected() ? Math.min(50 * 2 ** times, LONGEST_RETRY_MS) : null),
    protocol: 2,
    disableClientInfo: true,
  }
}

/** Errors that come while nobody asks for them are seen by what does not come: they must not end the process. */
async function connectBoth(both: readonly Redis[], prepare: () => Promise<void>): Promise<void> {
  let said: Error | undefined
  for (const one of both) {
    one.on('error', (error: Error) => {
      said ??= error
    })
    // A connection over TLS may fail twice; the client hears the first failure alone.
    one.on('connecting', () => setImmediate(() => one.stream.on('error', ignore)))
  }
  try {
    await within(CONNECT_MS, Promise.all(both.map(async (one) => one.connect())).then(prepare))
  } catch (error) {
    for (const one of both) one.disconnect()
    throw said ?? error
  }
}

const ignore = (): void => undefined

/** A connection that answers nothing any more may never break by itself. */
async function answered<T>(connection: Redis, reply: Promise<T>): Promise<T> {
  try {
    return await reply
  } catch (error) {
    if (connection.status === 'ready' && error instanceof Error && error.message === 'Command timed out')
      connection.disconnect(true)
    throw error
  }
}

async function within<T>(ms: number, task: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms)
  })
  return Promise.race([task, late]).finally(() => clearTimeout(timer))
}
