// Several processes on one limit in virtual time: shared, even, and going on whatever dies.
import { describe, expect, test } from 'vitest'
import { jain } from '../../bench/cluster/measure.ts'
import { fixedWindow } from '../../../src/sandbox/limits/fixed-window.ts'
import { slidingWindow } from '../../../src/sandbox/limits/sliding-window.ts'
import { createCluster, type Asked, type Cluster, type ClusterProcess } from '../../support/cluster.ts'

const LIMIT = 10

async function pass(cluster: Cluster, ms: number): Promise<void> {
  await cluster.clock.runUntil(cluster.clock.sleep(ms))
}

/** Whether a call at a moment is let through; `shiftMs`: how much later the limit's windows are than the clock. */
const takingFrom =
  (limit: ReturnType<typeof fixedWindow>, shiftMs = 0) =>
  (now: number): boolean => {
    const at = now + shiftMs
    if (limit.nextAt(at) > at) return false
    limit.spend(at)
    return true
  }

const between = (asked: readonly Asked[], from: number, to = Infinity): Asked[] =>
  asked.filter(({ at }) => at >= from && at < to)
const rateOf = (asked: readonly Asked[], ms: number): number =>
  (asked.filter(({ isTaken }) => isTaken).length * 1000) / ms
const refusedOf = (asked: readonly Asked[]): number =>
  asked.filter(({ isTaken }) => !isTaken).length / asked.length
const countsOf = (asked: readonly Asked[], ids: readonly string[]): number[] =>
  ids.map((id) => asked.filter(({ process }) => process === id).length)

describe('four processes with a known rate', () => {
  test('send together what one alone would, evenly', async () => {
    const cluster = createCluster(LIMIT)
    const ids = ['a', 'b', 'c', 'd']
    for (const id of ids) (await cluster.join(id, { perSecond: LIMIT })).work()
    const from = cluster.clock.now()
    await pass(cluster, 60_000)
    const asked = between(cluster.asked, from)
    expect(rateOf(asked, 60_000)).toBeGreaterThan(0.97 * LIMIT)
    expect(rateOf(asked, 60_000)).toBeLessThanOrEqual(LIMIT)
    expect(refusedOf(asked)).toBeLessThan(0.005)
    expect(jain(countsOf(asked, ids))).toBeGreaterThan(0.999)
  })

  test('keep to the slowest that any of them was told, and to the fewest calls at once', async () => {
    const cluster = createCluster(LIMIT)
    ;(await cluster.join('a', { perSecond: 8, concurrency: 4 })).work()
    ;(await cluster.join('b', { perSecond: 4, concurrency: 9 })).work()
    await pass(cluster, 1000)
    const from = cluster.clock.now()
    await pass(cluster, 20_000)
    expect(rateOf(between(cluster.asked, from), 20_000)).toBeCloseTo(0.99 * 4, 0)
    const starts = cluster.asked.map(({ at }) => at)
    const most = starts.map((at) => starts.filter((other) => other <= at && other > at - 200).length)
    expect(Math.max(...most)).toBeLessThanOrEqual(4)
  })

  test('one that joins is among those that it is told of, whenever it comes', async () => {
    // The conductor tells how things stand twice a second: at one of these moments just before it hears the new one.
    for (let afterMs = 0; afterMs < 500; afterMs += 1) {
      const cluster = createCluster(LIMIT, afterMs + 1)
      await cluster.join('a', { perSecond: LIMIT })
      await pass(cluster, 1000 + afterMs)
      const { participant } = await cluster.join('b', { perSecond: LIMIT })
      expect(participant.standing(), `${afterMs} ms after`).toMatch(/^2 processes share the limit/)
    }
  })

  test('leave what one of them does not need to the others', async () => {
    const cluster = createCluster(LIMIT)
    ;(await cluster.join('busy', { perSecond: LIMIT })).work()
    await cluster.join('idle', { perSecond: LIMIT })
    const from = cluster.clock.now()
    await pass(cluster, 20_000)
    expect(rateOf(between(cluster.asked, from), 20_000)).toBeGreaterThan(0.95 * LIMIT)
  })
})

