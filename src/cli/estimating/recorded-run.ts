// What a recorded run tells of the next one: how long answers take, and how fast the endpoint lets calls through.
import type { AnswerTimes } from '../../analysis/estimate/time.ts'
import type { Question } from '../../domain/question.ts'
import type { Summary } from '../../domain/summary.ts'
import { openRun } from '../comparing/compared-run.ts'
import { UsageError } from '../usage-error.ts'

export interface RecordedPace {
  /** Calls a second that the limit lets through; undefined where it was not met. */
  readonly limit: number | undefined
  /** Calls a second that it came to without meeting a limit; undefined where it met one, or did not pace. */
  readonly reached: number | undefined
  /** Calls in flight that the endpoint allows, where it met such a limit. */
  readonly atOnce: number | undefined
}

export interface RecordedTimes extends RecordedPace {
  readonly answers: AnswerTimes
}

/** What a load test shows is how long answers take under the load that it offered, which a run paces itself to avoid. */
const NOT_FROM_LOAD =
  'its answer times are those of the load that it offered, not of a run that paces itself; name a recorded run with --from, or say --answer-time with the median of load.json (serviceMs.p50)'

/** Throws UsageError where the folder holds no run, or none that was answered. */
export async function readRecordedTimes(path: string): Promise<RecordedTimes> {
  const run = await openRun(path, NOT_FROM_LOAD)
  try {
    const { turns, summary } = await run.read(run.questions, run.manifest?.options.groundedSources ?? [])
    const [byId, byTurn, all] = [new Map<string, Mean>(), new Map<number, Mean>(), newMean()]
    for (const { id, turn, outcome, serviceMs } of turns)
      if (outcome === 'answered' && serviceMs !== undefined) {
        add(meanOf(byId, id), serviceMs)
        add(meanOf(byTurn, turn), serviceMs)
        add(all, serviceMs)
      }
    if (all.count === 0) throw new UsageError(`--from ${path}: no question was answered in this run`)
    // The question itself where it was asked, else questions at its place in their conversations.
    const of = ({ id, turn }: Question): number => valueOf(byId.get(id) ?? byTurn.get(turn) ?? all)
    return { answers: { source: 'run', of }, ...paceOf(summary) }
  } finally {
    run.close()
  }
}

function paceOf(summary: Summary | undefined): RecordedPace {
  const { limit, changes } = summary?.pacing ?? { limit: null, changes: [] }
  const paces = changes.flatMap(({ pace }) => (pace === null ? [] : [pace]))
  const reached = limit === null && paces.length > 0 ? Math.max(...paces) : undefined
  return { limit: limit?.perSecond ?? undefined, reached, atOnce: limit?.atOnce ?? undefined }
}

interface Mean {
  sum: number
  count: number
}

const newMean = (): Mean => ({ sum: 0, count: 0 })
const valueOf = ({ sum, count }: Mean): number => sum / count

function meanOf<K>(means: Map<K, Mean>, key: K): Mean {
  const mean = means.get(key) ?? newMean()
  means.set(key, mean)
  return mean
}

function add(mean: Mean, value: number): void {
  mean.sum += value
  mean.count += 1
}
