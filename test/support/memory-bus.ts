// What Redis does for the processes of an organization, in memory and virtual time: late, lossy and away at will.
import { holderOf, type Bus, type Claim } from '../../src/pace/shared/bus.ts'
import { LEASE_MS } from '../../src/pace/shared/times.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** Who has no answer by then waits no longer. */
const ANSWER_MS = 1500

export interface MemoryRedis {
  /** The way of one process to it. */
  join(id: string): Bus
  /** The process is there no more, as after SIGKILL: nothing comes to it or from it. */
  kill(id: string): void
  /** The same until it is thawed: what came meanwhile comes then, all at once. */
  freeze(id: string): void
  thaw(id: string): void
  /** Gone, with all it held; and back. */
  stop(): void
  start(): void
  /** Takes what is asked and answers nothing; then does all of it at once, when nobody waits for the answers any more. */
  hang(): void
  resume(): void
  /** Every text that was published, and by which term, in order. */
  readonly published: { readonly term: string; readonly at: number; readonly text: string }[]
  /** Part of the messages that get lost, from 0 to 1. */
  loss: number
}

/** `random`: uniform in [0, 1), for delays of up to `delayMs` and for losses. */
export function createMemoryRedis(clock: VirtualClock, random: () => number, delayMs = 2): MemoryRedis {
  const processes = new Map<string, { tell: (text: string) => void; connection: (isUp: boolean) => void }>()
  const frozen = new Map<string, (() => void)[]>()
  const published: MemoryRedis['published'] = []
  let isUp = true
  let unanswered: (() => void)[] | undefined
  let lease: { term: string; until: number } | undefined
  let fence = 0
  let kept: { text: string; at: number } | undefined
  const arrivals = new Map<string, number>()

  const holder = (): string | undefined =>
    lease !== undefined && lease.until > clock.now() ? lease.term : undefined
  /** In order for each receiver, as on one connection. */
  const deliver = (id: string, act: () => void): void => {
    const at = Math.max(arrivals.get(id) ?? 0, clock.now() + random() * delayMs)
    arrivals.set(id, at)
    clock.after(at - clock.now(), () => {
      const waiting = frozen.get(id)
      if (waiting === undefined) act()
      else waiting.push(act)
    })
  }
  const push = (id: string, text: string): number => {
    if (!processes.has(id)) return 0
    if (random() >= redis.loss) deliver(id, () => processes.get(id)?.tell(text))
    return 1
  }
  const pushAll = (text: string): number => [...processes.keys()].reduce((sum, id) => sum + push(id, text), 0)
  /** A round trip; what a killed or frozen process asks for is asked when it can. */
  const call = async <T>(id: string, act: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      if (!isUp || !processes.has(id)) {
        reject(new Error('no connection'))
        return
      }
      clock.after((random() * delayMs) / 2, () => {
        if (!isUp) {
          reject(new Error('connection lost'))
          return
        }
        if (unanswered !== undefined) {
          unanswered.push(act)
          clock.after(ANSWER_MS, () => reject(new Error('no answer in time')))
          return
        }
        const result = act()
        deliver(id, () => (isUp ? resolve(result) : reject(new Error('connection lost'))))
      })
    })

  const redis: MemoryRedis = {
    published,
    loss: 0,
    join: (id) => {
      const listeners: ((text: string) => void)[] = []
      let connection: (isUp: boolean) => void = () => undefined
      processes.set(id, {
        tell: (text) => {
          for (const tell of listeners) tell(text)
        },
        connection: (state) => connection(state),
      })
      return {
        claim: async (highest, suspect, office) =>
          call(id, (): Claim => {
            let term = holder()
            if (term !== undefined && term === office) {
              lease = { term, until: clock.now() + LEASE_MS }
              return { term, isNew: false, published: undefined }
            }
            if (term !== undefined && holderOf(term) === id) term = undefined
            if (term !== undefined && term === suspect && push(holderOf(term), '') === 0) term = undefined
            if (term !== undefined) return { term, isNew: false, published: undefined }
            fence = Math.max(fence, highest) + 1
            term = `${fence}:${id}`
            lease = { term, until: clock.now() + LEASE_MS }
            return { term, isNew: true, published: kept && { text: kept.text, ageMs: clock.now() - kept.at } }
          }),
        publish: async (term, to, text, keep) =>
          call(id, () => {
            if (holder() !== term) return 'deposed'
            if (keep !== undefined) kept = { text: keep, at: clock.now() }
            published.push({ term, at: clock.now(), text })
            return to === 'all' ? pushAll(text) : push(to, text)
          }),
        send: async (term, text) => call(id, () => push(holderOf(term), text)),
        release: async (term, text) =>
          call(id, () => {
            if (holder() !== term) return
            kept = { text, at: clock.now() }
            lease = undefined
            pushAll(JSON.stringify({ kind: 'vacant' }))
          }),
        onMessage: (tell) => listeners.push(tell),
        onConnection: (tell) => {
          connection = tell
        },
        close: async () => {
          processes.delete(id)
        },
      }
    },
    kill: (id) => {
      processes.delete(id)
      frozen.set(id, [])
    },
    freeze: (id) => frozen.set(id, []),
    thaw: (id) => {
      const waiting = frozen.get(id) ?? []
      frozen.delete(id)
      for (const act of waiting) act()
    },
    stop: () => {
      isUp = false
      lease = undefined
      fence = 0
      kept = undefined
      for (const { connection } of processes.values()) connection(false)
    },
    start: () => {
      isUp = true
      for (const { connection } of processes.values()) connection(true)
    },
    hang: () => {
      unanswered = []
    },
    resume: () => {
      for (const act of unanswered ?? []) act()
      unanswered = undefined
    },
  }
  return redis
}
