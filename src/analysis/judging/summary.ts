// The contents of `summary.json`: a counted run, judged, with the warnings beside its figures.
import type { Comparison, GateResult } from '../../domain/comparison.ts'
import { digits, listCounts, listNames, makeMessage, type Message } from '../../domain/format.ts'
import type { LoadFigures } from '../../domain/load.ts'
import { describeShard } from '../../domain/shard.ts'
import type { Stop } from '../../domain/stop.ts'
import type { Figures, Summary } from '../../domain/summary.ts'
import type { Manifest } from '../../options/manifest.ts'
import type { Model } from '../figures/fold.ts'
import type { CountedRun } from './counted-run.ts'
import { judgeDecided } from './decided.ts'
import { readThresholds } from './threshold.ts'
import {
  attemptsUnreadable,
  editedNotes,
  joinReasons,
  judgeGates,
  reasonsOf,
  runGates,
  stateAfter,
  verdictOfRun,
} from './verdict.ts'

export interface Against {
  readonly baseline: string
  readonly verdict: Comparison['verdict']
  readonly reason: string
  readonly rules: readonly GateResult[]
  readonly edited: number
  /** So many questions that failed had failed in the baseline, too. */
  readonly known: number
}

const MAX_GAPS = 200

/** The rules of the comparison judge a whole run alone. */
export function summaryOf(
  counted: CountedRun,
  { manifest, model, notes }: { manifest: Manifest; model: Model; notes: readonly string[] },
  against?: Against,
): Summary {
  const { figures, broken, reviews, flaky, confirmations, details } = counted
  const { shard } = manifest
  const judged = judgeCounted(counted, manifest, model.stop, against)
  const isOpenAgain = counted.soFar !== undefined && judged.verdict === 'incomplete'
  return {
    formatVersion: 2,
    run: describeRun(manifest, model),
    // Judged by other gates, a decided run may be open again.
    state: isOpenAgain ? 'incomplete' : stateAfter(model.stop),
    ...judged,
    reason: joinReasons(judged.reasons),
    ...(shard && { shard: { index: shard.index, of: shard.of } }),
    ...figures,
    mustPass: broken.map(({ id, graded }) => ({ id, graded })),
    reviews,
    warnings: runWarnings(figures, manifest, model, notes),
    flaky,
    ...(confirmations.length > 0 && { confirmations }),
    gaps: details.gaps.items.slice(0, MAX_GAPS).map(({ questions: members, article, ...gap }) => ({
      ...gap,
      questions: members.map(({ id }) => id),
      ...(article && { article: article.article }),
    })),
  }
}

type Judged = Pick<Summary, 'verdict' | 'exitCode' | 'reasons' | 'thresholds' | 'gates' | 'comparison'>

function judgeCounted(
  { figures, broken, hasMustPass, soFar, flaky, confirmations }: CountedRun,
  { options, shard }: Manifest,
  stop: Stop | undefined,
  against: Against | undefined,
): Judged {
  const required = readThresholds(options.threshold)
  const isGated = required.length > 0 || hasMustPass || figures.expectations.rate !== null
  if (soFar !== undefined) return { comparison: null, ...judgeDecided(soFar, options, figures, isGated) }
  const failed = figures.expectations.failed - (against?.known ?? 0)
  const ofRun = judgeGates(required, figures, runGates(figures, broken, failed))
  // Some answer did not meet an expectation, though its question passes.
  const isFlaky =
    flaky.some(({ passRate }) => (passRate ?? 1) < 1) || confirmations.some((question) => question.failed > 0)
  const alone = {
    ...ofRun,
    comparison: null,
    ...verdictOfRun(stop, figures, reasonsOf(ofRun.gates), isGated, isFlaky),
  }
  // A shard never passes. It fails the run, or exits with 0 and leaves the verdict to `merge`, so that CI
  // runs the other shards. `merge` judges thresholds and, with a baseline, failed expectations.
  if (shard !== undefined) {
    const ofShard = ['errors', 'must_pass', ...(options.baseline === null ? ['expectations'] : [])]
    const gates = ofRun.gates.filter(({ name }) => ofShard.includes(name))
    const ended = verdictOfRun(stop, figures, reasonsOf(gates), isGated)
    const judged = { thresholds: [], gates, comparison: null }
    if (ended.exitCode !== 0) return { ...judged, ...ended }
    const text = `${describeShard(shard)}: nothing in it fails the run; merge judges the whole`
    return { ...judged, verdict: 'part', exitCode: 0, reasons: [makeMessage('shard-not-judged', text)] }
  }
  if (against === undefined || alone.verdict === 'incomplete') return alone

  const { baseline, verdict, reason, edited, known } = against
  const rules = against.rules.map(({ rule, ...gate }) => ({ name: `baseline ${rule}`, ...gate }))
  const hasFailed = verdict === 'failed'
  const failure = makeMessage('baseline-failed', `compared with ${baseline}: ${reason}`)
  const gates = [...ofRun.gates, ...rules]
  if (hasFailed && rules.every(({ passed }) => passed))
    gates.push({ name: 'baseline', passed: false, reason: failure })
  const failures = [...reasonsOf(ofRun.gates), ...(hasFailed ? [failure] : [])]
  const ended = verdictOfRun(stop, figures, failures, isGated || rules.length > 0, isFlaky)
  const reasons = [...ended.reasons]
  // Not among the reasons of a run that fails for others.
  if (ended.exitCode === 0 && known > 0)
    reasons.push(makeMessage('known-failures', `known failures (also in ${baseline}): ${digits(known)}`))
  // The reason of a failed comparison names them itself.
  if (!hasFailed) reasons.push(...editedNotes(edited))
  return { ...ofRun, ...ended, gates, reasons, comparison: { baseline, verdict, reason } }
}

