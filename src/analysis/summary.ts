// A run's summary: figures overall and by tag, gates, verdict, warnings, and the lists that reports show.
import type { Manifest } from '../options/manifest.ts'
import type { Confirmation, Figures, RepeatedQuestion, Summary, SummaryDetails } from '../domain/summary.ts'
import { makeMessage } from '../domain/message.ts'
import { areWeighted } from '../domain/question.ts'
import { describeShard } from '../domain/shard.ts'
import type { Reviewing } from '../domain/review.ts'
import type { AnsweredTurn, Turn } from '../domain/turn.ts'
import { isFlaky, type Repeats, summariseRepeats } from './repeats.ts'
import { confirmationOf } from './confirm.ts'
import { createFigures } from './figures.ts'
import type { Consulted } from './articles/consult.ts'
import type { Model } from './fold.ts'
import { threadKey } from './questions.ts'
import { createGapCollector } from './gaps/collect.ts'
import { groupGaps, type GapOf } from './gaps/group.ts'
import { judgeDecided, judgingOf } from './gates/decided.ts'
import { judgeGates, reasonsOf, runGates } from './gates/judge.ts'
import { readThresholds } from './gates/threshold.ts'
import { acceptedIn, quotaFigures } from './account.ts'
import { ratio } from './turns.ts'
import { createReviewTally } from './reviews/book.ts'
import { joinReasons, verdictOfRun, stateAfter } from './verdict.ts'
import { runWarnings } from './warnings.ts'

const MAX_GAPS = 200
/** Only the heaviest gaps are grouped: more would take minutes. */
const MAX_CLUSTERED = 2000
const MAX_BACKGROUND = 5000

interface SummariseOptions {
  readonly reviewingOf?: ((turn: AnsweredTurn) => Reviewing) | undefined
  readonly consulted?: Consulted | undefined
  /** False skips gaps, flaky questions and slow answers. */
  readonly lists?: boolean
}

export function summarise(
  questions: Iterable<Repeats>,
  { manifest, model, notes }: { manifest: Manifest; model: Model; notes: readonly string[] },
  { reviewingOf, consulted, lists = true }: SummariseOptions = {},
) {
  const { options, shard } = manifest
  const isWeighted = areWeighted(model.questions)
  const counted = createFigures({ ...options, isWeighted })
  const listed = createLists(options.groundedSources, consulted?.gapOf, isWeighted)
  const reviews = createReviewTally()
  const isDecided = model.stop?.kind === 'decided' && model.set !== undefined
  const soFar: Turn[] = []
  let mustPass = 0
  const threads = new Set<string>()
  for (const repeats of questions) {
    const { question } = repeats[0]
    for (const { repeat } of repeats) threads.add(`${threadKey(question)} ${repeat}`)
    counted.add(repeats)
    if (question.mustPass) mustPass += 1
    // Without the answers: a run may have 100,000.
    if (isDecided) soFar.push(...repeats.map((turn) => ({ ...turn, result: undefined })))
    if (reviewingOf !== undefined) reviews.add(repeats, reviewingOf)
    if (lists) listed.add(repeats)
  }

  // Where the journal does not hold the whole set, the manifest knows how many there are.
  const planned = manifest.datasets.reduce((sum, { turns }) => sum + turns, 0) * options.repeat
  const { overall, tags, broken } = counted.finish(model.set === undefined ? planned : model.slots.length)
  // Attempts count even if their turn is lost.
  const figures = { ...overall, quota: quotaFigures(model.usage, options.quota) }
  const pacing = pacingOf(model, figures)
  const gated = { ...figures, ...consulted?.figures, pacing, tags }
  const required = readThresholds(options.threshold)
  const { passed, failed } = figures.expectations
  const isGated = required.length + mustPass + passed + failed > 0
  const { thresholds, gates, ...judged } = isDecided
    ? judgeDecided(soFar, judgingOf(options), gated, isGated)
    : judgeFinished(
        manifest,
        model.stop,
        judgeGates(required, gated, runGates(gated, broken)),
        gated,
        isGated,
      )
  const { gapCount, clusters, unsteady, slowest } = listed.finish(model.questions)
  const summary: Summary = {
    formatVersion: 2,
    run: describeRun(manifest, model),
    // Judged by other gates, a decided run may be open again.
    state: isDecided && judged.verdict === 'incomplete' ? 'incomplete' : stateAfter(model.stop),
    ...judged,
    reason: joinReasons(judged.reasons),
    ...(shard && { shard: { index: shard.index, of: shard.of } }),
    ...figures,
    ...consulted?.figures,
    pacing,
    tags,
    thresholds,
    gates,
    mustPass: broken.map(({ id, graded }) => ({ id, graded })),
    comparison: null,
    reviews: reviewingOf === undefined ? null : reviews.counts,
    warnings: runWarnings(figures, manifest, model, notes),
    ...unsteady,
    gaps: clusters.slice(0, MAX_GAPS).map(({ questions: members, article, ...gap }) => ({
      ...gap,
      questions: members.map(({ id }) => id),
      ...(article && { article: article.article }),
    })),
  }
  const details: SummaryDetails = {
    threads: threads.size,
    gaps: { count: gapCount, items: clusters },
    awaited: reviews.awaited,
    doubtful: consulted?.doubtful ?? { count: 0, items: [] },
    articles: consulted?.records ?? null,
    slowest,
  }
  return { summary, details }
}

