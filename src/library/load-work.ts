// How a load test sends: by its timetable, or searching for the limit; and its counts, for progress.
import { estimateLimit } from '../analysis/limit/second-rule.ts'
import { createLiveCounts } from '../analysis/load/live.ts'
import type { FindLimitSettings, LoadOptions } from '../domain/load.ts'
import { verdictOf, type LimitFinding, type LimitRule } from '../domain/limit.ts'
import { announcedRules } from '../pace/hints.ts'
import { findLimit, type EstimateLimit } from '../runner/find-limit.ts'
import { runLoad } from '../runner/load/run-load.ts'
import { createRandomStreams } from '../stats/random.ts'
import { timerClock } from './clock.ts'
import type { Session, Work } from './session.ts'

export function createLoadWork(session: Session): Work {
  const { load: timetable, findLimit: search } = session.manifest
  if (timetable !== null) return timetableWork(session, timetable)
  if (search === undefined) throw new Error('neither a load test nor a search')
  return searchWork(session, search)
}

function timetableWork({ manifest, threads }: Session, plan: LoadOptions): Work {
  const { options, runId } = manifest
  const counts = createLiveCounts(manifest)
  return {
    send: async (ports, stop) =>
      runLoad(
        threads,
        { ...ports, random: createRandomStreams(plan.seed), clock: timerClock },
        plan,
        {
          runId,
          giveUpAfterMs: options.giveUpAfter,
          rotatingIds: options.rotatingIds,
          maxCalls: options.maxCalls ?? undefined,
        },
        stop,
      ),
    note: (record) => counts.add(record),
    progress: (now) => ({ of: 'load', snapshot: counts.snapshot(now) }),
  }
}

function searchWork({ manifest, threads }: Session, plan: FindLimitSettings): Work {
  const { options, runId } = manifest
  let latest: LimitFinding | undefined
  let announced: readonly LimitRule[] = []
  const judge: EstimateLimit = (calls) => {
    const estimated = estimateLimit(calls, announced)
    latest = estimated.finding
    return estimated
  }
  let [sent, ended, refused] = [0, 0, 0]
  let startedAt: number | undefined
  return {
    send: async (ports, stop) => {
      const rules = { runId, giveUpAfterMs: options.giveUpAfter, rotatingIds: options.rotatingIds }
      return findLimit(threads, { ...ports, clock: timerClock }, { ...plan, ...rules }, judge, stop)
    },
    note: (record) => {
      if (record.kind === 'intent') {
        startedAt ??= record.at
        sent += 1
      }
      if (record.kind !== 'result') return
      ended += 1
      if (verdictOf(record.result) === 'refused') refused += 1
      if (announced.length === 0 && 'headers' in record.result)
        announced = announcedRules(record.result.headers)
    },
    progress: (now) => ({
      of: 'search',
      sent,
      budget: plan.budget,
      refused,
      inFlight: sent - ended,
      tookMs: startedAt === undefined ? 0 : Math.max(0, now - startedAt),
      finding: latest ?? null,
    }),
  }
}
