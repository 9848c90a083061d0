// Settings that change no answer, but how it was counted or how fast it came.
import type { Manifest } from '../../../domain/manifest.ts'
import { listed, runWhere, type Setting } from './setting.ts'

export const FIGURE_SETTINGS: readonly Setting[] = [
  {
    setting: 'grounded sources',
    shown: ({ options }) => listed(options.groundedSources),
    meaning: () =>
      'The runs counted different sources as grounded: the comparison reads both by one list, so coverage here may not be what their own reports say.',
  },
  {
    setting: 'pass policy',
    shown: ({ options }) => options.gates.passPolicy,
    meaning: () =>
      'The runs judged repeated questions differently: what passed in their own reports may not be what passes here.',
  },
  {
    setting: 'success status',
    shown: ({ options }) => listed(options.successStatus),
    meaning: () =>
      'The runs took different statuses for a success: that changed what their own reports warn of, and no figure here.',
  },
  {
    setting: 'count rejected',
    shown: ({ options }) => (options.countRejected ? 'on' : 'off'),
    meaning: (baseline) =>
      `In ${runWhere(({ options }) => options.countRejected, baseline)} refused calls may count toward the quota, so its greatest usage is higher for that reason alone.`,
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

function paceOf({ options: { rate, startRate, share } }: Manifest): string {
  const begun = rate === 'auto' && startRate !== null ? ` from ${startRate}` : ''
  return `${rate}${begun}${share === 1 ? '' : `, at most ${Number((100 * share).toFixed(2))} % of the limit`}`
}
