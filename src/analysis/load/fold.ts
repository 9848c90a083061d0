// A load test's journal, folded record by record in bounded memory into what `load.json` holds.
import { errorCodeOf } from '../../domain/attempt.ts'
import type { JournalRecord, ResultRecord } from '../../domain/journal.ts'
import { type LoadFigures, type LoadReport, plannedMs } from '../../domain/load.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { isErrorOutcome, OUTCOMES } from '../../domain/outcome.ts'
import type { Question } from '../../domain/question.ts'
import { stateAfter, type Stop } from '../../domain/stop.ts'
import type { Coverage, TurnCounts } from '../../domain/summary.ts'
import { coverageOf, createThreadTallies } from '../coverage.ts'
import { describeRun } from '../describe-run.ts'
import { findLimitInRecord } from '../limit/find-in-record.ts'
import { createCallGatherer } from '../limit/gather-calls.ts'
import { accountWithin } from '../turns.ts'
import { ratio } from '../turns.ts'
import { threadKey } from '../fold.ts'
import { createCallAccount } from './call-account.ts'
import { createDurations, encodeDurations, latencyOf, recordDuration } from './durations.ts'
import { judgeLoad, warnOfLoad } from './judge.ts'
import { createLoadBins, createValueCounts, type LoadBins } from './over-time.ts'

type RecordOf<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>

export interface LoadFold {
  /** Records in the order of the journal. */
  add(record: JournalRecord): void
  /** A line that cannot be read, and may have been the intent of a call that was sent. */
  addLostIntent(): void
  /** `notes`: what was odd in the journal. `ended`: why the test ended, where the journal could not say it. */
  finish(notes?: readonly string[], ended?: Stop): LoadReport
}

