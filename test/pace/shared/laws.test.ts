// What holds whatever happens to the processes of an organization, or to the messages between them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fenceOf } from '../../../src/pace/shared/bus.ts'
import { createCluster, type Cluster, type ClusterProcess } from '../../support/cluster.ts'

const LIMIT = 10
const SLOT_MS = 1000 / LIMIT
const ATONCE = 4

type Happening =
  | { readonly kind: 'join' }
  | { readonly kind: 'die' | 'leave' | 'freeze'; readonly whose: number }
  | { readonly kind: 'lossy'; readonly loss: number }

const whose = fc.nat(5)
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.constant({ kind: 'join' } as const),
  fc.record({ kind: fc.constantFrom('die', 'leave', 'freeze'), whose }),
  fc.record({ kind: fc.constant('lossy'), loss: fc.constantFrom(0, 0.02, 0.1) }),
)

interface Played {
  readonly cluster: Cluster
  readonly living: Map<string, ClusterProcess>
  /** When something else than work was done. */
  readonly disturbed: number[]
}

async function play(happenings: readonly Happening[], seed: number): Promise<Played> {
  const cluster = createCluster(1e6, seed)
  const living = new Map<string, ClusterProcess>()
  const disturbed: number[] = []
  let joined = 0
  const join = async (): Promise<void> => {
    const id = `p${(joined += 1)}`
    const one = await cluster.join(id, { perSecond: LIMIT, concurrency: ATONCE })
    living.set(id, one)
    one.work()
  }
  const pass = async (ms: number): Promise<void> => cluster.clock.runUntil(cluster.clock.sleep(ms))
  await join()
  await join()
  for (const one of happenings) {
    disturbed.push(cluster.clock.now())
    const id = 'whose' in one ? [...living.keys()][one.whose % living.size] : undefined
    const chosen = id === undefined ? undefined : living.get(id)
    if (one.kind === 'join') await join()
    if (one.kind === 'lossy') cluster.redis.loss = one.loss
    if (one.kind === 'freeze' && id !== undefined) {
      cluster.redis.freeze(id)
      await pass(5000)
      disturbed.push(cluster.clock.now())
      cluster.redis.thaw(id)
    }
    if ((one.kind === 'die' || one.kind === 'leave') && id !== undefined && living.size > 1) {
      if (one.kind === 'die') chosen?.die()
      else if (chosen !== undefined) await cluster.clock.runUntil(chosen.participant.leave())
      living.delete(id)
    }
    await pass(2000)
  }
  cluster.redis.loss = 0
  await pass(6000)
  return { cluster, living, disturbed }
}

const plays = fc.tuple(fc.array(happening, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 1e6 }))

describe('whatever happens', () => {
  test('no two conductors hold one fencing number, and each term ends before the next begins', async () => {
    await fc.assert(
      fc.asyncProperty(plays, async ([happenings, seed]) => {
        const { cluster } = await play(happenings, seed)
        const terms = cluster.redis.published.map(({ term }) => term)
        const changes = terms.filter((term, place) => term !== terms[place - 1])
        // None publishes again after another has; each number belongs to one.
        expect(new Set(changes).size).toBe(changes.length)
        const fences = changes.map(fenceOf)
        expect(fences).toEqual(fences.toSorted((a, b) => a - b))
        expect(new Set(fences).size).toBe(fences.length)
      }),
      { numRuns: 25 },
    )
  })

  test('the pace that one process would keep is kept by all together', async () => {
    await fc.assert(
      fc.asyncProperty(plays, async ([happenings, seed]) => {
        const { cluster, disturbed } = await play(happenings, seed)
        const times = cluster.asked.map(({ at }) => at).toSorted((a, b) => a - b)
        const WINDOW_MS = 1000
        for (const [place, from] of times.entries()) {
          let count = 0
          for (let next = place; next < times.length && (times[next] ?? 0) < from + WINDOW_MS; next += 1)
            count += 1
          const isDisturbed = disturbed.some((at) => at > from - 4000 && at < from + WINDOW_MS + 500)
          // Where the conductor changes, the new one cannot know when the last call of the old one went.
          expect(count).toBeLessThanOrEqual(WINDOW_MS / SLOT_MS + (isDisturbed ? 4 : 1))
        }
      }),
      { numRuns: 25 },
    )
  })

  test('those who live share the whole of the limit again, evenly, and nobody is forgotten', async () => {
    await fc.assert(
      fc.asyncProperty(plays, async ([happenings, seed]) => {
        const { cluster, living } = await play(happenings, seed)
        const from = cluster.clock.now()
        await cluster.clock.runUntil(cluster.clock.sleep(6000))
        const counts = [...living.keys()].map(
          (id) => cluster.asked.filter(({ process, at }) => process === id && at >= from).length,
        )
        const total = counts.reduce((sum, count) => sum + count, 0)
        expect(total).toBeGreaterThan(0.9 * 6 * LIMIT)
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2)
      }),
      { numRuns: 25 },
    )
  })
})
