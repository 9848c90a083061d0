// Folds a load test's journal, record by record in bounded memory, into the contents of `load.json`.
import { plannedMs, createArrivalRate } from '../../domain/arrivals.ts'
import { isRateLimited, lackOf } from '../../domain/attempt.ts'
import type { JournalRecord, RecordOf, ResultRecord } from '../../domain/journal.ts'
import type { LoadFigures, LoadReport, OverTime } from '../../domain/load.ts'
import type { LoadManifest } from '../../options/manifest.ts'
import type { Question } from '../../domain/question.ts'
import { type Stop } from '../../domain/stop.ts'
import { stateAfter } from '../verdict.ts'
import { quotaFigures } from '../quota.ts'
import { createRecordTally, type RecordTally } from '../record-tally.ts'
import { createThreads } from '../fold.ts'
import { findLimitInRecord } from '../limit/infer.ts'
import { describeRun } from '../summary.ts'
import { createCounts, createTurnTally } from '../figures.ts'
import { ratio } from '../turns.ts'
import { createDurations, encodeDurations, latencyOf, percentileOf, recordDuration } from './durations.ts'
import { isLoadError, judgeLoad, loadWarnings } from './judge.ts'

/** Each event counts in the bin of its own time. */
export function createLoadFold(manifest: LoadManifest) {
  const { load, options } = manifest
  const tally = createRecordTally()
  const turns = createTurnTally(options.groundedSources, isLoadError)
  const durations = eachDuration(() => createDurations())
  /** Calls that this machine could not send, by what it lacked. */
  const unsent = createCounts()
  const questions: Question[] = []
  const threads = createThreads()
  let bins: LoadBins | undefined
  let [started, dropped, calls, unsentCalls, turnsStarted] = [0, 0, 0, 0, 0]
  /** Milliseconds since the epoch; NaN until there is a value. */
  let [firstDueAt, lastEndAt] = [NaN, NaN]
  let last: ResultRecord | undefined

  const addArrival = (dueAt: number): LoadBins => {
    // The first thread is due when the timetable begins.
    if (bins === undefined) [firstDueAt, bins] = [dueAt, createLoadBins(dueAt, plannedMs(load.model))]
    return bins
  }

  const addIntent = (intent: RecordOf<'intent'>): void => {
    const { at, question, conversation, conversationId, dueAt = at } = intent
    if (conversationId === null && conversation === 1) {
      addArrival(dueAt).binAt(dueAt).started += 1
      started += 1
      turnsStarted += threads.of(question).length
    }
    bins?.setInFlight(at, tally.inFlight.size)
  }

  const addResult = (record: ResultRecord): void => {
    const { at, result, lagMs } = record
    last = record
    bins?.setInFlight(at, tally.inFlight.size)
    if (result.kind === 'abandoned') return
    const lack = lackOf(result)
    if (lack !== undefined) {
      unsentCalls += 1
      unsent.add(lack)
      return
    }
    lastEndAt = at
    calls += 1
    if (lagMs !== undefined) recordDuration(durations.sendLagMs, lagMs)
    const bin = bins?.binAt(at)
    if (bin !== undefined) bin.calls += 1
    if (bin !== undefined && isRateLimited(result)) bin.refused += 1
  }

  const endTurn = ({ at, attempt, question: index, outcome, contextLost }: RecordOf<'outcome'>): void => {
    // A turn's outcome directly follows its last result. A skipped turn has no result.
    const deciding = last?.attempt === attempt ? last : undefined
    const turn = { index, question: questions[index], contextLost, result: deciding?.result }
    if (lackOf(deciding?.result) !== undefined) return turns.add({ ...turn, outcome: undefined })
    turns.add({ ...turn, outcome })
    const bin = bins?.binAt(at)
    if (bin !== undefined && isLoadError(outcome)) bin.errors += 1
    if (deciding === undefined) return
    const { result, waitMs, serviceMs, responseMs = serviceMs } = deciding
    recordDuration(durations.waitMs, waitMs)
    // Without those that hung, response times would look best when the endpoint is at its worst.
    if (outcome === 'answered' || outcome === 'timeout') {
      recordDuration(durations.responseMs, responseMs)
      if (bin !== undefined) recordDuration(bin.responseMs, responseMs)
    }
    if (result.kind !== 'reply') return
    recordDuration(durations.serviceMs, serviceMs)
    if (bin === undefined) return
    bin.answered += 1
    bin.contextSource.add(result.reply.contextSource)
  }

  /** Records in the order of the journal. */
  const add = (record: JournalRecord): void => {
    tally.add(record)
    switch (record.kind) {
      case 'question':
        questions[record.index] = record.question
        return threads.add(record.index, record.question)
      case 'intent':
        return addIntent(record)
      case 'result':
        return addResult(record)
      case 'outcome':
        return endTurn(record)
      case 'dropped':
        addArrival(record.dueAt).binAt(record.dueAt).dropped += 1
        dropped += 1
        return
      case 'sitting':
      case 'set':
      case 'confirm':
      case 'pace':
      case 'restart':
      case 'generator':
      case 'end':
        return
    }
  }

  const figuresOf = ({ usage, rateLimited, lastAt = NaN }: RecordTally, isDone: boolean): LoadFigures => {
    const due = started + dropped
    const planned = plannedMs(load.model)
    // A test that ended early offered until the next thread would have been due: then it only waited for calls in flight.
    const ended =
      load.model.kind === 'closed' ? lastAt - firstDueAt : createArrivalRate(load.model.stages).momentOf(due)
    const arrivingMs = bins === undefined ? 0 : isDone ? planned : Math.min(planned, ended)
    // Calls also end after the last arrival.
    const callsMs = calls === 0 ? arrivingMs : Math.max(arrivingMs, lastEndAt - firstDueAt)
    return {
      offered: { threads: due, rate: ratio(due, arrivingMs / 1000) },
      achieved: {
        threads: started,
        rate: ratio(started, arrivingMs / 1000),
        calls,
        callsPerSecond: ratio(calls, callsMs / 1000),
      },
      dropped: { threads: dropped, rate: ratio(dropped, due) },
      unsent: { calls: unsentCalls, byCause: unsent.finish() },
      ...eachDuration((name) => latencyOf(durations[name])),
      ...turns.finish(turnsStarted),
      quota: quotaFigures(usage, options.quota),
      pacing: { rate429: ratio(rateLimited, calls), rateLimited },
    }
  }

  /** `notes`: warnings from reading the journal. `ended`: why the test ended, if the journal does not record it. */
  const finish = (notes: readonly string[] = [], ended?: Stop): LoadReport => {
    const record = tally.finish()
    const stop = record.stop ?? ended
    const figures = figuresOf(record, stop?.kind === 'done')
    return {
      formatVersion: 2,
      run: describeRun(manifest, record),
      state: stateAfter(stop),
      ...judgeLoad(stop, figures, options.threshold),
      load,
      ...figures,
      limit: findLimitInRecord(record.limitCalls),
      overTime: bins?.finish() ?? null,
      warnings: loadWarnings(figures, manifest, notes, record.lost),
      histograms: { unit: 'microseconds', ...eachDuration((name) => encodeDurations(durations[name])) },
    }
  }

  return { add, addLostIntent: tally.addLostIntent, finish }
}

