// The baseline that a run is compared with at its end: found before the first call, remembered in the manifest.
import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pairRuns } from '../../analysis/comparison/pair.ts'
import type { BaselineOptions } from '../../domain/comparison/rules.ts'
import type { Question } from '../../domain/question.ts'
import { plural } from '../../domain/digits.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { visible } from '../../report/visible.ts'
import { say } from '../output.ts'
import { UsageError } from '../../library/usage-error.ts'
import { openRun } from './compared-run.ts'
import { pairables } from './one-grader.ts'
import { comparisonOptions, type ComparisonSettings } from './options.ts'

type Settings = Pick<RunSettings, 'baseline' | 'failOn' | 'alpha' | 'margin' | 'minOverlap'>

/** What is said, over what was recorded; `folder` is the run's. Null where there is no baseline. */
export function recordBaseline(
  recorded: BaselineOptions | null,
  settings: Settings,
  folder: string,
  target: string,
): BaselineOptions | null {
  const wayTo = (path: string): string => relative(folder, path).split(sep).join('/')
  const { baseline } = settings
  if (baseline === undefined && recorded === null) return null
  const { alpha, margin, minOverlap } = { ...comparisonOptions(settings, []), ...recorded }
  return {
    baseline: baseline === undefined ? (recorded?.baseline ?? '') : wayTo(baselineOf(baseline, target)),
    failOn: settings.failOn === undefined ? (recorded?.failOn ?? null) : [...settings.failOn],
    alpha: settings.alpha ?? alpha,
    margin: settings.margin ?? margin,
    minOverlap: settings.minOverlap ?? minOverlap,
  }
}

/** The paths again, as this process reaches them. */
export function recordedBaseline(
  folder: string,
  { baseline, failOn, ...rest }: BaselineOptions,
): { readonly path: string; readonly settings: ComparisonSettings } {
  return {
    path: join(folder, baseline),
    settings: {
      ...rest,
      ...(failOn === null ? {} : { failOn }),
    },
  }
}

/** Of several targets each has its own in the folder, named as the target. */
function baselineOf(path: string, target: string): string {
  const own = join(path, target)
  return existsSync(join(path, 'run.json')) || !existsSync(join(own, 'run.json')) ? path : own
}

/** The first night has no baseline: a folder that is not there yet is a note, and nothing is compared. */
export function withBaselineThere(settings: RunSettings, baseline = settings.baseline): RunSettings {
  if (baseline === undefined || existsSync(baseline)) return settings
  const { baseline: _baseline, failOn: _failOn, alpha: _alpha, ...others } = settings
  const { margin: _margin, minOverlap: _minOverlap, ...rest } = others
  return rest
}

export function noteMissingBaseline(baseline: string | undefined): void {
  if (baseline !== undefined && !existsSync(baseline))
    say(`Note: --baseline ${visible(baseline)} is not there yet: nothing is compared`)
}

/** Throws UsageError where it was said how to compare, but not with what. */
export function refuseLonely(typed: Settings, baseline: string | undefined): void {
  const names = ['failOn', 'alpha', 'margin', 'minOverlap'] as const
  const lonely = baseline === undefined ? names.find((name) => typed[name] !== undefined) : undefined
  if (lonely !== undefined)
    throw new UsageError(
      `--${lonely.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} goes with --baseline DIR`,
    )
}

/**
 * Throws UsageError, before anything is sent, where the baseline cannot be compared with the questions that are to be
 * asked: a gate that must fail in any case is no reason to pay for a run. `questions`: undefined where only the baseline
 * is to be looked at.
 */
export async function checkBaseline(
  settings: Settings,
  targets: readonly string[],
  questions: readonly (Question | undefined)[] | undefined,
): Promise<void> {
  const { baseline } = settings
  if (baseline === undefined) return
  const { minOverlap } = comparisonOptions(settings, [])
  for (const path of new Set(targets.map((target) => baselineOf(baseline, target)))) {
    const run = await openRun(path)
    run.close()
    if (questions === undefined) continue
    const { overlap } = pairRuns(pairables(run.questions), pairables(questions))
    const { shared, share = 0 } = overlap
    if (shared === 0 || share < minOverlap)
      throw new UsageError(
        `--baseline ${path} has ${shared} of these ${plural(questions.length, 'question')}, and ` +
          `${run.questions.length - shared} others: too few in both to compare by ` +
          `(${Math.floor(share * 100)}%, --min-overlap ${Math.round(minOverlap * 100)}%); name a run of the same questions, ` +
          'or leave --baseline out and accept this run as the new one',
      )
  }
}
