// The counts of a load test, record by record: arrivals, calls, turns; of the whole test and over time.
import type { JournalRecord } from '../../domain/journal.ts'
import type { LoadFigures } from '../../domain/load.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { errorCodeOf } from '../../domain/attempt.ts'
import { isErrorOutcome } from '../../domain/outcome.ts'
import { ratio } from '../turns.ts'
import { accountWithin } from '../turns.ts'
import { createCallAccount } from './call-account.ts'
import { createLoadHistograms } from './histograms.ts'
import { requireLoad } from './load-run.ts'
import { createOpenTurns, type EndedTurn } from './open-turns.ts'
import { createLoadBins, type LoadBins } from './over-time.ts'
import { createStartedThreads } from './started-threads.ts'
import { arrivingMs, startOf } from './timetable-rate.ts'
import { createTurnTally, responseOf } from './turn-tally.ts'
import { createValueCounts } from './value-counts.ts'

type RecordOf<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>

/** Throws Error where the manifest is not that of a load test. */
export function createLoadCounts(manifest: Manifest) {
  const load = requireLoad(manifest)
  const { groundedSources, quota } = manifest.options
  const account = createCallAccount()
  const open = createOpenTurns()
  const histograms = createLoadHistograms()
  const tally = createTurnTally()
  const underWay = createStartedThreads(open)
  const refusals = createValueCounts()
  /** Known with the first arrival. */
  let started: { readonly at: number; readonly bins: LoadBins } | undefined
  /** When the test began, where the journal says it. */
  let toldStart: number | undefined
  let [due, begun, dropped, calls, refused, lastEnd, lastDue] = [0, 0, 0, 0, 0, 0, 0]

  const beginAt = (at: number): { readonly at: number; readonly bins: LoadBins } => ({
    at,
    bins: createLoadBins(at),
  })
  const start = (dueAt: number): { readonly at: number; readonly bins: LoadBins } =>
    (started ??= beginAt(startOf(load.model, toldStart, dueAt)))

  const arrive = (dueAt: number, isDropped: boolean): void => {
    const bin = start(dueAt).bins.at(dueAt)
    lastDue = Math.max(lastDue, dueAt)
    bin.offered += 1
    bin[isDropped ? 'dropped' : 'started'] += 1
    // The turn of a thread that was started counts with its intent.
    if (isDropped) bin.turnsDue += 1
    due += 1
    if (isDropped) dropped += 1
    else begun += 1
  }

  const begin = (record: RecordOf<'intent'>): void => {
    account.begin(record.attempt)
    const before = open.inFlight()
    const { turn, isNew } = open.intent(record)
    const { bins } = start(turn.dueAt)
    if (isNew) bins.at(turn.dueAt).turnsDue += 1
    if (isNew && turn.opens) {
      underWay.begin(turn.question, turn.repeat)
      arrive(turn.dueAt, false)
    }
    bins.fly(record.at, before)
    bins.fly(record.at, open.inFlight())
  }

  const settle = (record: RecordOf<'result'>): void => {
    const before = open.inFlight()
    const turn = open.result(record)
    account.settle(record.attempt, record.result, turn !== undefined)
    if (turn === undefined || record.result.kind === 'abandoned') return
    const { bins } = start(turn.dueAt)
    const is429 = record.result.kind === 'rejection' && record.result.httpStatus === 429
    bins.at(record.at).calls += 1
    bins.fly(record.at, before)
    lastEnd = Math.max(lastEnd, record.at)
    calls += 1
    if (is429) {
      bins.at(turn.dueAt).refused += 1
      refused += 1
      refusals.add(errorCodeOf(record.result) ?? 'none')
    }
    histograms.add(record, is429)
  }

  const end = (ended: EndedTurn): void => {
    const { turn, outcome, contextLost } = ended
    const { last } = turn
    const { bins } = start(turn.dueAt)
    const bin = bins.at(turn.dueAt)
    const reply = outcome === 'answered' && last?.result.kind === 'reply' ? last.result.reply : undefined
    const grounded =
      reply === undefined || contextLost ? undefined : groundedSources.includes(reply.contextSource)
    if (isErrorOutcome(outcome) && outcome !== 'rate_limited') bin.errors += 1
    bin.outcomes.add(outcome)
    if (reply !== undefined) {
      bins.at(last?.at ?? turn.dueAt).answers += 1
      bin.answer({ serviceMs: last?.serviceMs ?? 0, responseMs: responseOf(turn) }, reply, grounded)
    }
    histograms.wait.record(turn.waitMs)
    tally.add(ended, grounded)
  }

  const finishTurn = (record: RecordOf<'outcome'>): void => {
    underWay.endTurn(record.question, record.repeat)
    if (record.outcome === 'skipped') return tally.skip()
    const ended = open.outcome(record)
    if (ended !== undefined) end(ended)
  }

  return {
    account,
    open,
    histograms,
    tally,
    refusals,
    underWay,
    arrive,
    begin,
    settle,
    finishTurn,
    tellStart: (at: number): void => {
      toldStart = at
    },
    overTime: () => started?.bins.finish() ?? null,
    /** `lastAt`: of the last record, milliseconds since the epoch; `isDone`: the test went through its timetable. */
    figures: (lastAt: number, isDone: boolean): LoadFigures => {
      // How long threads arrived: the timetable, or the part of it that was gone through.
      const arriving =
        started === undefined
          ? 0
          : arrivingMs(load.model, isDone, lastAt - started.at, lastDue - started.at) / 1000
      // Calls end after the last arrival too.
      const working = Math.max(arriving, (lastEnd - (started?.at ?? lastEnd)) / 1000)
      const counted = tally.finish(open.threadOf, Math.max(open.open(), underWay.missing()))
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
