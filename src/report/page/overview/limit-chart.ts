// How full a rule of the limit was when calls came: calls let through stay under what it allows, refused ones stand over it.
import type { LimitTier, LimitTrace } from '../../../domain/limit.ts'
import { shortNumber } from '../../differences.ts'
import { grouped } from '../../uncertain.ts'
import { lineOverTime, type LinePoint } from '../charts/line.ts'
import { dataBeside } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { LIMIT_WORDS } from './limit-page-words.ts'
import { paragraph } from './parts.ts'
import { axisOfRun, clockWithSeconds } from './time-of-run.ts'
import { WORDS } from './words.ts'

const WORDS_HERE = LIMIT_WORDS.chart
/** The network may have moved a call by this part of one. */
const NEARLY = 0.5

/** `id` is unique in the page. The trace is in milliseconds since the epoch. */
export function fillChart(id: string, trace: LimitTrace, tier: LimitTier): SafeHtml {
  const { atMs, level, refused, allowed, leftOut } = trace
  const [start, end] = [atMs[0], atMs.at(-1)]
  if (start === undefined || end === undefined) return html``
  const axis = axisOfRun(start, end)
  const points = atMs.map((at, place) => ({
    place: axis.place(at),
    value: level[place] ?? 0,
    isRefused: refused[place] === true,
  }))
  const line: LinePoint[] = points
    .filter(({ isRefused }) => !isRefused)
    .map(({ place, value }) => ({ place, value, dot: 'none' }))
  const dots: LinePoint[] = points
    .filter(({ isRefused }) => isRefused)
    .map(({ place, value }) => ({ place, value, dot: 'hollow' }))
  const label = labelOf(tier)
  const under = line.filter(({ value }) => (value ?? 0) <= allowed + NEARLY).length
  const over = dots.filter(({ value }) => (value ?? 0) > allowed - NEARLY).length
  const description = WORDS_HERE.description(
    WORDS.of(under, line.length),
    WORDS.of(over, dots.length),
    grouped(allowed),
  )
  const chart = lineOverTime(
    id,
    { label, description },
    {
      points: line,
      beside: dots,
      kind: tier.kind === 'token-bucket' ? 'straight' : 'step',
      ticks: axis.ticks,
      format: shortNumber,
      labelWidth: 0.05,
      reference: { value: allowed, label: WORDS_HERE.line(grouped(allowed)) },
    },
  )
  const rows = points.map(({ value, isRefused }, place) => [
    clockWithSeconds(atMs[place] ?? 0),
    shortNumber(value),
    isRefused ? WORDS_HERE.refused : WORDS_HERE.passed,
  ])
  return html`<figure>
    <figcaption>${label}</figcaption>
    ${chart}
    <p>${description}</p>
    ${dataBeside(WORDS.figuresBeside, { caption: label, rows: [WORDS_HERE.header, ...rows], words: [2] })}${paragraph(
      leftOut > 0 ? WORDS_HERE.left(leftOut) : '',
    )}
  </figure>`
}

function labelOf({ kind }: LimitTier): string {
  switch (kind) {
    case 'token-bucket':
      return WORDS_HERE.bucket
    case 'concurrency':
      return WORDS_HERE.atOnce
    case 'fixed-window':
    case 'sliding-window':
      return WORDS_HERE.window
  }
}
