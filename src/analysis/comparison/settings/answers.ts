// Settings that decide what was asked and which answers came.
import type { Manifest } from '../../../domain/manifest.ts'
import { inWords, listed, runWhere, type Setting } from './setting.ts'

export const ANSWER_SETTINGS: readonly Setting[] = [
  {
    setting: 'questions selected',
    shown: ({ options }) => selected(options),
    meaning: () =>
      'The runs asked different parts of the set: only questions that were asked in both are compared, and usage is that of different questions.',
  },
  {
    setting: 'question set',
    shown: (run, other) => (digestsOf(run) === digestsOf(other) ? undefined : namesOf(run)),
    meaning: () =>
      'The question set was edited between the runs, which is usual: questions with the same id and text are compared, and both answers are graded by what the candidate expects.',
  },
  {
    setting: 'reading of the set',
    shown: ({ options: { format } }) => format ?? 'recognised',
    meaning: () =>
      'The files were read in different ways, so the same row may be another question in each run.',
  },
  {
    setting: 'rotating ids',
    shown: ({ options }) => (options.rotatingIds ? 'on' : 'off'),
    meaning: (baseline) =>
      `In ${runWhere(({ options }) => options.rotatingIds, baseline)} a changed conversation id does not count as a lost context: answers that the other run leaves out count there.`,
  },
  {
    setting: 'timeout',
    shown: ({ options }) => inWords(options.timeout),
    meaning: (baseline, candidate) => {
      const least = Math.min(baseline.options.timeout, candidate.options.timeout)
      const run = runWhere(({ options }) => options.timeout === least, baseline)
      return `An answer that takes longer than ${inWords(least)} is an error in ${run} and an answer in the other run: errors and slow percentiles may differ for that reason alone.`
    },
  },
  {
    setting: 'on ambiguous failures',
    shown: ({ options }) => options.onAmbiguous,
    meaning: (baseline) =>
      `In ${runWhere(({ options }) => options.onAmbiguous === 'fail', baseline)} a failure that may have been processed stands as an error, and in the other run its thread is asked again: errors and calls may differ for that reason alone.`,
  },
  {
    setting: 'repeats',
    shown: ({ options }) => `${options.repeat}`,
    meaning: () =>
      'The runs asked each question a different number of times: usage differs for that reason, and the rates of the run that asked less often are less certain.',
  },
  {
    setting: 'harness version',
    shown: (run, other) =>
      versionThatMatters(run) === versionThatMatters(other) ? undefined : run.harnessVersion,
    meaning: ({ target }) =>
      target.sandbox
        ? 'The sandboxes are of different versions of the harness: their articles and their assistant may differ.'
        : 'The versions of the harness that made the runs may ask, wait and retry in different ways; both runs are graded by the version that compares them.',
  },
]

const digestsOf = ({ datasets }: Manifest): string => listed(datasets.map(({ digest }) => digest))

/** Files often keep their name when they are edited: the digest's beginning tells them apart. */
const namesOf = ({ datasets }: Manifest): string =>
  datasets.map(({ path, digest }) => `${path} (${digest.replace(/^.*:/, '').slice(0, 8)})`).join(', ')

/** Up to the first number that is not 0, as versions count. A sandbox comes with the harness, so all of it matters. */
function versionThatMatters({ harnessVersion, target }: Manifest): string {
  return target.sandbox ? harnessVersion : (/^(?:0\.)*\d+/.exec(harnessVersion)?.[0] ?? harnessVersion)
}

/** A selection in words: `tags vpn; sample of 20 threads with seed 1`, or `all`. */
export function selected({
  tag: tags,
  grep,
  sample,
  seed,
}: Pick<Manifest['options'], 'tag' | 'grep' | 'sample' | 'seed'>): string {
  const parts = [
    ...(tags.length > 0 ? [`tags ${listed(tags)}`] : []),
    ...(grep === null ? [] : [`matching ${grep}`]),
    ...(sample === null ? [] : [`sample of ${sample} threads with seed ${seed}`]),
  ]
  return parts.join('; ') || 'all'
}
