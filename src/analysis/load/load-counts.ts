// The counts of a load test, record by record: arrivals, calls, turns; over time, by rate, and apart for the warm-up.
import type { JournalRecord } from '../../domain/journal.ts'
import type { LoadFigures } from '../../domain/load/load-report.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { isErrorOutcome } from '../../domain/outcome.ts'
import { ratio } from '../ratio.ts'
import { accountWithin } from '../quota-account.ts'
import { createCallAccount } from './call-account.ts'
import { createLoadHistograms } from './histograms.ts'
import { createLiveView } from './live.ts'
import { requireLoad } from './load-run.ts'
import { createOpenTurns, type EndedTurn } from './open-turns.ts'
import { createLoadBins, type LoadBins } from './over-time.ts'
import { createGroundingPairs } from './grounding-trend.ts'
import { createRateBands } from './rate-bands.ts'
import { plannedMs } from './timetable-rate.ts'
import { createTurnTally, responseOf } from './turn-tally.ts'
import { createWarmUp } from './warm-up.ts'

type RecordOf<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>

/** Throws Error where the manifest is not that of a load test. */
export function createLoadCounts(manifest: Manifest) {
  const load = requireLoad(manifest)
  const { countRejected, groundedSources, quota } = manifest.options
  const account = createCallAccount(countRejected)
  const open = createOpenTurns()
  const histograms = createLoadHistograms()
  const tally = createTurnTally(3)
  const bands = createRateBands(load.model)
  const pairs = createGroundingPairs(load.model, open)
  const warmUp = createWarmUp()
  const live = createLiveView(load)
  /** Known with the first arrival. */
  let started: { readonly at: number; readonly bins: LoadBins } | undefined
  let [due, begun, dropped, calls, refused, lastEnd] = [0, 0, 0, 0, 0, 0]

  const start = (dueAt: number): { readonly at: number; readonly bins: LoadBins } =>
    (started ??= { at: dueAt, bins: createLoadBins(dueAt) })
  const isWarm = (moment: number): boolean => started !== undefined && moment - started.at < load.warmUpMs

  const arrive = (dueAt: number, isDropped: boolean): void => {
    const { at, bins } = start(dueAt)
    const bin = bins.at(dueAt)
    bin.offered += 1
    bin[isDropped ? 'dropped' : 'started'] += 1
    live.arrive(dueAt, isDropped)
    if (isWarm(dueAt)) return warmUp.arrive(isDropped)
    bands.due(dueAt - at, isDropped)
    due += 1
    if (isDropped) dropped += 1
    else begun += 1
  }

  const begin = (record: RecordOf<'intent'>): void => {
    account.begin(record.attempt)
    const { turn, isNew } = open.intent(record)
    const { bins } = start(turn.dueAt)
    if (isNew && turn.opens) arrive(turn.dueAt, false)
    const bin = bins.at(record.at)
    bin.inFlight = Math.max(bin.inFlight, open.inFlight)
  }

  const settle = (record: RecordOf<'result'>): void => {
    const turn = open.result(record)
    account.settle(record.attempt, record.result, turn !== undefined)
    if (turn === undefined || record.result.kind === 'abandoned') return
    const { bins } = start(turn.dueAt)
    const is429 = record.result.kind === 'rejection' && record.result.httpStatus === 429
    bins.at(record.at).calls += 1
    if (is429) bins.at(turn.dueAt).refused += 1
    live.call(record.at, is429)
    lastEnd = Math.max(lastEnd, record.at)
    if (isWarm(turn.dueAt)) return warmUp.call()
    calls += 1
    if (is429) refused += 1
    histograms.add(record, is429)
  }

  const end = (ended: EndedTurn): void => {
    const { turn, outcome, contextLost } = ended
    const { last } = turn
    const { at, bins } = start(turn.dueAt)
    const bin = bins.at(turn.dueAt)
    const reply = outcome === 'answered' && last?.result.kind === 'reply' ? last.result.reply : undefined
    const grounded =
      reply === undefined || contextLost ? undefined : groundedSources.includes(reply.contextSource)
    const isFailed = isErrorOutcome(outcome) && outcome !== 'rate_limited'
    const responseMs = reply === undefined ? undefined : responseOf(turn)
    if (isFailed) bin.errors += 1
    bin.outcomes.add(outcome)
    const times = { serviceMs: last?.serviceMs ?? 0, responseMs: responseMs ?? 0 }
    if (reply !== undefined) bin.answer(times, reply, grounded)
    live.end(last?.at ?? turn.dueAt, { responseMs, grounded, isFailed })
    if (isWarm(turn.dueAt)) {
      if (reply !== undefined) warmUp.answer(times.serviceMs, times.responseMs)
      return
    }
    histograms.wait.record(turn.waitMs)
    tally.add(ended, grounded)
    bands.add(turn.dueAt - at, ended, grounded)
    pairs.add(turn.dueAt - at, ended, grounded)
  }

  const finishTurn = (record: RecordOf<'outcome'>): void => {
    if (record.outcome === 'skipped') {
      if (!isWarm(record.at)) tally.skip()
      return
    }
    const ended = open.outcome(record)
    if (ended !== undefined) end(ended)
  }

  /** Seconds from the end of the warm-up until then; `most`: of the timetable. */
  const seconds = (until: number, most: number): number =>
    started === undefined ? 0 : Math.max(0, Math.min(until - started.at, most) - load.warmUpMs) / 1000

  return {
    account,
    open,
    histograms,
    tally,
    bands,
    pairs,
    warmUp,
    live,
    arrive,
    begin,
    settle,
    finishTurn,
    isWarm,
    startedAt: () => started?.at,
    overTime: () => started?.bins.finish() ?? null,
    /** `lastAt`: of the last record, milliseconds since the epoch. Without `isWhole` coverage has no intervals. */
    figures: (lastAt: number, isWhole: boolean): LoadFigures => {
      const arriving = seconds(lastAt, plannedMs(load.model))
      const working = seconds(lastEnd, Number.POSITIVE_INFINITY)
      const counted = tally.finish(isWhole ? open.threadOf : undefined, open.open)
      const { answered } = counted.turns
      return {
        offered: { threads: due, rate: ratio(due, arriving) },
        achieved: {
          threads: begun,
          rate: ratio(begun, arriving),
          turns: answered,
          turnsPerSecond: ratio(answered, working),
          calls,
          callsPerSecond: ratio(calls, working),
        },
        dropped: { threads: dropped, rate: ratio(dropped, due) },
        serviceMs: tally.service.latency(),
        responseMs: tally.response.latency(),
        ...histograms.latencies(),
        ...counted,
        quota: accountWithin(account.finish().usage, quota),
        pacing: { rate429: ratio(refused, calls), rateLimited: refused },
      }
    },
  }
}