describe('processes that find the limit together', () => {
  test('use it like one, and what they learned serves the next night', async () => {
    const cluster = createCluster(LIMIT)
    const processes = []
    for (const id of ['a', 'b', 'c']) processes.push(await cluster.join(id))
    for (const one of processes) one.work()
    await pass(cluster, 60_000)
    const late = between(cluster.asked, 20_000)
    expect(rateOf(late, cluster.clock.now() - 20_000)).toBeGreaterThan(0.93 * LIMIT)
    expect(refusedOf(late)).toBeLessThan(0.03)

    for (const one of processes) await cluster.clock.runUntil(one.participant.leave())
    await pass(cluster, 8 * 3_600_000)
    const next = await cluster.join('tomorrow')
    expect(next.limiter.state().pace).toBeGreaterThan(0.8 * LIMIT)
    expect(next.limiter.state().pace).toBeLessThan(1.0 * LIMIT)
    const told: string[] = []
    next.limiter.onChange(({ cause }) => told.push(cause))
    await pass(cluster, 1)
    expect(told[0]).toMatch(/nine tenths of what was learned 8 h ago/)
  })

  test('a night at a known rate forgets nothing of what was learned before', async () => {
    const cluster = createCluster(LIMIT)
    const first = await cluster.join('a')
    first.work()
    await pass(cluster, 60_000)
    await cluster.clock.runUntil(first.participant.leave())
    await pass(cluster, 24 * 3_600_000)
    const known = await cluster.join('b', { perSecond: 2 })
    known.work()
    await pass(cluster, 10_000)
    await cluster.clock.runUntil(known.participant.leave())
    await pass(cluster, 24 * 3_600_000)
    const next = await cluster.join('c')
    const told: string[] = []
    next.limiter.onChange(({ cause }) => told.push(cause))
    await pass(cluster, 1)
    expect(told[0]).toMatch(/nine tenths of what was learned 2 days ago/)
    await cluster.clock.runUntil(next.participant.leave())
    await pass(cluster, 7 * 24 * 3_600_000)
    const late = await cluster.join('d')
    expect(late.limiter.state().pace).toBe(4)
  })

  test.each([1, 2, 3, 4, 5])(
    'processes that are slow to begin do not mistake its window (seed %i)',
    async (seed) => {
      const limit = slidingWindow(150, 10_000)
      const cluster = createCluster(takingFrom(limit), seed, { coldMs: 600 })
      for (const id of ['a', 'b', 'c', 'd']) (await cluster.join(id)).work()
      await pass(cluster, 60_000)
      const found = between(cluster.asked, 20_000)
      expect(rateOf(found, cluster.clock.now() - 20_000)).toBeGreaterThan(0.93 * 15)
      expect(refusedOf(found)).toBeLessThan(0.02)
    },
  )

  test('a window of two seconds is used up, and seldom overrun', async () => {
    const shares: number[] = []
    const refusals: number[] = []
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const limit = fixedWindow(30, 2000)
      const cluster = createCluster(takingFrom(limit, 1237 * seed), seed, { coldMs: 300 })
      for (const id of ['a', 'b', 'c', 'd']) (await cluster.join(id)).work()
      await pass(cluster, 60_000)
      shares.push(rateOf(cluster.asked, cluster.clock.now()) / 15)
      refusals.push(refusedOf(cluster.asked))
    }
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, value) => sum + value, 0) / values.length
    expect(mean(shares)).toBeGreaterThan(0.94)
    expect(Math.max(...refusals)).toBeLessThan(0.02)
  })

  test('a start that the user asks for is kept to', async () => {
    const cluster = createCluster(LIMIT)
    const first = await cluster.join('a')
    first.work()
    await pass(cluster, 60_000)
    await cluster.clock.runUntil(first.participant.leave())
    const next = await cluster.join('b', { start: 1 })
    expect(next.limiter.state().pace).toBe(1)
  })
})

