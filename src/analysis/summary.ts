// A run's summary: figures overall and by tag, gates, verdict, warnings, and the lists that reports show.
import type { Manifest } from '../options/manifest.ts'
import type { MustPassResult, Figures, RepeatedQuestion, Summary, SummaryDetails } from '../domain/summary.ts'
import type { Question } from '../domain/question.ts'
import type { Reviewing } from '../domain/review.ts'
import { compareTexts } from '../domain/text.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { type Repeats, summariseRepeats, isFlaky, mustPassOf } from './repeats.ts'
import { createFiguresCollector, type FiguresCollector } from './figures.ts'
import type { Model } from './fold.ts'
import { threadKey } from './questions.ts'
import { clusterGaps, createGapCollector } from './gaps/cluster.ts'
import { shardGates, judgeGates, reasonsOf, shardVerdict } from './gates/judge.ts'
import { parseThreshold } from './gates/threshold.ts'
import { findLimitInRecord } from './limit/infer.ts'
import { quotaFigures } from './quota.ts'
import { ratio } from './turns.ts'
import { createReviewTally } from './reviews/book.ts'
import { judge, stateAfter, joinReasons } from './verdict.ts'
import { runWarnings } from './warnings.ts'

const MAX_GAPS = 200
/** Only the heaviest gaps are grouped: more would take minutes. */
const MAX_CLUSTERED = 2000
/** This many messages show which words are common in a set. */
const MAX_BACKGROUND = 5000

type ReviewingOf = (turn: TurnRecord) => Reviewing

/** A run read from its journals. `notes` are warnings from reading them. */
interface ReadRun {
  readonly manifest: Manifest
  readonly model: Model
  readonly notes: readonly string[]
}

/**
 * One pass over the questions and their repeats, in the order of the set. `lists: false` skips gaps, flaky
 * questions and slow answers.
 */
export function summarise(
  questions: Iterable<Repeats>,
  { manifest, model, notes }: ReadRun,
  { reviewingOf, lists = true }: { reviewingOf?: ReviewingOf | undefined; lists?: boolean } = {},
) {
  const { options, shard } = manifest
  const { groundedSources, passPolicy, quota } = options
  const newFigures = (): FiguresCollector => createFiguresCollector(groundedSources, passPolicy, quota)
  const overall = newFigures()
  const byTag = new Map<string, FiguresCollector>()
  const gaps = createGapCollector(groundedSources, MAX_CLUSTERED)
  const flaky: RepeatedQuestion[] = []
  let slowest: Slowest = []
  const mustPass: MustPassResult[] = []
  let required = 0
  const threads = new Set<string>()
  const reviews = createReviewTally()

  for (const repeats of questions) {
    const { question } = repeats[0].turn
    for (const { turn } of repeats) threads.add(`${threadKey(question)} ${turn.repeat}`)
    overall.add(repeats)
    for (const tag of new Set(question.tags)) {
      const figures = byTag.get(tag) ?? newFigures()
      byTag.set(tag, figures)
      figures.add(repeats)
    }
    if (question.mustPass) required += 1
    const broken = mustPassOf(repeats, passPolicy)
    if (broken !== undefined) mustPass.push(broken)
    const turns = repeats.map(({ turn }) => turn)
    if (reviewingOf !== undefined) reviews.add(turns, reviewingOf)
    if (!lists) continue
    gaps.add(turns)
    for (const {
      question: { id, message },
      outcome,
      serviceMs: ms,
    } of turns)
      if (outcome === 'answered' && ms !== undefined) slowest = withSlow(slowest, { id, message, ms })
    const folded = summariseRepeats(repeats, groundedSources)
    if (isFlaky(folded)) flaky.push(folded)
  }

  // Where the journal does not hold the whole set, the manifest knows how many there are.
  const planned = manifest.datasets.reduce((sum, { turns }) => sum + turns, 0) * options.repeat
  const expected = model.set === undefined ? planned : model.slots.length
  // Attempts count even if their turn is lost.
  const figures = { ...overall.finish(expected), quota: quotaFigures(model.usage, quota) }
  const inOrder = [...byTag].sort(([a], [b]) => compareTexts(a, b))
  const tags = Object.fromEntries(inOrder.map(([tag, tagFigures]) => [tag, tagFigures.finish()]))
  const pacing = pacingOf(model, figures)
  const { reasons, ...judged } = judgeRun(
    manifest,
    model,
    { ...figures, pacing, tags },
    { required, failed: mustPass },
  )
  const { heaviest, count } = gaps.finish()
  const clusters = clusterGaps(heaviest, messagesOf(model.questions))
  const summary: Summary = {
    formatVersion: 2,
    run: describeRun(manifest, model),
    state: stateAfter(model.stop),
    verdict: judged.verdict,
    exitCode: judged.exitCode,
    reason: joinReasons(reasons),
    reasons: [...reasons],
    ...(shard === undefined ? {} : { shard: { index: shard.index, of: shard.of } }),
    ...figures,
    pacing,
    tags,
    thresholds: [...judged.thresholds],
    gates: [...judged.gates],
    mustPass,
    comparison: null,
    reviews: reviewingOf === undefined ? null : reviews.counts,
    warnings: runWarnings(figures, manifest, model, notes),
    flaky,
    gaps: clusters
      .slice(0, MAX_GAPS)
      .map(({ questions: members, ...gap }) => ({ ...gap, questions: members.map(({ id }) => id) })),
  }
  const details: SummaryDetails = {
    threads: threads.size,
    gaps: { count, items: clusters },
    awaited: reviews.awaited,
    slowest,
  }
  return { summary, details }
}

