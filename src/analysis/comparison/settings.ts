// What was set otherwise in two runs, so that their figures may differ for that reason alone.
import type { SettingDifference } from '../../domain/comparison.ts'
import type { Manifest } from '../../domain/manifest.ts'

/** By the names of the config file: what selected the questions, how they were sent, how answers were counted, how fast. */
const OPTIONS = [
  ...([
    'tag',
    'grep',
    'sample',
    'seed',
    'format',
    'rotatingIds',
    'timeout',
    'onAmbiguous',
    'repeat',
  ] as const),
  ...(['groundedSources', 'passPolicy', 'rate', 'share', 'concurrency'] as const),
]

/** Undefined: says nothing of the run. A sandbox takes a free port each time, so its address and organization are left out. */
function settingsOf({
  target,
  datasets,
  options,
  harnessVersion,
}: Manifest): Record<string, string | undefined> {
  const sets = datasets.map(({ path, digest }) => `${path} (${digest.replace(/^.*:/, '').slice(0, 8)})`)
  return {
    endpoint: target.sandbox ? 'sandbox' : 'real endpoint',
    organization: target.sandbox ? undefined : target.organization,
    baseUrl: target.sandbox ? undefined : target.baseUrl,
    'question set': sets.join(', '),
    ...Object.fromEntries(OPTIONS.map((name) => [name, shown(options[name])])),
    'harness version': harnessVersion,
  }
}

/** A list of values means the same in any order. */
const shown = (value: Manifest['options'][(typeof OPTIONS)[number]]): string =>
  Array.isArray(value) ? [...new Set(value)].sort().join(', ') || 'none' : String(value ?? 'none')

/** The settings that differ; none for a run and itself. */
export function settingDifferences(baseline: Manifest, candidate: Manifest): SettingDifference[] {
  const after = settingsOf(candidate)
  return Object.entries(settingsOf(baseline)).flatMap(([setting, was]) => {
    const is = after[setting]
    return was === undefined || is === undefined || was === is
      ? []
      : [{ setting, baseline: was, candidate: is }]
  })
}