export function describeRun(
  manifest: Manifest,
  { sessions, lastAt }: { readonly sessions: number; readonly lastAt: number | undefined },
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
    endedAt: manifest.endedAt ?? (lastAt === undefined ? null : new Date(lastAt).toISOString()),
    sessions,
    groundedSources: options.groundedSources,
    quota: options.quota,
  }
}

export function runWarnings(
  figures: Figures,
  manifest: Manifest,
  { lost, orphans, restarts, stop, tries }: Model,
  notes: readonly string[],
): Message[] {
  const { total, notSent } = figures.turns
  const unconfirmed = [...tries.values()].filter((turns) => turns.some((turn) => turn.outcome !== 'answered'))
  const restarted = [...restarts.values()].reduce((sum, count) => sum + count, 0)
  const warnings = notedWarnings(manifest, notes)
  const warn = (code: string, text: string): void => void warnings.push(makeMessage(code, text))
  if (stop?.kind === 'decided' && notSent > 0)
    warn(
      'figures-of-part',
      `Figures are of a part: ${digits(total - notSent)} of ${digits(total)} questions have an outcome. ` +
        'The verdict is the one of the whole.',
    )
  if (stop?.kind === 'done' && unconfirmed.length > 0)
    warn(
      'not-confirmed',
      'Questions that failed and have fewer answers than --confirm asks for: ' +
        `${digits(unconfirmed.length)}. The calls of --max-calls were used up, or ended in errors.`,
    )
  warnings.push(...endpointWarnings(figures, manifest.options))
  if (restarted > 0)
    warn(
      'threads-restarted',
      `Conversations sent again from the start: ${digits(restarted)} (${listCounts([...restarts])}). The ` +
        'account counts every attempt; results.csv shows the last answers.',
    )
  if (lost + orphans > 0) warnings.push(attemptsUnreadable(lost + orphans))
  return warnings
}

/** Warnings from reading the question sets come before those from reading the journals. */
export const notedWarnings = ({ warnings }: Manifest, notes: readonly string[]): Message[] =>
  [...warnings, ...notes].map((text) => makeMessage('noted', text))

/** None of fewer answers may be grounded by chance. */
const ENOUGH_ANSWERS = 5

export function endpointWarnings(
  { turns, contextSource, quota }: Figures | LoadFigures,
  { groundedSources }: Manifest['options'],
): Message[] {
  const { answered, contextLost } = turns
  const isGrounding = Object.keys(contextSource).some((value) => groundedSources.includes(value))
  const warnings: Message[] = []
  const warn = (code: string, text: string): void => void warnings.push(makeMessage(code, text))
  if (answered >= ENOUGH_ANSWERS && !isGrounding)
    warn(
      'no-grounded-source',
      `No answer has the source ${listNames(groundedSources)}. If your endpoint uses another name for its ` +
        'knowledge base, set --grounded-sources.',
    )
  if (contextLost > 0)
    warn(
      'context-lost',
      `Answers without context: ${digits(contextLost)}. The endpoint returned a different conversationId. ` +
        'If it does so each turn, use --rotating-ids.',
    )
  if (quota.notCounted > 0)
    warn(
      'not-counted',
      `Attempts that were refused or never arrived: ${digits(quota.notCounted)}. They are assumed not to ` +
        'count toward the quota.',
    )
  return warnings
}