describe('a process that dies', () => {
  test.each([
    ['the conductor', 0],
    ['another', 2],
  ])('gives its share back: %s', async (_, victim) => {
    const cluster = createCluster(LIMIT)
    const ids = ['a', 'b', 'c']
    const processes = []
    for (const id of ids) processes.push(await cluster.join(id, { perSecond: LIMIT }))
    for (const one of processes) one.work()
    await pass(cluster, 10_000)
    processes[victim]?.die()
    const died = cluster.clock.now()
    await pass(cluster, 4000)
    const from = cluster.clock.now()
    await pass(cluster, 20_000)
    expect(rateOf(between(cluster.asked, from), 20_000)).toBeGreaterThan(0.95 * LIMIT)
    // Even the while in which nobody conducted costs little: nothing waits for the lease to end.
    expect(rateOf(between(cluster.asked, died, died + 4000), 4000)).toBeGreaterThan(0.75 * LIMIT)
    const survivors = ids.filter((_id, place) => place !== victim)
    expect(jain(countsOf(between(cluster.asked, from), survivors))).toBeGreaterThan(0.99)
  })

  test('one that was only frozen uses no leave of that time', async () => {
    const cluster = createCluster(LIMIT)
    const [a, b] = [
      await cluster.join('a', { perSecond: LIMIT }),
      await cluster.join('b', { perSecond: LIMIT }),
    ]
    a.work()
    b.work()
    await pass(cluster, 5000)
    cluster.redis.freeze('b')
    await pass(cluster, 6000)
    const thawed = cluster.clock.now()
    cluster.redis.thaw('b')
    await pass(cluster, 10_000)
    const after = between(cluster.asked, thawed)
    expect(rateOf(after, 10_000)).toBeLessThanOrEqual(LIMIT)
    expect(between(after, thawed, thawed + 500).length).toBeLessThanOrEqual(LIMIT / 2 + 1)
    expect(jain(countsOf(between(after, thawed + 1000), ['a', 'b']))).toBeGreaterThan(0.99)
  })
})

describe('a process that leaves', () => {
  test.each([
    ['the one that paces', 0, 2],
    ['another', 1, 2],
    ['the one that paces, of three', 0, 3],
    ['another, of three', 2, 3],
  ])('is no longer counted: %s', async (_, place, count) => {
    const cluster = createCluster(LIMIT)
    const all = []
    for (const id of ['a', 'b', 'c'].slice(0, count)) all.push(await cluster.join(id, { perSecond: LIMIT }))
    const told = all.map((one) => {
      one.work()
      const words: {
        readonly cause: string
        readonly processes: number | undefined
        readonly pace: number | null
      }[] = []
      one.limiter.onChange(({ cause, processes, pace }) => words.push({ cause, processes, pace }))
      return words
    })
    await pass(cluster, 5000)
    for (const words of told) expect(words.at(-1)?.processes).toBe(count)
    const before = told.map(({ length }) => length)
    await cluster.clock.runUntil(all[place]?.participant.leave() ?? Promise.resolve())
    await pass(cluster, 1000)
    const cause = count === 2 ? 'alone on the limit' : '2 processes share the limit'
    for (const [index, words] of told.entries()) {
      const since = words.slice(before[index])
      if (index === place) continue
      expect(since).toEqual([{ cause, processes: count - 1, pace: expect.closeTo(0.99 * LIMIT, 5) }])
      expect(all[index]?.limiter.state().processes).toBe(count - 1)
    }
  })
})

