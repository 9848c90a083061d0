// What a run will cost, before its first call.
import type { Estimate } from '../domain/estimate.ts'
import { digits, plural } from '../domain/text.ts'
import { overview, verdictOf, warnings, type Document } from './document.ts'
import { duration, percent, perSecond } from './format.ts'

/** `target`: null if none is named. */
export function estimateDocument(estimate: Estimate, target: string | null): Document {
  const { calls, threads, questions, repeat, files, time, quota, nightly, messages, longestThread } = estimate
  const { pace } = time
  const speed =
    pace.kind === 'unlimited'
      ? 'no pace'
      : pace.kind === 'paced'
        ? perSecond(pace.perSecond)
        : 'limit unknown'
  return {
    title: [
      'Estimate: ',
      { untrusted: files.map(({ path }) => path).join(', ') },
      ...(target === null ? [] : [' · ', { untrusted: target }]),
    ],
    facts: `${plural(questions, 'question')} in ${plural(threads, 'conversation')}${repeat === 1 ? '' : ` × ${digits(repeat)}`}`,
    at: null,
    verdict: verdictOf('estimated', 'nothing was sent'),
    sections: [
      overview(
        {
          kind: 'figures',
          figures: [
            {
              label: 'Calls',
              value: digits(calls.base),
              note: `at most ${digits(calls.worst)}; a 429 does not count`,
            },
            {
              label: 'Time',
              value: duration(time.ms),
              note: `at least: ${speed}, ${digits(time.concurrency)} in flight${longestThread > 1 ? `, ${digits(longestThread)} in a row` : ''}`,
            },
            ...(quota === null
              ? []
              : [
                  {
                    label: 'Quota',
                    value: percent(quota.shareOfQuota.base),
                    note: `at most ${percent(quota.shareOfQuota.worst)}, of ${digits(quota.calls)} a month`,
                  },
                ]),
            {
              label: 'Every night',
              value: digits(nightly.base),
              note: `a month, at most ${digits(nightly.worst)}${
                nightly.shareOfQuota === null ? '' : `; ${percent(nightly.shareOfQuota.base)} of the quota`
              }`,
            },
          ],
        },
        ...warnings(messages),
      ),
    ],
  }
}
