// The shards of a load test whose journals one folder holds: one, or all of a merged test.
import { arrivalOf, createArrivalRate, plannedMs } from '../../domain/arrivals.ts'
import type { JournalEvent } from '../../domain/journal.ts'
import type { LoadModel } from '../../domain/load.ts'
import { type ShardPosition, WHOLE } from '../../domain/shard.ts'
import type { Stop } from '../../domain/stop.ts'
import type { LoadManifest } from '../../options/manifest.ts'
import { createAccount, type Totals } from '../account.ts'
import { worstStop } from '../verdict.ts'

interface LoadShard extends ShardPosition {
  /** How long after the first shard it started. */
  readonly lateMs: number
}

/** Starts that are closer count as one: the clocks of machines do not agree better. */
const MAX_APART_MS = 1000

/** In the order of their journals. A test that is not split is its own only shard. */
export function shardsIn({ shard, merged }: LoadManifest): readonly LoadShard[] {
  const { index, of } = shard ?? WHOLE
  if (merged === undefined) return [{ index, of, lateMs: 0 }]
  const starts = merged.parts.map(({ startedAt }) => Date.parse(startedAt))
  const first = Math.min(...starts)
  const isTogether = Math.max(...starts) - first <= MAX_APART_MS
  return starts.map((start, before) => ({
    index: before + 1,
    of: starts.length,
    lateMs: isTogether ? 0 : start - first,
  }))
}

/** How far the starts of the shards lie apart; 0 for those that started together. */
export const apartMs = (shards: readonly Pick<LoadShard, 'lateMs'>[]): number =>
  Math.max(...shards.map(({ lateMs }) => lateMs))

interface ShardCounts extends LoadShard {
  readonly account: ReturnType<typeof createAccount>
  /** Threads that were due, and when the first of them was, in milliseconds since the epoch. */
  due: number
  firstDueAt: number
}

/** The accounts of all shards in the folder, and what they say together. `journal`: whose, from 0. */
export function createShardAccounts(manifest: LoadManifest) {
  const { model } = manifest.load
  const shards = shardsIn(manifest).map((shard): ShardCounts => ({
    ...shard,
    account: createAccount(),
    due: 0,
    firstDueAt: Infinity,
  }))
  const shardOf = (journal: number): ShardCounts => {
    const shard = shards[journal] ?? shards[0]
    if (shard === undefined) throw new Error('a load test has a shard')
    return shard
  }
  return {
    add: (event: JournalEvent, journal: number): void => shardOf(journal).account.add(event),
    addLostIntent: (journal = 0): void => shardOf(journal).account.addLostIntent(),
    addDue: (dueAt: number, journal: number): void => {
      const shard = shardOf(journal)
      shard.due += 1
      shard.firstDueAt = Math.min(shard.firstDueAt, dueAt)
    },
    inFlight: (): number => shards.reduce((sum, { account }) => sum + account.inFlight.size, 0),
    rateLimited: (): number => shards.reduce((sum, { account }) => sum + account.counts.rateLimited, 0),
    /** Infinity until a thread was due. */
    firstDueAt: (): number => Math.min(...shards.map(({ firstDueAt }) => firstDueAt)),
    /** For how long threads arrived, from the first start. `ended`: as in `totalsOf`. */
    arrivedMs: (ended?: Stop): number =>
      shards.every(({ due }) => due === 0)
        ? 0
        : Math.max(...shards.map((shard) => shard.lateMs + arrivedIn(model, shard, ended))),
    totals: (ended?: Stop) => totalsOf(shards, ended),
  }
}

/** `ended`: why the test ended, if a journal does not record it. */
function totalsOf(shards: readonly ShardCounts[], ended: Stop | undefined) {
  const all = shards.map(({ account }) => account.totals())
  const sum = (count: (totals: Totals) => number): number => all.reduce((so, one) => so + count(one), 0)
  const times = all.flatMap(({ lastAt }) => lastAt ?? [])
  const stops = all.map(({ stop = ended }) => stop)
  const stop = worstStop(stops)
  const stopped: ShardPosition | undefined = shards.length === 1 ? undefined : shards[stops.indexOf(stop)]
  return {
    sessions: sum(({ sessions }) => sessions),
    stop,
    /** Of several shards, the first that ended so. */
    stopped,
    lastAt: times.length === 0 ? undefined : Math.max(...times),
    usage: {
      certain: sum(({ usage }) => usage.certain),
      possible: sum(({ usage }) => usage.possible),
      notCounted: sum(({ usage }) => usage.notCounted),
    },
    rateLimited: sum(({ rateLimited }) => rateLimited),
    lost: sum(({ lost }) => lost),
  }
}

function arrivedIn(model: LoadModel, shard: ShardCounts, ended: Stop | undefined): number {
  const { account, due, firstDueAt } = shard
  const planned = plannedMs(model)
  const { stop = ended, lastAt = 0 } = account.totals()
  if (stop?.kind === 'done') return planned
  // A test that ended early offered until the next thread would have been due: then it only waited for calls
  // in flight.
  const nextMs =
    model.kind === 'closed'
      ? Math.max(0, lastAt - firstDueAt)
      : createArrivalRate(model.stages).momentOf(arrivalOf(due, shard))
  return Math.min(planned, nextMs)
}
