// What was set otherwise in two runs, so that their figures may differ for that reason alone.
import type { SettingDifference } from '../../domain/comparison.ts'
import type { Manifest } from '../../domain/manifest.ts'

/** As a report shows it; undefined where it says nothing of the run, or cannot be held against another's. */
type Setting = readonly [name: string, shown: (run: Manifest) => string | undefined]

/** A sandbox takes a free port each time, so its address and organization say nothing. */
const real = (shown: (run: Manifest) => string | undefined) => (run: Manifest) =>
  run.target.sandbox ? undefined : shown(run)

/** Whom the runs asked, then what and how, then how it was counted and how fast. */
const SETTINGS: readonly Setting[] = [
  ['endpoint', ({ target }) => (target.sandbox ? 'sandbox' : 'real endpoint')],
  // Without a name, an organization is called by its origin and the fingerprint of the key.
  ['organization', real(({ target }) => target.organization)],
  ['base URL', real(({ target }) => target.baseUrl)],
  ['questions selected', ({ options }) => selected(options)],
  [
    'question set',
    ({ datasets }) => datasets.map(({ path, digest }) => `${path} (${digestShort(digest)})`).join(', '),
  ],
  ['format', ({ options }) => options.format ?? 'detected'],
  ['rotating ids', ({ options }) => (options.rotatingIds ? 'on' : 'off')],
  ['timeout', ({ options }) => `${options.timeout / 1000} s`],
  ['on ambiguous', ({ options }) => options.onAmbiguous],
  ['repeats', ({ options }) => `${options.repeat}`],
  ['grounded sources', ({ options }) => listed(options.groundedSources)],
  ['pass policy', ({ options }) => options.passPolicy],
  ['rate', ({ options }) => options.rate],
  ['share', ({ options }) => `${options.share}`],
  ['concurrency', ({ options }) => `${options.concurrency}`],
  ['harness version', ({ harnessVersion }) => harnessVersion],
]

/** The settings that differ; none for a run and itself. */
export const settingDifferences = (baseline: Manifest, candidate: Manifest): SettingDifference[] =>
  SETTINGS.flatMap(([setting, shown]) => {
    const [before, after] = [shown(baseline), shown(candidate)]
    if (before === undefined || after === undefined || before === after) return []
    return [{ setting, baseline: before, candidate: after }]
  })

/** Files often keep their name when they are edited: the digest's beginning tells them apart. */
const digestShort = (digest: string): string => digest.replace(/^.*:/, '').slice(0, 8)

/** In byte order: a list of values means the same in any. */
const listed = (values: readonly string[]): string => [...new Set(values)].sort().join(', ') || 'none'

/** A selection in words: `tags vpn; sample of 20 threads with seed 1`, or `all`. */
function selected({ tag, grep, sample, seed }: Manifest['options']): string {
  const parts = [
    ...(tag.length > 0 ? [`tags ${listed(tag)}`] : []),
    ...(grep === null ? [] : [`matching ${grep}`]),
    ...(sample === null ? [] : [`sample of ${sample} threads with seed ${seed}`]),
  ]
  return parts.join('; ') || 'all'
}