describe('how often the limit was met', () => {
  interface Told {
    readonly at: number
    readonly refusals: number
    readonly episodes: number
    readonly together: boolean
  }
  const tellingsOf = (cluster: Cluster, one: ClusterProcess): Told[] => {
    const told: Told[] = []
    one.limiter.onChange(({ limit }) => {
      if (limit === undefined) return
      const { refusals, episodes, together = false } = limit
      told.push({ at: cluster.clock.now(), refusals, episodes, together })
    })
    return told
  }
  const refusedUntil = (cluster: Cluster, at: number): number =>
    between(cluster.asked, 0, at).filter(({ isTaken }) => !isTaken).length

  test.each<[string, (one: ClusterProcess) => Promise<void>, number]>([
    ['leaves', async ({ participant }) => participant.leave(), 0],
    // What it was told in its last moments is lost with it.
    ['dies', async (one) => Promise.resolve(one.die()), 3],
  ])('is counted on when the process that paces %s', async (_, end, mostLost) => {
    const cluster = createCluster(LIMIT)
    const processes = []
    for (const id of ['a', 'b', 'c']) processes.push(await cluster.join(id))
    for (const one of processes) one.work()
    const [first, , last] = processes
    if (first === undefined || last === undefined) throw new Error('three processes')
    const told = tellingsOf(cluster, last)
    await pass(cluster, 60_000)
    const handedOver = told.at(-1)
    expect(handedOver?.refusals).toBeGreaterThan(2)
    await cluster.clock.runUntil(end(first))
    const since = told.length
    await pass(cluster, 120_000)
    const later = told.slice(since)
    expect(later.length).toBeGreaterThan(2)
    for (const { at, refusals, episodes, together } of later) {
      expect(together).toBe(true)
      expect(episodes).toBeGreaterThanOrEqual(handedOver?.episodes ?? Infinity)
      // A refusal takes a moment to be told, and counts once.
      expect(refusals).toBeLessThanOrEqual(refusedUntil(cluster, at))
      expect(refusals).toBeGreaterThanOrEqual(refusedUntil(cluster, at - 200) - mostLost)
    }
  })

  test('is its own evidence alone while Redis is lost, and called so', async () => {
    // A lower limit from then on: at its part of the old pace it would meet none.
    const [early, late] = [takingFrom(fixedWindow(20, 2000)), takingFrom(fixedWindow(4, 2000))]
    const lostAt = 60_000
    const cluster = createCluster((now) => (now < lostAt ? early(now) : late(now)))
    const one = await cluster.join('a')
    one.work()
    const told = tellingsOf(cluster, one)
    await pass(cluster, lostAt - cluster.clock.now())
    expect(told.length).toBeGreaterThan(0)
    expect(told.every(({ together }) => together)).toBe(true)
    cluster.redis.stop()
    await pass(cluster, 60_000)
    expect(cluster.said).toEqual(['a: lost'])
    const alone = told.filter(({ together }) => !together)
    expect(alone.length).toBeGreaterThan(0)
    for (const { at, refusals } of alone)
      expect(refusals).toBeLessThanOrEqual(refusedUntil(cluster, at) - refusedUntil(cluster, lostAt))
  })
})

describe('a process that joins others', () => {
  const wordsOf = async (cluster: Cluster, id: string): Promise<string[]> => {
    const { participant, limiter } = await cluster.join(id)
    const told: string[] = []
    limiter.onChange(({ cause }) => told.push(cause))
    await pass(cluster, 1)
    expect(told[0]).toBe(participant.standing())
    return told
  }

  test('says whose pace it begins at, and what they know of the limit', async () => {
    const cluster = createCluster(LIMIT)
    const first = await cluster.join('a')
    expect(first.participant.standing()).toBe(
      'alone on the limit through Redis; nothing was known of the limit',
    )
    const [early] = await wordsOf(cluster, 'b')
    expect(early).toBe(
      '2 processes share the limit through Redis; the pace, 4/s, comes from the others, who have not met the limit yet',
    )
    first.work()
    await pass(cluster, 60_000)
    const [late] = await wordsOf(cluster, 'c')
    const [, pace, limit] =
      /^3 processes share the limit through Redis; the pace, ([\d.]+)\/s, comes from the others, and so does what is known of the limit: about ([\d.]+)\/s$/.exec(
        late ?? '',
      ) ?? []
    expect(Number(pace)).toBeCloseTo(first.limiter.state().pace ?? 0, 0)
    expect(Number(limit)).toBeGreaterThan(0.9 * LIMIT)
    expect(Number(limit)).toBeLessThan(1.1 * LIMIT)
  })

  test('and who takes over from them says that it goes on at their pace', async () => {
    const cluster = createCluster(LIMIT)
    const first = await cluster.join('a')
    const second = await cluster.join('b')
    await cluster.clock.runUntil(first.participant.leave())
    await pass(cluster, 1000)
    expect(second.participant.standing()).toBe(
      'alone on the limit through Redis; it goes on at the last pace of the process that paced before',
    )
  })
})

