// A series in words: what its latest run came to, what changed, and the command that says it exactly.
import type { HistoryRun, HistorySeries } from '../../domain/history.ts'
import { describeQuota } from '../quota-words.ts'
import { digits, plural } from '../../domain/text.ts'
import { duration, percent } from '../numbers.ts'
import { dateOf, monthName } from './dates.ts'
import { newsOf } from './news.ts'
import { FIGURE_NAMES, shareSentences } from './share-words.ts'

export interface SeriesWords {
  /** The latest complete run in a sentence. */
  readonly latest: string
  /** What is new in it, in another; may be empty. */
  readonly news: string
  /** A paragraph each: what is named first, then sentences. */
  readonly paragraphs: readonly { readonly name: string; readonly sentences: readonly string[] }[]
  readonly commands: readonly { readonly why: string; readonly command: string }[]
}

/** `pathOf`: a run's folder as a word for a shell. `now`: ISO 8601, not for a page, which must be the same tomorrow. */
export function seriesWords(
  series: HistorySeries,
  pathOf: (run: HistoryRun) => string,
  now?: string,
): SeriesWords {
  const { runs, story } = series
  const complete = [...runs.keys()].filter((place) => runs[place]?.state === 'complete')
  const [before, latest] = [complete.at(-2), complete.at(-1)]
  const shown = latest ?? runs.length - 1
  const compare = (one: number, other: number): string => {
    const [baseline, candidate] = [runs[one], runs[other]]
    if (baseline === undefined || candidate === undefined)
      throw new Error('a run is compared that is not there')
    return `npx assist-harness compare ${pathOf(baseline)} ${pathOf(candidate)}`
  }
  const steps = new Map<string, string[]>()
  for (const { figure, step } of story) {
    if (step?.isAbrupt !== true || (step.last === before && step.first === latest)) continue
    const command = compare(step.last, step.first)
    steps.set(command, [...(steps.get(command) ?? []), FIGURE_NAMES[figure].toLowerCase()])
  }
  return {
    latest: latestSentence(series, shown, latest !== undefined, now),
    news: newsOf(series, now),
    paragraphs: [
      ...story.flatMap((one) => {
        const sentences = shareSentences(series, one, now)
        return sentences.length === 0 ? [] : [{ name: FIGURE_NAMES[one.figure], sentences }]
      }),
      ...besides(runs[before ?? -1], runs[shown]),
    ],
    commands: [
      ...(before === undefined || latest === undefined
        ? []
        : [{ why: 'Question by question, and exactly', command: compare(before, latest) }]),
      ...[...steps].map(([command, figures]) => ({
        why: `What changed when ${figures.join(' and ')} moved`,
        command,
      })),
    ],
  }
}

export const inShort = ({ latest, news }: SeriesWords): string => (news === '' ? latest : `${latest} ${news}`)

function latestSentence(
  series: HistorySeries,
  place: number,
  isComplete: boolean,
  now: string | undefined,
): string {
  const { runs } = series
  const run = runs[place]
  if (run === undefined) return ''
  const { coverage, passed, errors, verdict, state } = run
  const figures = [
    ...(coverage.rate === null
      ? ['no answers']
      : [
          `coverage ${percent(coverage.rate)} (${percent(coverage.low).slice(0, -2)} to ${percent(coverage.high)})`,
        ]),
    ...(passed.rate === null ? [] : [`${percent(passed.rate)} passed`]),
    ...(errors.count === 0 ? [] : [plural(errors.count, 'error')]),
  ].join(', ')
  const date = dateOf(series, place, now)
  const later = runs.length - 1 - place
  const unfinished =
    later === 0 ? '' : ` ${plural(later, 'later run')} ${later === 1 ? 'is' : 'are'} not complete.`
  const which = isComplete ? 'Latest run' : `Latest run, ${state}`
  return `${which} (${date}): ${figures}; verdict: ${verdict}.${unfinished}`
}

/** What summaries have no interval of is said beside the run before, without a judgement. */
function besides(before: HistoryRun | undefined, latest: HistoryRun | undefined): SeriesWords['paragraphs'] {
  if (latest === undefined) return []
  const then = (words: string | undefined): string => (words === undefined ? '' : `, before ${words}`)
  const { latencyMs, errors, usage, month, quota, startedAt } = latest
  const calls = ({ min, max }: { min: number; max: number }): string =>
    min === max ? plural(min, 'call') : `${digits(min)} to ${plural(max, 'call')}`
  const share =
    month.share === null || quota === null ? '' : `, ${percent(month.share)} of ${describeQuota(quota)}`
  return [
    ...(latencyMs.p95 === null
      ? []
      : [
          {
            name: 'Latency',
            sentences: [
              `p50 ${duration(latencyMs.p50)}${then(timeOf(before?.latencyMs.p50))}; p95 ${duration(latencyMs.p95)}${then(timeOf(before?.latencyMs.p95))}.`,
            ],
          },
        ]),
    ...(errors.rate === null
      ? []
      : [
          {
            name: 'Errors',
            sentences: [`${percent(errors.rate)}${then(shareOf(before?.errors.rate))}.`],
          },
        ]),
    {
      name: 'Usage',
      sentences: [
        `${calls(usage)} by this run; ${calls(month)} in ${monthName(startedAt.slice(0, 7))} until then${share}.`,
      ],
    },
  ]
}

const timeOf = (ms: number | null | undefined): string | undefined =>
  typeof ms === 'number' ? duration(ms) : undefined
const shareOf = (share: number | null | undefined): string | undefined =>
  typeof share === 'number' ? percent(share) : undefined
