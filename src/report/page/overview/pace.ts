// The pace over the run as a chart: how fast the harness went, where it had to slow down, where it sent nothing.
import type { Summary } from '../../../domain/summary.ts'
import { shortNumber } from '../../differences.ts'
import { quotedPerSecond } from '../../limit-words.ts'
import { lineOverTime, type LinePoint } from '../charts/line.ts'
import { dataBeside } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { callsChart } from './calls.ts'
import { sentence } from './links.ts'
import { paragraph } from './parts.ts'
import { axisOfRun, clockWithSeconds } from './time-of-run.ts'
import { WORDS } from './words.ts'

type Change = Summary['pacing']['changes'][number]

/** More dots than these would touch each other. */
const MOST_DOTS = 40
/** What a label takes of the width on a telephone. */
const LABEL_ROOM = 0.12
const MOST_ROWS = 500

/** Nothing where no pace is known. */
export function paceChart({ pacing, run }: Summary): SafeHtml {
  const words = WORDS.operations
  const { changes, changesLeftOut } = pacing
  const [first] = changes
  const last = changes.at(-1)
  if (first === undefined || last === undefined) return html``
  const end = Math.max(Date.parse(run.endedAt ?? last.at), Date.parse(last.at))
  const start = Date.parse(first.at)
  const axis = axisOfRun(start, end)
  if (changes.every(({ pace }) => pace === null))
    return html`${unpaced(changes)}${callsChart(pacing.calls, axis)}`
  let labelled = Number.NEGATIVE_INFINITY
  const pauses = changes.flatMap((change) => {
    if (change.pausedUntil === undefined) return []
    const [from, to] = [axis.place(Date.parse(change.at)), axis.place(Date.parse(change.pausedUntil))]
    const hasRoom = from - labelled >= LABEL_ROOM
    if (isRefused(change) && hasRoom) labelled = from
    return [{ from, to, label: isRefused(change) && hasRoom ? words.refused : '' }]
  })
  const refused = changes.filter((one) => one.pausedUntil !== undefined && isRefused(one)).length
  const slower = changes.filter((_, place) => isSlower(changes, place)).length
  const description = words.paceDescription(changes.length, slower, pauses.length, refused)
  const isDotted = changes.length <= MOST_DOTS
  const points: LinePoint[] = [
    ...changes.map(({ at, pace }, place) => ({
      place: axis.place(Date.parse(at)),
      value: pace,
      dot: isSlower(changes, place) ? ('hollow' as const) : isDotted ? ('full' as const) : ('none' as const),
    })),
    { place: 1, value: last.pace, dot: 'none' },
  ]
  const found = quotedPerSecond(pacing)
  const chart = lineOverTime(
    'overview-pace-chart',
    { label: words.paceLabel, description },
    {
      points,
      kind: 'step',
      ticks: axis.ticks,
      format: shortNumber,
      labelWidth: 0.05,
      pauses,
      reference: found === null ? undefined : { value: found, label: words.limitLine(shortNumber(found)) },
    },
  )
  return html`<figure>
      <figcaption>${words.pace}</figcaption>
      ${chart}
      <p>${description}</p>
      ${dataBeside(WORDS.figuresBeside, {
        caption: words.paceLabel,
        rows: [words.header, ...changes.slice(0, MOST_ROWS).map(changeRow)],
        words: [2],
      })}${changesLeftOut > 0 ? paragraph(words.left(changesLeftOut)) : ''}
    </figure>
    ${callsChart(pacing.calls, axis)}`
}

/** A line of no values says nothing. */
function unpaced(changes: readonly Change[]): SafeHtml {
  const pauses = changes.filter(({ pausedUntil }) => pausedUntil !== undefined).length
  const words = WORDS.operations
  return paragraph(pauses === 0 ? words.noPace : words.noPacePauses(pauses))
}

/** The limiter says why it paused. */
const isRefused = ({ cause }: Change): boolean => /\b429\b/.test(cause)

function isSlower(changes: readonly Change[], place: number): boolean {
  const [before, now] = [changes[place - 1], changes[place]]
  if (before === undefined || now === undefined || now.pace === null) return false
  return before.pace === null || now.pace < before.pace
}

const changeRow = ({ at, pace, cause, pausedUntil }: Change): string[] => [
  clockWithSeconds(Date.parse(at)),
  pace === null ? WORDS.operations.noLimit : shortNumber(pace),
  sentence(cause, 200),
  pausedUntil === undefined ? '' : clockWithSeconds(Date.parse(pausedUntil)),
]