describe('Redis that goes away', () => {
  test('is told once, costs little, and is shared again when it is back', async () => {
    const cluster = createCluster(LIMIT)
    const ids = ['a', 'b', 'c', 'd']
    for (const id of ids) (await cluster.join(id, { perSecond: LIMIT })).work()
    await pass(cluster, 10_000)
    const away = cluster.clock.now()
    cluster.redis.stop()
    await pass(cluster, 20_000)
    const back = cluster.clock.now()
    cluster.redis.start()
    await pass(cluster, 20_000)
    expect(rateOf(between(cluster.asked, away, back), 20_000)).toBeGreaterThan(0.9 * LIMIT)
    expect(rateOf(between(cluster.asked, back), 20_000)).toBeGreaterThan(0.93 * LIMIT)
    expect(refusedOf(between(cluster.asked, away))).toBeLessThan(0.02)
    expect(cluster.said.toSorted()).toEqual(ids.flatMap((id) => [`${id}: back`, `${id}: lost`]))
  })

  test('stops those who were told so: nothing is sent meanwhile', async () => {
    const cluster = createCluster(LIMIT)
    ;(await cluster.join('a', { perSecond: LIMIT }, true)).work()
    await pass(cluster, 5000)
    cluster.redis.stop()
    await pass(cluster, 1000)
    const lost = cluster.clock.now()
    await pass(cluster, 10_000)
    expect(between(cluster.asked, lost)).toEqual([])
    expect(cluster.said).toEqual(['a: lost'])
  })

  test('one that hangs, and answers nobody what it did then, is shared again by all', async () => {
    const cluster = createCluster(LIMIT)
    const ids = ['a', 'b']
    for (const id of ids) (await cluster.join(id, { perSecond: LIMIT })).work()
    await pass(cluster, 5000)
    cluster.redis.hang()
    await pass(cluster, 20_000)
    cluster.redis.resume()
    await pass(cluster, 1000)
    const back = cluster.clock.now()
    await pass(cluster, 20_000)
    expect(rateOf(between(cluster.asked, back), 20_000)).toBeGreaterThan(0.93 * LIMIT)
    expect(cluster.said.toSorted()).toEqual(ids.flatMap((id) => [`${id}: back`, `${id}: lost`]))
  })

  test('a break that is over at once is none', async () => {
    const cluster = createCluster(LIMIT)
    ;(await cluster.join('a', { perSecond: LIMIT })).work()
    await pass(cluster, 5000)
    cluster.redis.stop()
    await pass(cluster, 100)
    cluster.redis.start()
    const from = cluster.clock.now()
    await pass(cluster, 10_000)
    expect(cluster.said).toEqual([])
    expect(rateOf(between(cluster.asked, from), 10_000)).toBeGreaterThan(0.85 * LIMIT)
  })
})

test('messages that are lost cost no permit for good', async () => {
  const cluster = createCluster(LIMIT)
  cluster.redis.loss = 0.05
  const ids = ['a', 'b', 'c']
  for (const id of ids) (await cluster.join(id, { perSecond: LIMIT, concurrency: 6 })).work()
  await pass(cluster, 10_000)
  const from = cluster.clock.now()
  await pass(cluster, 60_000)
  expect(rateOf(between(cluster.asked, from), 60_000)).toBeGreaterThan(0.75 * LIMIT)
  cluster.redis.loss = 0
  await pass(cluster, 5000)
  const healed = cluster.clock.now()
  await pass(cluster, 20_000)
  expect(rateOf(between(cluster.asked, healed), 20_000)).toBeGreaterThan(0.95 * LIMIT)
})
