// A run's summary: its figures overall and by tag, its gates and verdict, what a reader must be warned of, and the lists that reports show.
import { describeError } from '../domain/attempt.ts'
import type { Manifest } from '../domain/manifest.ts'
import type {
  MustPassResult,
  FailedQuestion,
  Figures,
  Summary,
  SummaryDetails,
  RepeatedQuestion,
} from '../domain/summary.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import type { Question } from '../domain/question.ts'
import { stateAfter } from './verdict.ts'
import { type Asked, foldRepeats, isFlaky, mustPassOf } from './asked.ts'
import { createFiguresGatherer, type FiguresGatherer } from './figures.ts'
import { type Model, threadKey } from './fold.ts'
import { clusterGaps, createGapGatherer } from './gaps/cluster.ts'
import { judgeGates, judgeShard, reasonsOf, shardResult, verdictOfShard } from './gates/judge.ts'
import { parseThreshold } from './gates/threshold.ts'
import { findLimitInRecord } from './limit/infer.ts'
import { withUnsent } from './turn-tally.ts'
import { accountWithin } from './account.ts'
import { ratio } from './turns.ts'
import { judge, textOf } from './verdict.ts'
import { warnOf } from './warnings.ts'

export interface Summarised {
  readonly summary: Summary
  readonly details: SummaryDetails
}

const MOST_FAILURES = 200
const MOST_FLAKY = 1000
const MOST_GAPS = 200
/** Beyond so many gaps only the heaviest are grouped: it would take minutes. */
const MOST_CLUSTERED = 2000
/** So many messages of a set tell which words are common in it. */
const MOST_BACKGROUND = 5000

/** `notes`: what was odd while the journals were read. Without `lists` nothing is gathered beside the figures. */
export function createSummariser(
  manifest: Manifest,
  model: Model<unknown>,
  notes: readonly string[],
  lists = true,
) {
  const { groundedSources, passPolicy, quota } = manifest.options
  const newFigures = (): FiguresGatherer => createFiguresGatherer(groundedSources, passPolicy, quota)
  const overall = newFigures()
  const byTag = new Map<string, FiguresGatherer>()
  const gaps = createGapGatherer(groundedSources, MOST_CLUSTERED)
  const failures = createList<FailedQuestion>(MOST_FAILURES)
  const errors = createList<FailedQuestion>(MOST_FAILURES)
  const flaky = createList<{ readonly question: RepeatedQuestion; readonly message: string }>(MOST_FLAKY)
  const mustPass: MustPassResult[] = []
  const threads = new Set<string>()

  const figuresOf = (tag: string): FiguresGatherer => {
    const known = byTag.get(tag) ?? newFigures()
    byTag.set(tag, known)
    return known
  }
  return {
    /** Questions in the order of the set, each with its repeats. */
    add: (repeats: Asked): void => {
      const [first, ...others] = repeats
      if (first === undefined) return
      const { id, message, tags } = first.turn.question
      threads.add(threadKey(first.turn.question))
      const distinct = [...new Set(tags)].map(figuresOf)
      for (const figures of [overall, ...distinct]) figures.add(repeats)
      const broken = mustPassOf(repeats, passPolicy)
      if (broken !== undefined) mustPass.push(broken)
      if (!lists) return
      gaps.add(repeats.map(({ turn }) => turn))
      const failed = failureOf(repeats)
      if (failed !== undefined) failures.add({ id, message, why: failed })
      const error = errorOf(repeats)
      if (error !== undefined) errors.add({ id, message, why: [error] })
      const folded = others.length === 0 ? undefined : foldRepeats([first, ...others], groundedSources)
      if (folded !== undefined && isFlaky(folded)) flaky.add({ question: folded, message })
    },
    finish: (): Summarised => {
      // Attempts whose turn is lost were paid all the same.
      const paid = { ...overall.finish(), quota: accountWithin(model.usage, quota) }
      const figures = { ...paid, turns: withUnsent(paid.turns, expectedTurns(manifest, model)) }
      const inOrder = [...byTag].sort(([a], [b]) => (a < b ? -1 : 1))
      const tags = Object.fromEntries(inOrder.map(([tag, gatherer]) => [tag, gatherer.finish()]))
      const pacing = pacingOf(model, figures)
      const judged = judgeRun(manifest, model, { ...figures, pacing, tags }, mustPass)
      const { options, shard } = manifest
      const { heaviest, count } = gaps.finish()
      const clusters = clusterGaps(heaviest, messagesOf(model.questions))
      return {
        summary: {
          formatVersion: 2,
          run: describeRun(manifest, model),
          state: stateAfter(model.stop),
          verdict: judged.verdict,
          exitCode: judged.exitCode,
          reason: textOf(judged.reasons),
          reasons: [...judged.reasons],
          ...(shard === undefined ? {} : { shard: shardResult(shard, options) }),
          ...figures,
          pacing,
          tags,
          thresholds: [...judged.thresholds],
          gates: [...judged.gates],
          mustPass,
          comparison: null,
          reviews: null,
          warnings: warnOf(figures, manifest, model, notes),
          flaky: flaky.items.map(({ question }) => question),
          gaps: clusters.slice(0, MOST_GAPS).map(({ name, weight, questions }) => ({
            name,
            weight,
            questions: questions.map(({ id }) => id),
          })),
        },
        details: {
          threads: threads.size,
          failures,
          errors,
          gaps: { count, items: clusters },
          flaky: {
            count: flaky.count,
            items: flaky.items.map(({ question: { id, passRate, groundingRate }, message }) => ({
              id,
              message,
              passRate,
              groundingRate,
            })),
          },
          awaited: [],
        },
      }
    },
  }
}

