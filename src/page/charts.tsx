// Charts as SVG, rendered with the page: lines, and columns over time.
import { scaleLinear, scaleUtc } from 'd3-scale'
import { curveLinear, curveStepAfter, line } from 'd3-shape'
import { duration, ROUNDED, type Unit } from '../domain/format.ts'
import type { Chart, Point } from '../report/document.ts'

const [WIDTH, HEIGHT] = [640, 200]
const EDGE = { left: 56, right: 20, top: 8, bottom: 28 }
const INNER = { right: WIDTH - EDGE.right, bottom: HEIGHT - EDGE.bottom }

interface Props<C = Chart> {
  readonly chart: C
  readonly title: string
}
type PropsOf<K extends Chart['kind']> = Props<Extract<Chart, { kind: K }>>

/** A chart of either kind. */
export const ChartView = ({ chart, title }: Props) =>
  chart.kind === 'line' ? <Lines chart={chart} title={title} /> : <Columns chart={chart} title={title} />

const say = (value: number, unit: Unit): string => (value === 0 ? '0' : ROUNDED[unit](value))

const heights = (max: number) => scaleLinear([0, max === 0 ? 1 : max], [INNER.bottom, EDGE.top]).nice(4)

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

type Tick = readonly [x: number, text: string]

/** Labels are times of day, or the time since the start. */
function timeAxis(from: number, to: number, axis: 'time' | 'elapsed') {
  const domain = [from, Math.max(to, from + 1)]
  const x = scaleLinear(domain, [EDGE.left, INNER.right])
  const times = scaleUtc(domain, x.range())
  const ofDay = times.tickFormat()
  // D3 writes minutes and hours of a 12-hour clock.
  const format = (at: Date): string =>
    at.getTime() % MINUTE_MS === 0 && at.getTime() % DAY_MS !== 0 ? at.toISOString().slice(11, 16) : ofDay(at)
  const ticks: Tick[] =
    axis === 'time'
      ? times.ticks(4).map((at) => [times(at), format(at)])
      : x.ticks(4).map((at) => [x(at), at === 0 ? '0' : duration(at)])
  return { x, ticks }
}

interface FrameProps {
  readonly title: string
  readonly y: ReturnType<typeof heights>
  readonly unit: Unit
  readonly ticks: readonly Tick[]
  readonly legend: readonly (readonly [label: string, className: string])[]
  readonly children: preact.ComponentChildren
}

const Frame = ({ title, y, unit, ticks, legend, children }: FrameProps) => (
  <>
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
      {y
        .ticks(4)
        .filter((tick) => unit !== 'count' || Number.isInteger(tick))
        .map((tick) => (
          <>
            <line class="grid" x1={EDGE.left} x2={INNER.right} y1={y(tick)} y2={y(tick)} />
            <text x={EDGE.left - 6} y={y(tick)} dy="0.32em" text-anchor="end">
              {say(tick, unit)}
            </text>
          </>
        ))}
      {ticks.map(([x, text]) => (
        <text x={x} y={HEIGHT - 6} text-anchor="middle">
          {text}
        </text>
      ))}
      {children}
    </svg>
    {legend.length < 2 ? null : (
      <ul class="legend">
        {legend.map(([label, className]) => (
          <li class={className}>{label}</li>
        ))}
      </ul>
    )}
  </>
)

/** The colour of a chart's first and second line. */
const toneOf = (index: number): string => (index === 0 ? 'accent' : 'warn')

function Lines({ chart: { series, unit, axis }, title }: PropsOf<'line'>) {
  const points = series.flatMap(([, own]) => own)
  const times = points.map(({ at }) => at)
  const { x, ticks } = timeAxis(Math.min(...times), Math.max(...times), axis)
  const y = heights(Math.max(0, ...points.map(({ value }) => value ?? 0)))
  return (
    <Frame
      title={title}
      y={y}
      unit={unit}
      ticks={ticks}
      legend={series.map(([label], index) => [label, toneOf(index)])}
    >
      {series.map(([, own], index) => {
        const path = line<Point>()
          .defined(({ value }) => value !== null)
          .x(({ at }) => x(at))
          .y(({ value }) => y(value ?? 0))
          // A pace holds until it changes.
          .curve(unit === 'perSecond' ? curveStepAfter : curveLinear)
        return (
          <g class={toneOf(index)}>
            <path class="line" d={path(own) ?? ''} />
          </g>
        )
      })}
    </Frame>
  )
}

function Columns({ chart: { series, from, binMs, axis }, title }: PropsOf<'columns'>) {
  const bins = Math.max(0, ...series.map(([, , counts]) => counts.length))
  const { x, ticks } = timeAxis(from, from + bins * binMs, axis)
  const totals = Array.from({ length: bins }, (_, bin) =>
    series.reduce((sum, [, , counts]) => sum + (counts[bin] ?? 0), 0),
  )
  const y = heights(Math.max(0, ...totals))
  const width = Math.max(1, x(from + binMs) - x(from) - 1)
  const below = totals.map(() => 0)
  return (
    <Frame
      title={title}
      y={y}
      unit="count"
      ticks={ticks}
      legend={series.map(([label, tone]) => [label, tone])}
    >
      {series.map(([, tone, counts]) => (
        <g class={tone}>
          {counts.map((count, bin) => {
            const base = below[bin] ?? 0
            below[bin] = base + count
            return count === 0 ? null : (
              <rect
                x={x(from + bin * binMs)}
                width={width}
                y={y(base + count)}
                height={y(base) - y(base + count)}
              />
            )
          })}
        </g>
      ))}
    </Frame>
  )
}
