// Settings that change no answer, but how it was counted or how fast it came.
import type { Manifest } from '../../../domain/manifest.ts'
import { listed, type Setting } from './setting.ts'

export const FIGURE_SETTINGS: readonly Setting[] = [
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
