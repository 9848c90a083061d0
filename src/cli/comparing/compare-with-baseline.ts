// The end of a run with a baseline: the comparison is written into the run's folder and decides with the other gates.
import { basename } from 'node:path'
import type { ReviewOf } from '../../analysis/comparison/compare-rows.ts'
import type { BaselineResult } from '../../domain/comparison/rules.ts'
import type { ComparisonRow } from '../../domain/comparison/change.ts'
import { expectationsGate, reasonsOf } from '../../analysis/gates/judge-gates.ts'
import { suffices, type PassPolicy } from '../../analysis/pass-policy.ts'
import { judge } from '../../analysis/verdict.ts'
import { plural } from '../../domain/digits.ts'
import type { Manifest } from '../../domain/manifest.ts'
import type { Stop } from '../../domain/stop.ts'
import type { Summary } from '../../domain/summary.ts'
import type { RunFolder } from '../run-folder.ts'
import { UsageError } from '../../library/usage-error.ts'
import { recordedBaseline } from './baseline.ts'
import { writeComparison, type WrittenComparison } from './write-comparison.ts'
import type { CompareJob } from './compare-runs.ts'

export interface BaselineComparison {
  readonly result: BaselineResult
  /** Undefined where the baseline could not be read. */
  readonly written: WrittenComparison | undefined
}

/** Undefined where there is no baseline. A baseline that is gone cannot be judged by, and so fails. */
export async function compareWithBaseline(
  folder: RunFolder,
  { options }: Manifest,
  {
    reviewOf,
    ...more
  }: Pick<CompareJob, 'expectations'> & {
    readonly excel: boolean
    readonly reviewOf: ReviewOf
    readonly see: (row: ComparisonRow) => void
  },
): Promise<BaselineComparison | undefined> {
  if (options.comparison === null) return undefined
  const { path, settings } = recordedBaseline(folder.path, options.comparison)
  const { groundedSources, selection } = options
  try {
    const written = await writeComparison(folder.path, {
      paths: [path, folder.path],
      settings: { ...settings, seed: selection.seed, groundedSources },
      // The run's own: the baseline's were brought to it with --reviews, or nobody wanted them.
      reviewsOf: async () => reviewOf,
      ...more,
    })
    const { verdict, reason, runs } = written.comparison
    return { result: { baseline: runs[0]?.label ?? path, verdict, reason }, written }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const reason = `the run could not be compared with its baseline: ${error.message}`
    return { result: { baseline: basename(path), verdict: 'failed', reason }, written: undefined }
  }
}

/** The rules of the comparison are gates among the others. Expectations that failed in the baseline already fail nothing. */
export function withComparison(
  summary: Summary,
  stop: Stop | undefined,
  comparison: BaselineComparison | undefined,
  before: BeforeGatherer,
): Summary {
  if (comparison === undefined) return summary
  const { result, written } = comparison
  const rules = written?.comparison.candidates[0]?.gates ?? []
  const own = summary.gates.map((gate) =>
    written !== undefined && gate.name === 'expectations' && !gate.passed
      ? expectationsGate(before.failing.anew)
      : gate,
  )
  const compared = `compared with ${result.baseline}: ${result.reason}`
  const reasons = [...reasonsOf(own), ...(result.verdict === 'failed' ? [compared] : [])]
  const { reason, ...verdict } = judge(stop, summary, reasons)
  const gates = [
    ...own,
    ...rules.map(({ rule, passed, reason: why }) => ({ name: `baseline ${rule}`, passed, reason: why })),
    ...(result.verdict === 'failed' && rules.every(({ passed }) => passed)
      ? [{ name: 'baseline', passed: false, reason: result.reason }]
      : []),
  ]
  const { known } = before.failing
  const asBefore = known === 0 ? '' : `; ${plural(known, 'known failure')}, as in ${result.baseline}`
  return { ...summary, ...verdict, reason: `${reason}${asBefore}`, gates, comparison: result }
}

export interface BeforeGatherer {
  readonly add: (row: ComparisonRow) => void
  readonly byId: ReadonlyMap<string, 'failed' | 'passed'>
  /** Questions that fail now, by whether they failed before. */
  readonly failing: { readonly known: number; readonly anew: number }
}

/** What the baseline's answer to each question of the run came to. */
export function createBeforeGatherer(policy: PassPolicy): BeforeGatherer {
  const byId = new Map<string, 'failed' | 'passed'>()
  const failing = { known: 0, anew: 0 }
  const fails = (side: ComparisonRow['candidate']): boolean =>
    side !== null && side.passRate !== null && !suffices(policy, side.passRate, 1 - side.passRate)
  return {
    byId,
    failing,
    add: ({ id, baseline, candidate, mustPass }) => {
      if (candidate === null) return
      const failed = fails(baseline)
      if (baseline?.outcome === 'answered') byId.set(id, failed ? 'failed' : 'passed')
      if (fails(candidate)) failing[failed && !mustPass ? 'known' : 'anew'] += 1
    },
  }
}
