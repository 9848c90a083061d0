// What was set otherwise in two runs, so that their figures may differ for that reason alone.
import type { SettingDifference } from '../../domain/comparison/comparison.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { ANSWER_SETTINGS } from './settings/answers.ts'
import { ENDPOINT_SETTINGS } from './settings/endpoint.ts'
import { listed, type Setting } from './settings/setting.ts'

const FIGURE_SETTINGS: readonly Setting[] = [
  {
    setting: 'grounded sources',
    shown: ({ options }) => listed(options.groundedSources),
    meaning: () =>
      'The runs counted different sources as grounded: the comparison reads both by one list, so coverage here may not be what their own reports say.',
  },
  {
    setting: 'pass policy',
    shown: ({ options }) => options.passPolicy,
    meaning: () =>
      'The runs judged repeated questions differently: what passed in their own reports may not be what passes here.',
  },
  {
    setting: 'rate',
    shown: paceOf,
    meaning: () =>
      'The runs were paced differently: waiting and run time differ for that reason, and the endpoint may have been slower under the faster one.',
  },
  {
    setting: 'concurrency',
    shown: ({ options }) => `${options.concurrency}`,
    meaning: () =>
      'The runs had different numbers of calls in flight: the endpoint may have been slower under the larger one.',
  },
]

function paceOf({ options: { rate, share } }: Manifest): string {
  return `${rate}${share === 1 ? '' : `, at most ${Number((100 * share).toFixed(2))} % of the limit`}`
}

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
