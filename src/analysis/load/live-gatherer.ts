// What a terminal shows of a load test as it goes, and nothing else: the report is made from the journal afterwards.
import type { IntentRecord, JournalRecord, ResultRecord } from '../../domain/journal.ts'
import type { LoadSnapshot } from '../../domain/load.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { isErrorOutcome } from '../../domain/outcome.ts'
import { createLiveView } from './live.ts'
import { requireLoad } from './load-run.ts'
import { startOf } from './timetable-rate.ts'

export interface LiveGatherer {
  /** Records in the order of the journal. */
  add(record: JournalRecord): void
  /** `at` is now, milliseconds since the epoch. */
  live(at: number): LoadSnapshot
}

type OutcomeRecord = Extract<JournalRecord, { kind: 'outcome' }>

/**
 * A tenth of the work of the whole gatherer, as every call waits for it: a turn's outcome follows its last result at once in a test
 * that is under way, so nothing is looked up. Throws Error where the manifest is not that of a load test.
 */
export function createLiveGatherer(manifest: Manifest): LiveGatherer {
  const load = requireLoad(manifest)
  const { groundedSources } = manifest.options
  const view = createLiveView(load)
  let last: ResultRecord | undefined
  let inFlight = 0
  let [toldStart, startedAt]: (number | undefined)[] = []

  const arrive = (dueAt: number, isDropped: boolean): void => {
    startedAt ??= startOf(load.model, toldStart, dueAt)
    view.arrive(dueAt, isDropped)
  }
  const begin = ({ at, dueAt = at, conversation, conversationId }: IntentRecord): void => {
    inFlight += 1
    if (conversation === 1 && conversationId === null) arrive(dueAt, false)
  }
  const end = ({ at, outcome, attempt, contextLost }: OutcomeRecord): void => {
    // A skipped turn was never asked.
    if (attempt === undefined) return
    const result = last?.attempt === attempt ? last : undefined
    const reply = outcome === 'answered' && result?.result.kind === 'reply' ? result.result.reply : undefined
    view.end(result?.at ?? at, {
      responseMs: reply === undefined ? undefined : result?.responseMs,
      grounded:
        reply === undefined || contextLost ? undefined : groundedSources.includes(reply.contextSource),
      isFailed: isErrorOutcome(outcome) && outcome !== 'rate_limited',
    })
  }

  return {
    add: (record) => {
      switch (record.kind) {
        case 'intent':
          return begin(record)
        case 'result':
          inFlight -= 1
          last = record
          if (record.result.kind === 'abandoned') return
          return view.call(record.at, record.result.kind === 'rejection' && record.result.httpStatus === 429)
        case 'outcome':
          return end(record)
        case 'dropped':
          return arrive(record.dueAt, true)
        case 'pace':
          if (record.cause === 'start') toldStart = record.at
          return
        case 'question':
        case 'sitting':
        case 'set':
        case 'restart':
        case 'confirm':
        case 'generator':
        case 'end':
          return
      }
    },
    live: (at) => view.snapshot(at, inFlight, startedAt),
  }
}
