// Charts as SVG, rendered with the page: lines, and columns over time.
import { scaleLinear, scaleUtc } from 'd3-scale'
import { curveLinear, curveStepAfter, line } from 'd3-shape'
import { ROUNDED, type Unit } from '../domain/format.ts'
import type { Point } from '../report/document.ts'
import type { ChartProps } from './blocks.tsx'

const [WIDTH, HEIGHT] = [640, 200]
const EDGE = { left: 56, right: 20, top: 8, bottom: 28 }
const INNER = { right: WIDTH - EDGE.right, bottom: HEIGHT - EDGE.bottom }

export const ChartView = ({ chart, title }: ChartProps) => (
  <div>
    {chart.kind === 'line' ? <Lines chart={chart} title={title} /> : <Columns chart={chart} title={title} />}
  </div>
)

const heights = (max: number) => scaleLinear([0, max === 0 ? 1 : max], [INNER.bottom, EDGE.top]).nice(4)

const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1000, 60_000, 3_600_000, 86_400_000]
/** A character is this wide at most: on a phone, the text of a chart is large. */
const CHARACTER = 12

type Tick = readonly [x: number, text: string]

/** Labels are times (UTC), or the time since the start: whole ones, all in one format. */
function timeAxis(from: number, to: number, axis: 'time' | 'elapsed') {
  const domain = [from, Math.max(to, from + 1)]
  const x = scaleLinear(domain, [EDGE.left, INNER.right])
  const all = scaleUtc(domain, x.range()).ticks(4).map(Number)
  const step = Math.min(...all.slice(1).map((at, index) => at - (all[index] ?? 0)))
  // As many as tell ticks of less than a second apart.
  const decimals = step >= SECOND_MS ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : 3
  const labelOf = (at: number): string => {
    if (axis === 'time') {
      // In more than a day, each time of day comes twice.
      const start = to - from > DAY_MS ? 0 : 11
      const end = step >= MINUTE_MS ? 16 : decimals === 0 ? 19 : 20 + decimals
      return new Date(at).toISOString().slice(start, end).replace('T', ' ')
    }
    if (step >= HOUR_MS) return `${at / HOUR_MS} h`
    return step >= MINUTE_MS ? `${at / MINUTE_MS} min` : `${(at / SECOND_MS).toFixed(decimals)} s`
  }
  const ticks = all.map((at): Tick => [x(at), labelOf(at)])
  const length = ticks.reduce((sum, [, text]) => sum + text.length * CHARACTER, 0)
  const every = Math.ceil(length / (INNER.right - EDGE.left))
  return { x, ticks: ticks.filter((_, index) => index % every === 0) }
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
              {tick === 0 ? '0' : ROUNDED[unit](tick)}
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

const toneOf = (index: number): string => (index === 0 ? 'accent' : 'warn')

function Lines({ chart: { series, unit, axis }, title }: ChartProps & { chart: { kind: 'line' } }) {
  const all = series.flatMap(([, points]) => points)
  const times = all.map(({ at }) => at)
  const { x, ticks } = timeAxis(Math.min(...times), Math.max(...times), axis)
  const y = heights(Math.max(0, ...all.map(({ value }) => value ?? 0)))
  return (
    <Frame
      title={title}
      y={y}
      unit={unit}
      ticks={ticks}
      legend={series.map(([label], index) => [label, toneOf(index)])}
    >
      {series.map(([, points], index) => {
        const path = line<Point>()
          .defined(({ value }) => value !== null)
          .x(({ at }) => x(at))
          .y(({ value }) => y(value ?? 0))
          // A pace holds until it changes.
          .curve(unit === 'perSecond' ? curveStepAfter : curveLinear)
        return (
          <g class={toneOf(index)}>
            <path class="line-path" d={path(points) ?? ''} />
          </g>
        )
      })}
    </Frame>
  )
}

function Columns({
  chart: { series, from, binMs, axis },
  title,
}: ChartProps & { chart: { kind: 'columns' } }) {
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