const MAX_SLOW = 5

function createLists(groundedSources: readonly string[], gapOf: GapOf | undefined, isWeighted: boolean) {
  const gaps = createGapCollector(groundedSources, MAX_CLUSTERED)
  const flaky: RepeatedQuestion[] = []
  const confirmations: Confirmation[] = []
  let slowest: SummaryDetails['slowest'] = []
  return {
    add: (repeats: Repeats): void => {
      gaps.add(repeats)
      for (const { question, outcome, serviceMs: ms } of repeats) {
        if (outcome !== 'answered' || ms === undefined) continue
        if (slowest.length === MAX_SLOW && ms <= (slowest.at(-1)?.ms ?? 0)) continue
        const slow = { id: question.id, message: question.message, ms }
        slowest = [...slowest, slow].toSorted((a, b) => b.ms - a.ms).slice(0, MAX_SLOW)
      }
      const folded = summariseRepeats(repeats, groundedSources)
      if (isFlaky(folded)) flaky.push(folded)
      const confirmation = confirmationOf(repeats[0], groundedSources)
      if (confirmation !== undefined) confirmations.push(confirmation)
    },
    /** A sample of the set's questions, spread evenly, shows which words are common. */
    finish: (questions: Model['questions']) => {
      const { heaviest, count } = gaps.finish()
      const step = Math.max(1, Math.ceil(questions.length / MAX_BACKGROUND))
      const background = questions.flatMap((question, index) =>
        question === undefined || index % step !== 0 ? [] : [question.message],
      )
      const clusters = groupGaps(heaviest, background, gapOf, isWeighted)
      const unsteady = { flaky, ...(confirmations.length > 0 && { confirmations }) }
      return { gapCount: count, clusters, unsteady, slowest }
    },
  }
}

/**
 * A shard never passes. It fails the run, or exits with 0 and leaves the verdict to `merge`, so that CI runs
 * the other shards. `merge` judges thresholds and, with a baseline, failed expectations.
 */
function judgeFinished(
  { options, shard }: Manifest,
  stop: Model['stop'],
  judged: ReturnType<typeof judgeGates>,
  figures: Figures,
  isGated: boolean,
) {
  if (shard === undefined)
    return { ...judged, ...verdictOfRun(stop, figures, reasonsOf(judged.gates), isGated) }
  const ofShard = ['errors', 'must_pass', ...(options.baseline === null ? ['expectations'] : [])]
  const gates = judged.gates.filter(({ name }) => ofShard.includes(name))
  const ended = verdictOfRun(stop, figures, reasonsOf(gates), isGated)
  if (ended.exitCode !== 0) return { thresholds: [], gates, ...ended }
  const text = `${describeShard(shard)}: nothing in it fails the run; merge judges the whole`
  const reasons = [makeMessage('shard-not-judged', text)]
  return { thresholds: [], gates, verdict: 'part' as const, exitCode: 0, reasons }
}

export function describeRun(
  manifest: Manifest,
  { sessions, lastAt }: Pick<Model, 'sessions' | 'lastAt'>,
): Summary['run'] {
  const { target, options } = manifest
  // Without the shard: merged shards are the whole selection.
  const { tag, grep, sample, seed } = options
  const chosen = tag.toSorted().map((name) => `--tag ${name}`)
  if (grep !== null) chosen.push(`--grep ${grep}`)
  if (sample !== null) chosen.push(`--sample ${sample} --seed ${seed}`)
  return {
    id: manifest.runId,
    harnessVersion: manifest.harnessVersion,
    target: target.name,
    organization: target.organization,
    origin: target.baseUrl,
    datasets: manifest.datasets.map(({ path, digest, turns }) => ({ path, digest, turns })),
    ...(chosen.length > 0 && { selection: chosen.join(' ') }),
    startedAt: manifest.startedAt,
    // Without a recorded end, the run ended with its last record.
    endedAt: manifest.endedAt ?? (lastAt === undefined ? null : toIso(lastAt)),
    sessions,
    groundedSources: options.groundedSources,
    quota: options.quota,
  }
}

function pacingOf(model: Model, { quota }: Figures): Summary['pacing'] {
  const policy = model.paceChanges.findLast((change) => change.policy !== undefined)?.policy
  return {
    rate429: ratio(model.rateLimited, quota.attempts),
    rateLimited: model.rateLimited,
    ...(policy !== undefined && { policy }),
    accepted: acceptedIn(model),
    calls: model.calls,
    changes: model.paceChanges.map(({ at, pace }) => ({ at: toIso(at), pace })),
  }
}

const toIso = (at: number): string => new Date(at).toISOString()
