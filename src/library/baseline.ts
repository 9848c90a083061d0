// A run's baseline: checked before the first call, compared at the end; the rules of the comparison are gates of the run.
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { meetsPolicy } from '../analysis/repeats.ts'
import { pairRuns } from '../analysis/comparison/pair.ts'
import { expectationsGate, reasonsOf } from '../analysis/gates/judge.ts'
import { judge, joinReasons } from '../analysis/verdict.ts'
import type { ComparisonRow, GateResult } from '../domain/comparison.ts'
import type { PassPolicy } from '../domain/turn.ts'
import { message } from '../domain/messages.ts'
import type { Question } from '../domain/question.ts'
import type { Summary } from '../domain/summary.ts'
import { comparisonFiles } from './compare.ts'
import { compareRuns, openCompared, pairables } from './compared-runs.ts'
import { baselineFolder } from './manifest.ts'
import type { RunSettings } from './options.ts'
import type { RecordedRun } from './recorded-run.ts'
import type { Reviews } from './reviews.ts'
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
 * Compares a finished run with its baseline. A shard is not compared: it holds only a part of the baseline's questions. A baseline that is gone fails
 * the run. Of the result, `baseline` is for the run's document, `judged` for JUnit and annotations, and `rows` for the page. `files` are to be written.
 */
export async function judgeWithBaseline(
  run: RecordedRun,
  summary: Summary,
  reviews: Reviews | undefined,
  excel: boolean | undefined,
) {
  const { folder, manifest, model } = run
  const { baseline, failOn, passPolicy, alpha, margin, minOverlap, groundedSources } = manifest.options
  const alone = (own: Summary) => ({
    summary: own,
    comparison: null,
    baseline: undefined,
    judged: { isGreen: own.exitCode === 0 },
    rows: [],
    files: [],
  })
  if (baseline === null || manifest.shard !== undefined) return alone(summary)
  if (summary.verdict === 'incomplete')
    return alone({ ...summary, warnings: [...summary.warnings, message('baseline-waits')] })
  const path = join(folder.path, baseline)
  const accepted = await openCompared(path).catch((error: unknown) => {
    if (error instanceof UsageError) return error
    throw error
  })
  if (accepted instanceof UsageError) {
    const reason = `the run cannot be compared with its baseline: ${accepted.message}`
    return alone(
      withBaselineGates(summary, model.stop, { baseline: basename(path), verdict: 'failed', reason }),
    )
  }
  const rules = { alpha, margin, minOverlap, groundedSources }
  const runs = [accepted, run]
  const compared = compareRuns(runs, {
    settings: failOn === null ? rules : { ...rules, failOn },
    reviewOf: reviews?.book.reviewFor,
    hasOwnGates: true,
  })
  const { comparison } = compared
  const [rows = []] = compared.rows
  const { verdict, reason } = comparison
  const [review] = comparison.candidates
  const name = comparison.runs[0]?.label ?? path
  const result = { baseline: name, verdict, reason }
  const outcomes = outcomesOf(rows, passPolicy)
  const whole = withBaselineGates(summary, model.stop, result, { rules: review?.gates ?? [], ...outcomes })
  return {
    summary: whole,
    comparison,
    baseline: review && { summary: compared.baseline, name, review },
    judged: { isGreen: whole.exitCode === 0, before: { baseline: name, byId: outcomes.before } },
    rows,
    files: comparisonFiles(folder.path, runs, compared, excel).files,
  }
}

/** Of an earlier report. Its reviews are in `reviews.csv` by now. */
export function removeComparison({ path }: RecordedRun['folder']): void {
  for (const name of ['comparison.csv', 'comparison.json', 'comparison.md'])
    rmSync(join(path, name), { force: true })
}

/** Expectations that already failed in the baseline fail no gate. `compared`: undefined if the baseline cannot be read. */
function withBaselineGates(
  summary: Summary,
  stop: RecordedRun['model']['stop'],
  result: NonNullable<Summary['comparison']>,
  compared?: Outcomes & { readonly rules: readonly GateResult[] },
): Summary {
  const own = summary.gates.map((gate) =>
    compared !== undefined && gate.name === 'expectations' && !gate.passed
      ? expectationsGate(compared.failing.anew)
      : gate,
  )
  const failed = message('baseline-failed', { baseline: result.baseline, reason: result.reason })
  const hasFailed = result.verdict === 'failed'
  const { verdict, exitCode, reasons } = judge(stop, summary, [
    ...reasonsOf(own),
    ...(hasFailed ? [failed] : []),
  ])
  const rules = compared?.rules ?? []
  const gates = [
    ...own,
    ...rules.map(({ rule, passed, reason }) => ({ name: `baseline ${rule}`, passed, reason })),
    ...(hasFailed && rules.every(({ passed }) => passed)
      ? [{ name: 'baseline', passed: false, reason: failed }]
      : []),
  ]
  // Not among the reasons of a run that fails for others.
  const hasKnown = compared !== undefined && compared.failing.known > 0 && exitCode === 0
  const known = hasKnown
    ? [message('known-failures', { ...compared.failing, baseline: result.baseline })]
    : []
  const all = [...reasons, ...known]
  return { ...summary, verdict, exitCode, reason: joinReasons(all), reasons: all, gates, comparison: result }
}

/** How each question of the run did in the baseline, by its id; and how many fail now, by whether they failed there. */
interface Outcomes {
  readonly before: ReadonlyMap<string, 'failed' | 'passed'>
  readonly failing: { readonly known: number; readonly anew: number }
}

function outcomesOf(rows: readonly ComparisonRow[], policy: PassPolicy): Outcomes {
  const fails = (side: ComparisonRow['candidate']): boolean =>
    side !== null && side.passRate !== null && !meetsPolicy(policy, side.passRate, 1 - side.passRate)
  const before = rows.flatMap(({ id, baseline, candidate }) =>
    candidate === null || baseline?.outcome !== 'answered'
      ? []
      : [[id, fails(baseline) ? 'failed' : 'passed'] as const],
  )
  const failing = rows.filter(({ candidate }) => fails(candidate))
  const known = failing.filter(({ baseline, mustPass }) => fails(baseline) && !mustPass).length
  return { before: new Map(before), failing: { known, anew: failing.length - known } }
}
