// The same scenarios in virtual time: what policy and protocol reach where no machine is slow.
import { makeLimit, limitRuleSchema } from '../../../src/sandbox/limits/models.ts'
import { createCluster, type Cluster, type ClusterProcess } from '../../support/cluster.ts'
import { measure, type Figures } from './measure.ts'
import type { Scenario } from './scenarios.ts'

const PROCESSES = 4
const CALLS = 1000
const CALLS_BEFORE = 300
const AWAY_MS = 5000
/** A process that has just started takes so long for its first call at most. */
const COLD_MS = 300

/** `seed`: decides delays, and where in its window the limit stands. */
export async function playScenario({ shape, begin, happening }: Scenario, seed: number): Promise<Figures> {
  const rule = limitRuleSchema.parse(shape.rule)
  let limit = makeLimit(rule)
  const take = (now: number): boolean => {
    const at = now + 1237 * seed
    if (limit.nextAt(at) > at) return false
    limit.spend(at)
    return true
  }
  const cluster = createCluster(take, seed, { coldMs: COLD_MS })
  const { clock, redis, asked } = cluster
  let names = 0
  const join = async (): Promise<readonly [string, ClusterProcess]> => {
    const id = `p${(names += 1)}`
    const one = await cluster.join(id, begin === 'known' ? { perSecond: shape.perSecond } : {})
    one.work()
    return [id, one]
  }
  const joinAll = async (count: number): Promise<(readonly [string, ClusterProcess])[]> => {
    const joined = []
    for (let place = 0; place < count; place += 1) joined.push(await join())
    return joined
  }
  if (begin === 'learned') {
    const before = await joinAll(PROCESSES)
    await untilTaken(cluster, CALLS_BEFORE)
    for (const [, one] of before) await clock.runUntil(one.participant.leave())
    await clock.runUntil(clock.sleep(3_600_000))
    limit = makeLimit(rule)
    asked.length = 0
  }
  const living = new Map(await joinAll(PROCESSES - (happening === 'one late' ? 1 : 0)))
  if (happening !== 'nothing') await untilTaken(cluster, CALLS / 2)
  const [first] = living
  if (happening === 'one killed' && first !== undefined) {
    first[1].die()
    living.delete(first[0])
  }
  if (happening === 'one late') living.set(...(await join()))
  const from = clock.now()
  if (happening === 'Redis away 5 s') {
    redis.stop()
    await clock.runUntil(clock.sleep(AWAY_MS))
    redis.start()
  }
  await untilTaken(cluster, CALLS)
  for (const one of living.values()) await clock.runUntil(one.participant.leave())
  const calls = asked.map(({ process, at, isTaken }) => ({
    at,
    keyFingerprint: process,
    outcome: isTaken ? ('answered' as const) : ('rate_limited' as const),
  }))
  return measure(calls, shape, [...living.keys()], [from, Infinity])
}

async function untilTaken({ clock, asked }: Cluster, calls: number): Promise<void> {
  while (asked.filter(({ isTaken }) => isTaken).length < calls) await clock.runUntil(clock.sleep(100))
}
