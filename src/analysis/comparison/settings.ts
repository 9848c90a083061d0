// What was set otherwise in two runs, so that their figures may differ for that reason alone.
import type { SettingDifference } from '../../domain/comparison/comparison.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { ANSWER_SETTINGS } from './settings/answers.ts'
import { ENDPOINT_SETTINGS } from './settings/endpoint.ts'
import { FIGURE_SETTINGS } from './settings/figures.ts'
import type { Setting } from './settings/setting.ts'

/** The gravest first: who was asked, then what and how, then how it was counted and how fast. */
const SETTINGS: readonly Setting[] = [...ENDPOINT_SETTINGS, ...ANSWER_SETTINGS, ...FIGURE_SETTINGS]

/**
 * The settings that differ, the gravest first; none for a run and itself. A target's name alone is no difference, nor
 * are options that change no answer and no figure (hashed end user references, a run's own thresholds).
 */
export function settingDifferences(baseline: Manifest, candidate: Manifest): SettingDifference[] {
  return SETTINGS.flatMap(({ setting, shown, meaning }) => {
    const [before, after] = [shown(baseline, candidate), shown(candidate, baseline)]
    if (before === undefined || after === undefined || before === after) return []
    return [{ setting, baseline: before, candidate: after, meaning: meaning(baseline, candidate) }]
  })
}
