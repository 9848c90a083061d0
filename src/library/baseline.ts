// A run's baseline: checked before the first call, compared at the end; the rules of the comparison are gates of the run.
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { meetsPolicy } from '../analysis/repeats.ts'
import { pairRuns } from '../analysis/comparison/pair.ts'
import { pageChangeOf } from '../analysis/conversations.ts'
import { expectationsGate, reasonsOf } from '../analysis/gates/judge.ts'
import { judge, joinReasons } from '../analysis/verdict.ts'
import type { ComparisonRow } from '../domain/comparison.ts'
import type { PageChange } from '../domain/conversations.ts'
import type { PassPolicy } from '../domain/turn.ts'
import { message } from '../domain/messages.ts'
import type { Question } from '../domain/question.ts'
import type { Summary } from '../domain/summary.ts'
import { writeComparison, type WrittenComparison } from './compare.ts'
import { openCompared, pairables } from './compared-run.ts'
import type { RecordedRun } from './fold.ts'
import { baselineFolder } from './manifest.ts'
import type { RunSettings } from './options.ts'
import type { FolderReviews } from './reviews.ts'
import { UsageError } from './usage-error.ts'

/**
 * Throws UsageError, before anything is sent, if the baseline shares too few of these questions: the gate would fail whatever the answers are.
 * `questions`: undefined to check the baseline alone.
 */
export async function checkBaseline(
  { baseline, minOverlap = 0.5 }: RunSettings & { readonly baseline: string },
  targets: readonly string[],
  questions: readonly (Question | undefined)[] | undefined,
): Promise<void> {
  for (const path of new Set(targets.map((target) => baselineFolder(baseline, target)))) {
    const run = await openCompared(path)
    if (questions === undefined) continue
    const before = run.model.questions
    const { shared, share } = pairRuns(pairables(before), pairables(questions)).overlap
    if (shared === 0 || (share ?? 0) < minOverlap)
      throw new UsageError(
        `--baseline ${path} has ${shared} of these ${questions.length} questions, and ` +
          `${before.length - shared} others: too few shared questions to compare ` +
          `(${Math.floor((share ?? 0) * 100)}%, --min-overlap ${Math.round(minOverlap * 100)}%); name a run of the same questions, lower --min-overlap, ` +
          'or leave --baseline out',
      )
  }
}

/**
 * Compares a finished run with its baseline, and writes the tables of the comparison. A shard is not compared: it holds only a part of the
 * baseline's questions. A baseline that is gone fails the run. Of the result, `baseline` is for the run's document, `judged` for JUnit and annotations,
 * and `changes` for the page: what changed, by id of the question.
 */
export async function judgeWithBaseline(
  run: RecordedRun,
  summary: Summary,
  { log, reviewFor }: FolderReviews,
  excel: boolean,
) {
  const { folder, manifest, model } = run
  const { baseline, failOn, passPolicy, alpha, margin, minOverlap, groundedSources } = manifest.options
  const changes = new Map<string, { readonly repeat: number; readonly change: PageChange }>()
  const alone = (own: Summary) => ({
    summary: own,
    comparison: null,
    baseline: undefined,
    judged: { isGreen: own.exitCode === 0 },
    changes,
  })
  if (baseline === null || manifest.shard !== undefined) return alone(summary)
  if (summary.verdict === 'incomplete')
    return alone({ ...summary, warnings: [...summary.warnings, message('baseline-waits')] })
  const path = join(folder.path, baseline)
  const before = createBaselineOutcomes(passPolicy)
  const accepted = await openCompared(path).catch((error: unknown) => {
    if (error instanceof UsageError) return error
    throw error
  })
  if (accepted instanceof UsageError) {
    const reason = `the run cannot be compared with its baseline: ${accepted.message}`
    const result = { baseline: basename(path), verdict: 'failed', reason } as const
    return alone(withBaselineGates(summary, model.stop, result, undefined, before))
  }
  const rules = { alpha, margin, minOverlap, groundedSources }
  const written = await writeComparison(folder.path, {
    runs: [accepted, run],
    settings: failOn === null ? rules : { ...rules, failOn },
    reviewOf: log && reviewFor,
    excel,
    hasOwnGates: true,
    see: (row) => {
      before.add(row)
      const change = pageChangeOf(row)
      if (change !== null && row.candidate !== null)
        changes.set(row.id, { repeat: row.candidate.repeat, change })
    },
  })
  const { comparison } = written
  const { verdict, reason, runs, candidates } = comparison
  const name = runs[0]?.label ?? path
  const whole = withBaselineGates(summary, model.stop, { baseline: name, verdict, reason }, written, before)
  const [review] = candidates
  return {
    summary: whole,
    comparison,
    baseline: review && { summary: written.baseline, name, review },
    judged: { isGreen: whole.exitCode === 0, before: { baseline: name, byId: before.byId } },
    changes,
  }
}

/** Of an earlier report. Its reviews are in `reviews.csv` by now. */
export function removeComparison({ path }: RecordedRun['folder']): void {
  for (const name of ['comparison.csv', 'comparison.json', 'comparison.md'])
    rmSync(join(path, name), { force: true })
}

/** Expectations that already failed in the baseline fail no gate. `written`: undefined if the baseline cannot be read. */
function withBaselineGates(
  summary: Summary,
  stop: RecordedRun['model']['stop'],
  result: NonNullable<Summary['comparison']>,
  written: WrittenComparison | undefined,
  { failing }: ReturnType<typeof createBaselineOutcomes>,
): Summary {
  const own = summary.gates.map((gate) =>
    written !== undefined && gate.name === 'expectations' && !gate.passed
      ? expectationsGate(failing.anew)
      : gate,
  )
  const failed = message('baseline-failed', { baseline: result.baseline, reason: result.reason })
  const hasFailed = result.verdict === 'failed'
  const { verdict, exitCode, reasons } = judge(stop, summary, [
    ...reasonsOf(own),
    ...(hasFailed ? [failed] : []),
  ])
  const rules = written?.comparison.candidates[0]?.gates ?? []
  const gates = [
    ...own,
    ...rules.map(({ rule, passed, reason }) => ({ name: `baseline ${rule}`, passed, reason })),
    ...(hasFailed && rules.every(({ passed }) => passed)
      ? [{ name: 'baseline', passed: false, reason: failed }]
      : []),
  ]
  // Not among the reasons of a run that fails for others.
  const hasKnown = failing.known > 0 && exitCode === 0
  const known = hasKnown ? [message('known-failures', { ...failing, baseline: result.baseline })] : []
  const all = [...reasons, ...known]
  return { ...summary, verdict, exitCode, reason: joinReasons(all), reasons: all, gates, comparison: result }
}

/** How each question of the run did in the baseline. `failing`: questions that fail now, by whether they failed there. */
function createBaselineOutcomes(policy: PassPolicy) {
  const byId = new Map<string, 'failed' | 'passed'>()
  const failing = { known: 0, anew: 0 }
  const fails = (side: ComparisonRow['candidate']): boolean =>
    side !== null && side.passRate !== null && !meetsPolicy(policy, side.passRate, 1 - side.passRate)
  return {
    byId,
    failing,
    add: ({ id, baseline, candidate, mustPass }: ComparisonRow): void => {
      if (candidate === null) return
      const failed = fails(baseline)
      if (baseline?.outcome === 'answered') byId.set(id, failed ? 'failed' : 'passed')
      if (fails(candidate)) failing[failed && !mustPass ? 'known' : 'anew'] += 1
    },
  }
}
