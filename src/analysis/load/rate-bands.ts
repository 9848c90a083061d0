// Turns by the rate at which threads were to arrive when they fell due.
import type { RateBand } from '../../domain/load/rate-bands.ts'
import type { LoadModel } from '../../domain/load/load-options.ts'
import { isErrorOutcome, OUTCOMES } from '../../domain/outcome.ts'
import type { EndedTurn } from './open-turns.ts'
import { bandAt, bandsOf, rateAt } from './timetable-rate.ts'
import { createTurnTally, type TurnTally } from './turn-tally.ts'

export type BandOfTurns = Omit<RateBand, 'from' | 'to'>

export interface RateBands {
  /** A thread was due so many milliseconds after the start. */
  due(since: number, isDropped: boolean): void
  /** `since`: when the turn was due; `grounded` is undefined where the turn has no answer with its context. */
  add(since: number, ended: EndedTurn, grounded: boolean | undefined): void
  finish(threadOf: (question: number) => number): RateBand[]
  /** Turns due after the timetable; null where there were none. */
  finishAfter(threadOf: (question: number) => number): BandOfTurns | null
}

export function createRateBands(model: LoadModel): RateBands {
  const edges = bandsOf(model)
  const newTally = (): BandTally => ({ threads: 0, dropped: 0, errors: 0, turns: createTurnTally(2) })
  const tallies = edges.map(newTally)
  const after = newTally()

  const at = (since: number): (typeof tallies)[number] | undefined => {
    const rate = rateAt(model, since)
    const place = rate === undefined ? undefined : bandAt(edges, rate)
    return place === undefined ? undefined : tallies[place]
  }

  return {
    due: (since, isDropped) => {
      const found = at(since)
      if (found === undefined) return
      found.threads += 1
      if (isDropped) found.dropped += 1
    },
    add: (since, ended, grounded) => {
      // Users who loop have no arrivals by the rate at all.
      if (edges.length === 0) return
      const found = at(since) ?? after
      found.turns.add(ended, grounded)
      if (isErrorOutcome(ended.outcome) && ended.outcome !== 'rate_limited') found.errors += 1
    },
    finish: (threadOf) =>
      edges.flatMap(({ from, to }, place) => {
        const tally = tallies[place]
        // All of a band may lie in the warm-up.
        const isEmpty = tally === undefined || tally.threads + tally.turns.turns.total === 0
        return isEmpty ? [] : [{ from, to, ...closeBand(tally, threadOf) }]
      }),
    finishAfter: (threadOf) =>
      edges.length === 0 || after.turns.turns.total === 0 ? null : closeBand(after, threadOf),
  }
}

interface BandTally {
  threads: number
  dropped: number
  errors: number
  readonly turns: TurnTally
}

function closeBand(
  { threads, dropped, errors, turns: tally }: BandTally,
  threadOf: (question: number) => number,
): BandOfTurns {
  const { turns, contextSource, status, coverage } = tally.finish(threadOf, 0)
  return {
    threads,
    dropped,
    answered: turns.answered,
    refused: turns.rate_limited,
    errors,
    outcomes: Object.fromEntries(
      OUTCOMES.filter((outcome) => turns[outcome] > 0).map((outcome) => [outcome, turns[outcome]]),
    ),
    contextSource,
    status,
    coverage,
    serviceMs: tally.service.latency(),
    responseMs: tally.response.latency(),
  }
}