function createList<T>(most: number) {
  const list = { count: 0, items: [] as T[], add }
  function add(one: T): void {
    list.count += 1
    if (list.items.length < most) list.items.push(one)
  }
  return list
}

/** Of questions spread over the whole set. */
function messagesOf(questions: readonly (Question | undefined)[]): string[] {
  const step = Math.max(1, Math.ceil(questions.length / MOST_BACKGROUND))
  return questions.flatMap((question, place) =>
    question === undefined || place % step !== 0 ? [] : [question.message],
  )
}

/** What was wrong with the first answer that fails the question; undefined where it fails nothing. */
function failureOf(repeats: Asked): string[] | undefined {
  const failed = repeats.filter(({ grade, forgiven }) => grade.kind === 'failed' && forgiven === undefined)
  const grade = failed[0]?.grade
  if (grade?.kind !== 'failed') return undefined
  const often = repeats.length === 1 ? [] : [`failed ${failed.length} of ${repeats.length} times`]
  return [...often, ...grade.failures.map(({ sentence }) => sentence)]
}

const LONGEST_ERROR = 300

function errorOf(repeats: Asked): string | undefined {
  const turn = repeats
    .map((one) => one.turn)
    .find(({ outcome }) => outcome !== undefined && isErrorOutcome(outcome))
  if (turn?.outcome === undefined) return undefined
  const text = describeError(turn.result)?.slice(0, LONGEST_ERROR) ?? ''
  return `${turn.outcome.replaceAll('_', ' ')}${text === '' ? '' : `: ${text}`}`
}

/** Its gates, and the verdict that they come to. */
function judgeRun(
  { options, shard }: Manifest,
  { stop }: Model<unknown>,
  figures: Figures & Pick<Summary, 'pacing' | 'tags'>,
  mustPass: MustPassResult[],
) {
  const thresholds = options.threshold.flatMap((expression) => {
    const parsed = parseThreshold(expression)
    return parsed.kind === 'threshold' ? [parsed.threshold] : []
  })
  const judged =
    shard === undefined
      ? judgeGates(thresholds, figures, mustPass)
      : { thresholds: [], gates: judgeShard(thresholds, options, figures, mustPass) }
  const whole = judge(stop, figures, reasonsOf(judged.gates))
  return { ...judged, ...(shard === undefined ? whole : verdictOfShard(whole, shard)) }
}

/** What a summary says of the run itself: whom it sent what, when, and by which rules. */
export function describeRun(
  { runId, harnessVersion, target, datasets, options, startedAt, endedAt }: Manifest,
  { sessions, lastAt }: Pick<Model<unknown>, 'sessions' | 'lastAt'>,
): Summary['run'] {
  return {
    id: runId,
    harnessVersion,
    target: target.name,
    organization: target.organization,
    origin: target.baseUrl,
    datasets: datasets.map(({ path, digest, turns }) => ({ path, digest, turns })),
    startedAt,
    // The last record stands for an end that was not written.
    endedAt: endedAt ?? (lastAt === undefined ? null : toIso(lastAt)),
    sessions,
    groundedSources: options.groundedSources,
    quota: options.quota,
  }
}

const pacingOf = (model: Model<unknown>, { quota }: Figures): Summary['pacing'] => ({
  rate429: ratio(model.rateLimited, quota.attempts),
  rateLimited: model.rateLimited,
  limit: findLimitInRecord(model.limitCalls),
  calls: model.calls,
  changes: model.paceChanges.map(({ at, pace, pausedUntil, cause }) => ({
    at: toIso(at),
    pace,
    ...(pausedUntil === undefined ? {} : { pausedUntil: toIso(pausedUntil) }),
    cause,
  })),
  changesLeftOut: model.paceChangesLeftOut,
})

/** Journals of version 0.1.0 do not say how many turns they hold; the manifest does. */
function expectedTurns({ datasets }: Manifest, { slots, set }: Model<unknown>): number {
  if (set !== undefined) return slots.length
  const turns = datasets.reduce((sum, dataset) => sum + dataset.turns, 0)
  return Math.max(slots.length, turns)
}

const toIso = (at: number): string => new Date(at).toISOString()
