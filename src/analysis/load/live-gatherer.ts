// What a terminal shows of a load test as it goes, and nothing else: the report is made from the journal afterwards.
import type { JournalRecord } from '../../domain/journal.ts'
import type { LoadSnapshot } from '../../domain/load/load-snapshot.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { isErrorOutcome } from '../../domain/outcome.ts'
import { createLiveView } from './live.ts'
import { requireLoad } from './load-run.ts'
import { createOpenTurns, type EndedTurn } from './open-turns.ts'
import { startOf } from './timetable-rate.ts'
import { responseOf } from './turn-tally.ts'

export interface LiveGatherer {
  /** Records in the order of the journal. */
  add(record: JournalRecord): void
  /** `at` is now, milliseconds since the epoch. */
  live(at: number): LoadSnapshot
}

/** A tenth of the work of the whole gatherer. Throws Error where the manifest is not that of a load test. */
export function createLiveGatherer(manifest: Manifest): LiveGatherer {
  const load = requireLoad(manifest)
  const { groundedSources } = manifest.options
  const open = createOpenTurns()
  const view = createLiveView(load)
  let [toldStart, startedAt]: (number | undefined)[] = []

  const arrive = (dueAt: number, isDropped: boolean): void => {
    startedAt ??= startOf(load.model, toldStart, dueAt)
    view.arrive(dueAt, isDropped)
  }
  const end = ({ turn, outcome, contextLost }: EndedTurn): void => {
    const { last } = turn
    const reply = outcome === 'answered' && last?.result.kind === 'reply' ? last.result.reply : undefined
    view.end(last?.at ?? turn.dueAt, {
      responseMs: reply === undefined ? undefined : responseOf(turn),
      grounded:
        reply === undefined || contextLost ? undefined : groundedSources.includes(reply.contextSource),
      isFailed: isErrorOutcome(outcome) && outcome !== 'rate_limited',
    })
  }

  return {
    add: (record) => {
      switch (record.kind) {
        case 'question':
          return open.question(record.index, record.question)
        case 'intent': {
          const { turn, isNew } = open.intent(record)
          if (isNew && turn.opens) arrive(turn.dueAt, false)
          return
        }
        case 'result': {
          const { result, at } = record
          if (open.result(record) === undefined || result.kind === 'abandoned') return
          return view.call(at, result.kind === 'rejection' && result.httpStatus === 429)
        }
        case 'outcome': {
          const ended = open.outcome(record)
          return ended === undefined ? undefined : end(ended)
        }
        case 'dropped':
          return arrive(record.dueAt, true)
        case 'generator':
          return view.generator(record)
        case 'pace':
          if (record.cause === 'start') toldStart = record.at
          return
        case 'sitting':
        case 'set':
        case 'restart':
        case 'confirm':
        case 'end':
          return
      }
    },
    live: (at) => view.snapshot(at, open.inFlight(), startedAt),
  }
}
