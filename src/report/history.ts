// What `history` prints: the runs below a folder, oldest first.
import { digits, margin, minute, percent, plural, range } from '../domain/format.ts'
import type { GateTrial, History, HistorySeries } from '../domain/history.ts'
import { compareTexts } from '../domain/text.ts'
import { listOf, namedQuestion, sectionOf, tableOf, verdictOf } from './blocks.ts'
import type { Block, Document, Item } from './document.ts'
import type { RunOfSeries } from './tables.ts'

export const runsOf = ({ series: all }: History): RunOfSeries[] =>
  all
    .flatMap((series) => series.runs.map((run) => ({ run, series })))
    .sort(
      ({ run: a }, { run: b }) =>
        compareTexts(a.run.startedAt, b.run.startedAt) || compareTexts(a.folder, b.folder),
    )

export function historyDocument(history: History, name: string): Document {
  const runs = runsOf(history)
  const latest = history.series.flatMap((series) => series.runs.at(-1) ?? [])
  const failed = latest.filter(({ verdict }) => verdict === 'failed').length
  return {
    title: ['History of ', { untrusted: name }],
    facts: plural(runs.length, 'run'),
    at: null,
    // A history is not judged.
    verdict: verdictOf('done', `latest runs that failed: ${digits(failed)} of ${digits(latest.length)}`),
    sections: [
      sectionOf(
        'overview',
        tableOf(
          'Runs',
          ['Folder', 'Time (UTC)', 'Set', 'Verdict', 'Grounded', 'Met', 'Calls'],
          runs.map(({ run, series }) => [
            { untrusted: run.folder },
            minute(run.run.startedAt),
            { untrusted: series.sets.join(' + ') },
            run.verdict,
            percent(run.coverage.rate),
            percent(run.expectations.rate),
            range(run.quota.min, run.quota.max),
          ]),
          { words: 4 },
        ),
        ...history.series.flatMap(gateBlocks),
        listOf(
          'Left out',
          history.leftOut.map(({ folder, reason }) => ({
            text: [{ untrusted: folder }, ': ', { untrusted: reason.text }],
          })),
        ),
      ),
    ],
  }
}

/** Writes `would have failed 1 of 38 such nights (0 to 13 %)`; undefined without a night. */
export const gateText = ({ nights, failed, rate }: GateTrial): string | undefined =>
  rate === null
    ? undefined
    : `would have failed ${digits(failed.length)} of ${plural(nights, 'such night')} ` +
      `(${Math.round(100 * rate.low)} to ${percent(rate.high, 0)})`

/** Says how often the night before fails as a baseline, and what it would not see. */
function gateBlocks({ name, gate }: HistorySeries): Block[] {
  if (gate === undefined) return []
  const { nights, failed, edited, unrecorded, detectableDrop, loose, flips } = gate
  const items: Item[] = [
    {
      text: gateText(gate) ?? 'no two neighbouring nights without an edit',
      tone: failed.length > 0 ? 'warn' : 'good',
    },
    ...(edited === 0 ? [] : [{ text: `left out, since something was edited: ${plural(edited, 'night')}` }]),
    ...failed.map(({ folder, reason }): Item => ({
      text: [{ untrusted: folder }, ': ', { untrusted: reason }],
    })),
    ...(nights === 0
      ? []
      : [
          detectableDrop === null
            ? { text: 'the sets are too small to show a loss 4 times in 5', tone: 'warn' as const }
            : { text: `a loss of ${margin(detectableDrop)} shows 4 times in 5` },
        ]),
    ...(unrecorded === 0
      ? []
      : [{ text: `whether articles were edited is not recorded for ${plural(unrecorded, 'night')}` }]),
    ...loose.map(({ expression, tight, runs }): Item => ({
      text: [
        { untrusted: expression },
        ` lies far from all ${digits(runs)} runs; tight: `,
        { untrusted: tight },
      ],
      tone: 'warn',
    })),
  ]
  return [
    // No list: the number of its lines beside the title says nothing.
    tableOf(
      ['Against the night before, where nothing was edited: ', { untrusted: name }],
      [''],
      items.map(({ text, tone }) => ({ cells: [text], tone })),
    ),
    listOf(
      'Questions that flip most often',
      flips.map((question) => ({ text: namedQuestion(question), count: question.times })),
    ),
  ]
}
