// The counts of a load test, record by record: arrivals, calls, turns; over time, by rate, and apart for the warm-up.
import type { JournalRecord } from '../../domain/journal.ts'
import type { LoadFigures } from '../../domain/load/load-report.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { errorCodeOf } from '../../domain/describe-error.ts'
import { isErrorOutcome } from '../../domain/outcome.ts'
import { ratio } from '../ratio.ts'
import { accountWithin } from '../quota-account.ts'
import { createCallAccount } from './call-account.ts'
import { createLoadHistograms } from './histograms.ts'
import { createKeepingUp } from './keeping-up.ts'
import { createLiveView } from './live.ts'
import { requireLoad } from './load-run.ts'
import { createOpenTurns, type EndedTurn } from './open-turns.ts'
import { createLoadBins, type LoadBins } from './over-time.ts'
import { createGroundingPairs } from './grounding-trend.ts'
import { createRateBands } from './rate-bands.ts'
import { createStartedThreads } from './started-threads.ts'
import { arrivingMs, plannedMs, startOf } from './timetable-rate.ts'
import { createTurnTally, responseOf } from './turn-tally.ts'
import { createValueCounts } from './value-counts.ts'
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
  const underWay = createStartedThreads(open)
  const refusals = createValueCounts()
  const warmUp = createWarmUp()
  const keepingUp = createKeepingUp(load.model)
  const live = createLiveView(load)
  /** Known with the first arrival. */
  let started: { readonly at: number; readonly bins: LoadBins } | undefined
  /** When the test began, where the journal says it. */
  let toldStart: number | undefined
  let [due, begun, dropped, calls, refused, lastEnd, lastDue] = [0, 0, 0, 0, 0, 0, 0]

  /** No thread arrives after the timetable, whatever the start is thought to be. */
  const lastMoment = plannedMs(load.model) - 0.001
  const beginAt = (at: number): { readonly at: number; readonly bins: LoadBins } => ({
    at,
    bins: createLoadBins(at),
  })
  const start = (dueAt: number): { readonly at: number; readonly bins: LoadBins } =>
    (started ??= beginAt(startOf(load.model, toldStart, dueAt)))
  const isWarm = (moment: number): boolean => started !== undefined && moment - started.at < load.warmUpMs

  const arrive = (dueAt: number, isDropped: boolean): void => {
    const { at, bins } = start(dueAt)
    const bin = bins.at(dueAt)
    lastDue = Math.max(lastDue, dueAt)
    bin.offered += 1
    bin[isDropped ? 'dropped' : 'started'] += 1
    // The turn of a thread that was started counts with its intent.
    if (isDropped) bin.turnsDue += 1
    live.arrive(dueAt, isDropped)
    if (isWarm(dueAt)) return warmUp.arrive(isDropped)
    bands.due(Math.min(dueAt - at, lastMoment), isDropped)
    due += 1
    if (isDropped) dropped += 1
    else begun += 1
  }

  const begin = (record: RecordOf<'intent'>): void => {
    account.begin(record.attempt)
    const { turn, isNew } = open.intent(record)
    const { at, bins } = start(turn.dueAt)
    if (isNew) {
      bins.at(turn.dueAt).turnsDue += 1
      keepingUp.due(turn.dueAt - at)
    }
    if (isNew && turn.opens) {
      underWay.begin(turn.question, turn.repeat)
      arrive(turn.dueAt, false)
    }
    bins.at(record.at).fly(open.inFlight())
  }

  const settle = (record: RecordOf<'result'>): void => {
    const before = open.inFlight()
    const turn = open.result(record)
    account.settle(record.attempt, record.result, turn !== undefined)
    if (turn === undefined || record.result.kind === 'abandoned') return
    const { bins } = start(turn.dueAt)
    const is429 = record.result.kind === 'rejection' && record.result.httpStatus === 429
    const now = bins.at(record.at)
    now.calls += 1
    // Calls are in flight until they end, also where none is sent any more.
    now.fly(before)
    if (is429) bins.at(turn.dueAt).refused += 1
    live.call(record.at, is429)
    lastEnd = Math.max(lastEnd, record.at)
    if (isWarm(turn.dueAt)) return warmUp.call()
    calls += 1
    if (is429) {
      refused += 1
      refusals.add(errorCodeOf(record.result) ?? 'none')
    }
    histograms.add(record, is429)
  }

  /** Once a second, of the second before it: nothing else tells of calls in flight where none begins or ends. */
  const watch = ({ at, inFlight }: RecordOf<'generator'>): void => {
    const most = Math.max(inFlight, open.inFlight())
    if (started !== undefined && most > 0) started.bins.at(at - 1).fly(most)
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
    if (reply !== undefined) bins.at(last?.at ?? turn.dueAt).answers += 1
    if (reply !== undefined) bin.answer(times, reply, grounded)
    live.end(last?.at ?? turn.dueAt, { responseMs, grounded, isFailed })
    keepingUp.end(turn.dueAt - at, (last?.at ?? turn.dueAt) - at, responseMs)
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
    underWay.endTurn(record.question, record.repeat)
    if (record.outcome === 'skipped') {
      if (!isWarm(record.at)) tally.skip()
      return
    }
    const ended = open.outcome(record)
    if (ended !== undefined) end(ended)
  }

  /** How long threads arrived: the timetable, or the part of it that was gone through. */
  const arriving = (lastAt: number, isDone: boolean): number =>
    started === undefined ? 0 : arrivingMs(load.model, isDone, lastAt - started.at, lastDue - started.at)

  return {
    account,
    open,
    histograms,
    tally,
    bands,
    pairs,
    refusals,
    underWay,
    warmUp,
    live,
    arrive,
    begin,
    settle,
    watch,
    finishTurn,
    isWarm,
    startedAt: () => started?.at,
    tellStart: (at: number): void => {
      toldStart = at
    },
    keepingUp: (lastAt: number, isDone: boolean) => keepingUp.finish(arriving(lastAt, isDone)),
    overTime: () => started?.bins.finish() ?? null,
    /** `lastAt`: of the last record, milliseconds since the epoch; `isDone`: the test went through its timetable. Without `isWhole` coverage has no intervals. */
    figures: (lastAt: number, isWhole: boolean, isDone = false): LoadFigures => {
      const offering = Math.max(0, arriving(lastAt, isDone) - load.warmUpMs) / 1000
      // Calls end after the last arrival too.
      const working = Math.max(offering, (lastEnd - (started?.at ?? lastEnd) - load.warmUpMs) / 1000)
      const counted = tally.finish(
        isWhole ? open.threadOf : undefined,
        Math.max(open.open(), underWay.missing()),
      )
      const { answered } = counted.turns
      return {
        offered: { threads: due, rate: ratio(due, offering) },
        achieved: {
          threads: begun,
          rate: ratio(begun, offering),
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