const DURATIONS = ['serviceMs', 'responseMs', 'waitMs', 'sendLagMs'] as const
type DurationName = (typeof DURATIONS)[number]

const eachDuration = <T>(of: (name: DurationName) => T): Record<DurationName, T> =>
  Object.fromEntries(DURATIONS.map((name) => [name, of(name)] as const)) as Record<DurationName, T>

/** Most bins for the planned arrivals, and most bins in all: calls also end after the last arrival. */
const PLANNED_BINS = 120
const MAX_BINS = 400

type LoadBins = ReturnType<typeof createLoadBins>

const newBin = (inFlight: number) => ({
  started: 0,
  dropped: 0,
  calls: 0,
  refused: 0,
  answered: 0,
  errors: 0,
  /** Calls in flight: the maximum, and at the end of the bin. */
  inFlight,
  inFlightAfter: inFlight,
  responseMs: createDurations(2),
  contextSource: createCounts(),
})

/** `start`: milliseconds since the epoch. `arrivingMs`: the planned time of arrivals. A bin is 1, 2, 4, 8, … seconds wide. */
function createLoadBins(start: number, arrivingMs: number) {
  const bins: ReturnType<typeof newBin>[] = []
  const binMs = 1000 * 2 ** Math.max(0, Math.ceil(Math.log2(arrivingMs / (1000 * PLANNED_BINS))))

  /** `moment`: milliseconds since the epoch. */
  const binAt = (moment: number): ReturnType<typeof newBin> => {
    const place = Math.min(MAX_BINS - 1, Math.max(0, Math.floor((moment - start) / binMs)))
    let bin = bins[place]
    while (bin === undefined) {
      // If no call begins or ends, the calls in flight stay in flight.
      bins.push(newBin(bins.at(-1)?.inFlightAfter ?? 0))
      bin = bins[place]
    }
    return bin
  }
  return {
    binAt,
    /** Records the calls in flight from this moment on. */
    setInFlight: (moment: number, inFlight: number): void => {
      const bin = binAt(moment)
      bin.inFlight = Math.max(bin.inFlight, inFlight)
      bin.inFlightAfter = inFlight
    },
    finish: (): OverTime => ({ from: new Date(start).toISOString(), binMs, bins: bins.map(binFigures) }),
  }
}

function binFigures(bin: ReturnType<typeof newBin>): OverTime['bins'][number] {
  const { responseMs, contextSource, inFlightAfter: _, ...counts } = bin
  return {
    ...counts,
    responseMs: { p50: percentileOf(responseMs, 50), p95: percentileOf(responseMs, 95) },
    contextSource: contextSource.finish(),
  }
}