/** Everything counts in the moment in which it happened. Throws Error where the manifest is not that of a load test. */
export function createLoadFold(manifest: Manifest): LoadFold {
  const { load, options } = manifest
  if (load === null) throw new Error(`${manifest.runId} is no load test`)
  const account = createCallAccount()
  const limit = createCallGatherer()
  /** Memory grows with the set, and not with the calls. */
  const questions: Question[] = []
  const turnsOfThread = new Map<string, number>()
  const answers = new Map<number, { answered: number; grounded: number }>()
  const [service, response, wait, sendLag] = [
    createDurations(),
    createDurations(),
    createDurations(),
    createDurations(),
  ]
  const turns = Object.fromEntries(
    ['total', ...OUTCOMES, 'contextLost', 'notAsked'].map((name) => [name, 0]),
  ) as TurnCounts
  const [contextSource, status, refusedByCode] = [
    createValueCounts(),
    createValueCounts(),
    createValueCounts(),
  ]
  const [byOutcome, byHttpStatus, byCode] = [createValueCounts(), createValueCounts(), createValueCounts()]
  const inFlight = new Set<number>()
  let bins: LoadBins | undefined
  let [started, dropped, calls, refused, errors] = [0, 0, 0, 0, 0]
  /** Milliseconds since the epoch; NaN before there is one. */
  let [firstDueAt, lastDueAt, lastEndAt, lastAt] = [NaN, NaN, NaN, NaN]
  let sittings = 0
  /** Turns of the threads that were started. */
  let toEnd = 0
  let stop: Stop | undefined
  let last: ResultRecord | undefined

  const arrive = (dueAt: number): LoadBins => {
    // The first thread of a timetable is due as it begins.
    if (bins === undefined) [firstDueAt, bins] = [dueAt, createLoadBins(dueAt, plannedMs(load.model))]
    lastDueAt = dueAt
    return bins
  }

  const addQuestion = ({ index, question }: RecordOf<'question'>): void => {
    const thread = threadKey(question)
    if (questions[index] === undefined) turnsOfThread.set(thread, (turnsOfThread.get(thread) ?? 0) + 1)
    questions[index] = question
  }

  const begin = (intent: RecordOf<'intent'>): void => {
    const { at, attempt, question, conversation, conversationId, dueAt = at } = intent
    account.begin(attempt)
    inFlight.add(attempt)
    if (conversationId === null && conversation === 1) {
      arrive(dueAt).at(dueAt).started += 1
      started += 1
      const own = questions[question]
      toEnd += own === undefined ? 1 : (turnsOfThread.get(threadKey(own)) ?? 1)
    }
    bins?.fly(at, inFlight.size)
  }

  const settle = (record: ResultRecord): void => {
    const { at, attempt, result, lagMs } = record
    last = record
    const isKnown = inFlight.delete(attempt)
    account.settle(attempt, result, isKnown)
    bins?.fly(at, inFlight.size)
    if (!isKnown || result.kind === 'abandoned') return
    lastEndAt = at
    calls += 1
    if (lagMs !== undefined) recordDuration(sendLag, lagMs)
    const bin = bins?.at(at)
    if (bin !== undefined) bin.calls += 1
    if (result.kind !== 'rejection' || result.httpStatus !== 429) return
    refused += 1
    if (bin !== undefined) bin.refused += 1
    refusedByCode.add(errorCodeOf(result) ?? 'none')
  }

  const countAnswer = (question: number, isGrounded: boolean): void => {
    const known = answers.get(question) ?? { answered: 0, grounded: 0 }
    answers.set(question, known)
    known.answered += 1
    if (isGrounded) known.grounded += 1
  }

  const endTurn = ({ at, attempt, question, outcome, contextLost }: RecordOf<'outcome'>): void => {
    turns.total += 1
    turns[outcome] += 1
    if (contextLost) turns.contextLost += 1
    // A turn's outcome follows its last result at once; of a skipped turn there is none.
    const deciding = last?.attempt === attempt ? last : undefined
    if (deciding !== undefined) recordDuration(wait, deciding.waitMs)
    const bin = bins?.at(at)
    if (outcome === 'answered' && deciding?.result.kind === 'reply') {
      const { reply } = deciding.result
      const { serviceMs, responseMs = serviceMs } = deciding
      contextSource.add(reply.contextSource)
      status.add(reply.status)
      recordDuration(service, serviceMs)
      recordDuration(response, responseMs)
      if (!contextLost) countAnswer(question, options.groundedSources.includes(reply.contextSource))
      if (bin === undefined) return
      bin.answered += 1
      bin.contextSource.add(reply.contextSource)
      recordDuration(bin.responseMs, responseMs)
    } else if (isErrorOutcome(outcome) && outcome !== 'rate_limited') {
      const result = deciding?.result
      errors += 1
      if (bin !== undefined) bin.errors += 1
      byOutcome.add(outcome)
      byHttpStatus.add(result !== undefined && 'httpStatus' in result ? String(result.httpStatus) : 'none')
      byCode.add(errorCodeOf(result) ?? 'none')
    }
  }

  const add = (record: JournalRecord): void => {
    limit.add(record)
    if (record.kind !== 'question') lastAt = record.at
    switch (record.kind) {
      case 'sitting':
        sittings += 1
        return account.sit()
      case 'question':
        return addQuestion(record)
      case 'intent':
        return begin(record)
      case 'result':
        return settle(record)
      case 'outcome':
        return endTurn(record)
      case 'dropped':
        arrive(record.dueAt).at(record.dueAt).dropped += 1
        dropped += 1
        return
      case 'end':
        stop = record.stop
        return
      case 'set':
      case 'confirm':
      case 'pace':
      case 'restart':
      case 'generator':
        return
    }
  }

  const coverage = (): Coverage => {
    const tallies = createThreadTallies()
    for (const [index, { answered, grounded }] of answers) {
      const question = questions[index]
      if (question === undefined) continue
      for (let one = 0; one < answered; one += 1) tallies.add({ index, question }, one < grounded)
    }
    const lostToErrors = errors + turns.rate_limited + turns.skipped
    return coverageOf(tallies.finish(), { errors: lostToErrors, context: turns.contextLost })
  }

  const figuresOf = (isDone: boolean): LoadFigures => {
    const due = started + dropped
    const planned = plannedMs(load.model)
    // Of a test that ended early: until the next thread was due, or its end.
    const untilNext = ((lastDueAt - firstDueAt) * due) / (due - 1)
    const ran = Math.min(planned, lastAt - firstDueAt, due > 1 ? untilNext : Infinity)
    const arrivingMs = bins === undefined ? 0 : isDone ? planned : ran
    // Calls end after the last arrival, too.
    const callsMs = calls === 0 ? arrivingMs : Math.max(arrivingMs, lastEndAt - firstDueAt)
    const asked = turns.total - turns.skipped
    const notAsked = Math.max(0, toEnd - turns.total)
    return {
      offered: { threads: due, rate: ratio(due, arrivingMs / 1000) },
      achieved: {
        threads: started,
        rate: ratio(started, arrivingMs / 1000),
        calls,
        callsPerSecond: ratio(calls, callsMs / 1000),
      },
      dropped: { threads: dropped, rate: ratio(dropped, due) },
      serviceMs: latencyOf(service),
      responseMs: latencyOf(response),
      waitMs: latencyOf(wait),
      sendLagMs: latencyOf(sendLag),
      turns: { ...turns, total: turns.total + notAsked, notAsked },
      contextSource: contextSource.finish(),
      status: status.finish(),
      coverage: coverage(),
      errors: {
        rate: ratio(errors, asked),
        errors,
        asked,
        byOutcome: byOutcome.finish(),
        byHttpStatus: byHttpStatus.finish(),
        byCode: byCode.finish(),
      },
      quota: accountWithin(account.finish().usage, options.quota),
      pacing: { rate429: ratio(refused, calls), rateLimited: refused },
    }
  }

  const finish = (notes: readonly string[] = [], ended?: Stop): LoadReport => {
    const why = stop ?? ended
    const figures = figuresOf(why?.kind === 'done')
    const refusals = { byCode: refusedByCode.finish() }
    const { thresholds, ...judged } = judgeLoad(why, figures, options.threshold, refusals.byCode)
    return {
      formatVersion: 2,
      run: describeRun(manifest, { sessions: sittings, lastAt: Number.isNaN(lastAt) ? undefined : lastAt }),
      state: stateAfter(why),
      ...judged,
      load,
      ...figures,
      refusals,
      limit: findLimitInRecord(limit.finish()),
      overTime: bins?.finish() ?? null,
      thresholds,
      warnings: warnOfLoad(figures, manifest, notes, account.finish().lost),
      histograms: {
        unit: 'microseconds',
        serviceMs: encodeDurations(service),
        responseMs: encodeDurations(response),
        waitMs: encodeDurations(wait),
        sendLagMs: encodeDurations(sendLag),
      },
    }
  }

  return { add, addLostIntent: account.lose, finish }
}
