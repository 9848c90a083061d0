// What was offered against what came through: threads due, dropped, refused, failed, and calls in flight, over time.
import type { LoadReport } from '../../../domain/load.ts'
import { shortNumber } from '../../differences.ts'
import { digits } from '../../../domain/text.ts'
import { duration } from '../../numbers.ts'
import { linesOver } from '../charts/lines.ts'
import { dataBeside } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { paragraph, section } from '../overview/parts.ts'
import { clockWithSeconds } from '../overview/time-of-run.ts'
import { WORDS } from '../overview/words.ts'
import { LABEL_WIDTH, loadColumns, sum, timeOf, type LoadTime } from './time.ts'
import { LOAD_WORDS } from './words.ts'

export function offeredSection(report: LoadReport): SafeHtml {
  const part = { id: 'offered', title: LOAD_WORDS.sections.offered }
  const time = timeOf(report)
  if (time === undefined) return section(part, paragraph(LOAD_WORDS.empty))
  return section(
    part,
    html`${threadChart(time)}${answerChart(time)}${callChart(time)}${flightChart(report, time)}${dataBeside(
      WORDS.figuresBeside,
      {
        caption: LOAD_WORDS.overTimeTable,
        rows: [LOAD_WORDS.tableHeader, ...rowsOf(time)],
      },
    )}`,
  )
}

function threadChart(time: LoadTime): SafeHtml {
  const { bins, steps, arriving } = time
  const words = LOAD_WORDS.threads
  // Half a bin's arrivals are no lower rate.
  const aSecond = (count: number, bin: number): number => (arriving(bin) === 0 ? 0 : count / arriving(bin))
  const description = words.description(
    sum(bins, ({ started }) => started),
    sum(bins, ({ dropped }) => dropped),
  )
  return figure(
    words.label(steps),
    description,
    loadColumns('overview-threads-chart', { label: words.label(steps), description }, time, [
      { shade: 'light', label: words.started, values: bins.map(({ started }, bin) => aSecond(started, bin)) },
      { shade: 'dark', label: words.dropped, values: bins.map(({ dropped }, bin) => aSecond(dropped, bin)) },
    ]),
  )
}

/** By when they came, against what was due: a queue shows as the room between the two. */
function answerChart(time: LoadTime): SafeHtml {
  const { bins, binMs, steps, middle, ticks } = time
  const words = LOAD_WORDS.answers
  const points = (of: 'turnsDue' | 'answers') =>
    bins.map((bin, place) => {
      const count = bin[of]
      return { place: middle(place), value: count === null ? null : (count * 1000) / binMs }
    })
  const texts = { label: words.label(steps), description: words.description }
  return figure(
    texts.label,
    texts.description,
    linesOver('overview-answers-chart', texts, {
      series: [
        { look: 'beside thick', label: words.due, points: points('turnsDue') },
        { look: 'main thick', label: words.came, points: points('answers') },
      ],
      ticks,
      format: shortNumber,
      labelWidth: LABEL_WIDTH,
    }),
  )
}

function callChart(time: LoadTime): SafeHtml {
  const { bins, binMs, steps } = time
  const words = LOAD_WORDS.calls
  const aSecond = (count: number): number => (count * 1000) / binMs
  const description = words.description(
    sum(bins, ({ answered }) => answered),
    sum(bins, ({ refused }) => refused),
    sum(bins, ({ errors }) => errors),
  )
  return figure(
    words.label(steps),
    description,
    loadColumns('overview-calls-chart', { label: words.label(steps), description }, time, [
      { shade: 'light', label: words.answered, values: bins.map(({ answered }) => aSecond(answered)) },
      { shade: 'dark', label: words.refused, values: bins.map(({ refused }) => aSecond(refused)) },
      { shade: 'hatched', label: words.failed, values: bins.map(({ errors }) => aSecond(errors)) },
    ]),
  )
}

function flightChart({ load }: LoadReport, { bins, steps, middle, ticks }: LoadTime): SafeHtml {
  const words = LOAD_WORDS.inFlight
  const most = bins.reduce((high, { inFlight }) => Math.max(high, inFlight), 0)
  const bound = load.model.kind === 'closed' ? '' : ` ${words.bound(load.maxInFlight)}`
  const description = `${words.description(most)}${bound}`
  return figure(
    words.label(steps),
    description,
    linesOver(
      'overview-flight-chart',
      { label: words.label(steps), description },
      {
        series: [
          {
            look: 'main thick',
            label: words.series,
            points: bins.map(({ inFlight }, bin) => ({ place: middle(bin), value: inFlight })),
          },
        ],
        ticks,
        format: digits,
        labelWidth: LABEL_WIDTH,
      },
    ),
  )
}

export const figure = (title: string, description: string, chart: SafeHtml): SafeHtml =>
  html`<figure>
    <figcaption>${title}</figcaption>
    ${chart}
    <p>${description}</p>
  </figure>`

const rowsOf = ({ bins, startOf }: LoadTime): string[][] =>
  bins.map((bin, place) => [
    clockWithSeconds(startOf(place)),
    ...[bin.offered, bin.dropped].map(digits),
    ...[bin.turnsDue, bin.answers].map((count) => (count === null ? '' : digits(count))),
    ...[bin.calls, bin.inFlight, bin.answered, bin.refused, bin.errors].map(digits),
    duration(bin.responseMs.p50),
    duration(bin.responseMs.p95),
  ])
