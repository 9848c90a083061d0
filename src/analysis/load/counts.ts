// The counts of a load test: its threads, calls and turns, light enough to count while calls are sent.
import { createArrivalRate, plannedMs } from '../../domain/arrivals.ts'
import { factsOf } from '../../domain/attempt.ts'
import { ratio } from '../../domain/counts.ts'
import type { IntentRecord, JournalEvent } from '../../domain/journal.ts'
import type { LoadFigures, LoadModel } from '../../domain/load.ts'
import type { LoadSnapshot } from '../../domain/progress.ts'
import type { Stop } from '../../domain/stop.ts'
import type { Figures } from '../../domain/summary.ts'
import { unsentTurn } from '../../domain/turn.ts'
import type { LoadManifest } from '../../options/manifest.ts'
import { createAccount } from '../figures/account.ts'
import { createCount } from '../figures/figures.ts'
import { createQuestions } from '../figures/fold.ts'
import { isLoadError } from './judge.ts'

export const isArrival = ({ conversationId, conversation }: IntentRecord): boolean =>
  conversationId === null && conversation === 1

const RECENT_MS = 5000

export function createLoadCounts(manifest: LoadManifest) {
  const { load, options } = manifest
  const account = createAccount()
  const questions = createQuestions()
  const turns = createCount({ ...options, isWeighted: false, isError: isLoadError })
  const counts = { started: 0, turnsStarted: 0, dropped: 0, calls: 0 }
  let [startedAt, firstDueAt, lastEndAt]: (number | undefined)[] = []
  const recent: { readonly at: number; readonly calls: number }[] = []
  return {
    account,
    add: (event: JournalEvent): void => {
      account.add(event)
      questions.add(event)
      if (event.kind === 'pace' && event.cause === 'start') startedAt = event.at
      else if (event.kind === 'intent' && isArrival(event)) {
        firstDueAt ??= event.dueAt ?? event.at
        counts.started += 1
        counts.turnsStarted += questions.threadOf(event.question).length
      } else if (event.kind === 'dropped') {
        firstDueAt ??= event.dueAt
        counts.dropped += 1
      } else if (event.kind === 'result') {
        // The harness canceled it.
        if (event.result.kind === 'abandoned') return
        counts.calls += 1
        lastEndAt = event.at
      } else if (event.kind === 'turnEnded') {
        const question = questions.all[event.question]
        // It counts as not sent if its question is lost.
        if (question === undefined) return
        const { outcome, contextLost, result, repeat } = event
        const facts = factsOf(result?.result)
        turns.add([{ ...unsentTurn(event.question, question, repeat), outcome, contextLost, facts }])
      }
    },
    snapshot: (now: number): LoadSnapshot => {
      const { calls, dropped } = counts
      recent.push({ at: now, calls })
      while (recent.length > 2 && (recent[0]?.at ?? now) < now - RECENT_MS) recent.shift()
      const since = recent[0] ?? { at: now, calls }
      return {
        inFlight: account.inFlight.size,
        calls,
        refused: account.counts.rateLimited,
        dropped,
        ...turns.soFar(),
        elapsedMs: startedAt === undefined ? 0 : Math.max(0, now - startedAt),
        plannedMs: plannedMs(load.model),
        callRate: ratio(calls - since.calls, (now - since.at) / 1000),
      }
    },
    figures: (ended?: Stop) => {
      const { started, dropped, calls, turnsStarted } = counts
      const due = started + dropped
      const { stop = ended, lastAt = 0 } = account.totals()
      const arrivingMs = firstDueAt === undefined ? 0 : arrivedMs(load.model, stop, due, lastAt - firstDueAt)
      // Calls also end after the last arrival.
      const callsMs =
        calls === 0 ? arrivingMs : Math.max(arrivingMs, (lastEndAt ?? NaN) - (firstDueAt ?? NaN))
      return {
        offered: { threads: due, rate: ratio(due, arrivingMs / 1000) },
        achieved: {
          threads: started,
          rate: ratio(started, arrivingMs / 1000),
          calls,
          callsPerSecond: ratio(calls, callsMs / 1000),
        },
        dropped: { threads: dropped, rate: ratio(dropped, due) },
        ...withoutGrades(turns.finish(turnsStarted)),
      } satisfies Partial<LoadFigures>
    },
  }
}

/** A load test grades nothing, and has its times in histograms. */
const withoutGrades = ({ turns, contextSource, status, coverage, errors }: Figures) => {
  return { turns, contextSource, status, coverage, errors }
}

/** Is the time that brings `due` threads, so that rates are those of the timetable: 2 at 0.4/s take 5 s. */
function arrivedMs(model: LoadModel, stop: Stop | undefined, due: number, ranMs: number): number {
  const planned = plannedMs(model)
  if (model.kind === 'closed') return stop?.kind === 'done' ? planned : Math.min(planned, Math.max(0, ranMs))
  const { expected, momentOf } = createArrivalRate(model.stages)
  // A test that ended early offered until the next thread would have been due: then it only waited for calls
  // in flight.
  const nextMs = stop?.kind === 'done' ? Infinity : momentOf(due)
  return nextMs < planned ? nextMs : planned * Math.max(1, due / expected || 0)
}