const MAX_SLOW = 5
type Slowest = SummaryDetails['slowest']

const withSlow = (slowest: Slowest, one: Slowest[number]): Slowest =>
  slowest.length === MAX_SLOW && one.ms <= (slowest.at(-1)?.ms ?? 0)
    ? slowest
    : [...slowest, one].toSorted((a, b) => b.ms - a.ms).slice(0, MAX_SLOW)

/** A sample spread evenly over the set. */
function messagesOf(questions: readonly (Question | undefined)[]): string[] {
  const step = Math.max(1, Math.ceil(questions.length / MAX_BACKGROUND))
  return questions.flatMap((question, index) =>
    question === undefined || index % step !== 0 ? [] : [question.message],
  )
}

function judgeRun(
  { options, shard }: Manifest,
  { stop }: Model,
  figures: Figures & Pick<Summary, 'pacing' | 'tags'>,
  mustPass: { readonly required: number; readonly failed: readonly MustPassResult[] },
) {
  const thresholds = options.threshold.flatMap((expression) => {
    const parsed = parseThreshold(expression)
    return parsed.kind === 'threshold' ? [parsed.threshold] : []
  })
  const judged = judgeGates(thresholds, figures, mustPass.failed)
  const { passed, failed } = figures.expectations
  const isGated = thresholds.length + mustPass.required + passed + failed > 0
  if (shard === undefined) return { ...judged, ...judge(stop, figures, reasonsOf(judged.gates), isGated) }
  const gates = shardGates(judged.gates, options)
  return { thresholds: [], gates, ...shardVerdict(judge(stop, figures, reasonsOf(gates), isGated), shard) }
}

/** The run itself: target, question sets, times and settings. */
export function describeRun(
  { runId, harnessVersion, target, datasets, options, startedAt, endedAt }: Manifest,
  { sessions, lastAt }: Pick<Model, 'sessions' | 'lastAt'>,
): Summary['run'] {
  return {
    id: runId,
    harnessVersion,
    target: target.name,
    organization: target.organization,
    origin: target.baseUrl,
    datasets: datasets.map(({ path, digest, turns }) => ({ path, digest, turns })),
    ...selectionOf(options),
    startedAt,
    // Without a recorded end, the run ended with its last record.
    endedAt: endedAt ?? (lastAt === undefined ? null : toIso(lastAt)),
    sessions,
    groundedSources: options.groundedSources,
    quota: options.quota,
  }
}

/** Without the shard: merged shards are the whole selection. */
function selectionOf({ tag, grep, sample, seed }: Manifest['options']): Pick<Summary['run'], 'selection'> {
  const chosen = [
    ...tag.toSorted().map((one) => `--tag ${one}`),
    ...(grep === null ? [] : [`--grep ${grep}`]),
    ...(sample === null ? [] : [`--sample ${sample} --seed ${seed}`]),
  ]
  return chosen.length === 0 ? {} : { selection: chosen.join(' ') }
}

function pacingOf(model: Model, { quota }: Figures): Summary['pacing'] {
  const policy = model.paceChanges.findLast((change) => change.policy !== undefined)?.policy
  return {
    rate429: ratio(model.rateLimited, quota.attempts),
    rateLimited: model.rateLimited,
    limit: findLimitInRecord(model.limitCalls),
    ...(policy !== undefined && { policy }),
    calls: model.calls,
    changes: model.paceChanges.map(({ at, pace }) => ({ at: toIso(at), pace })),
  }
}

const toIso = (at: number): string => new Date(at).toISOString()
