// The time of a load test across its charts: the axis, and where bins lie on it.
import type { LoadReport, LoadBin } from '../../../domain/load.ts'
import { shortNumber } from '../../differences.ts'
import { columnsOverTime, type ColumnSeries } from '../charts/columns.ts'
import type { ChartTexts } from '../charts/plot.ts'
import type { Tick } from '../charts/scales.ts'
import type { SafeHtml } from '../html.ts'
import { wholePercent } from '../overview/format.ts'
import { axisOfRun } from '../overview/time-of-run.ts'
import { LOAD_WORDS } from './words.ts'

/** Share of the width that the values of the grid take. */
export const LABEL_WIDTH = 0.12

export interface LoadTime {
  readonly bins: readonly LoadBin[]
  readonly binMs: number
  /** `in steps of 1 s`. */
  readonly steps: string
  readonly ticks: readonly Tick[]
  /** The middle of a bin, 0 to 1 across. */
  readonly middle: (bin: number) => number
  readonly span: (bin: number) => { readonly from: number; readonly to: number }
  /** When a bin begins, milliseconds since the epoch. */
  readonly startOf: (bin: number) => number
  /** Seconds of a bin in which threads were to arrive: fewer in the last one, 0 after it. */
  readonly arriving: (bin: number) => number
}

/** Undefined where nothing was due. */
export function timeOf({ overTime, load }: LoadReport): LoadTime | undefined {
  if (overTime === null) return undefined
  const { from, binMs, bins } = overTime
  const start = Date.parse(from)
  const { model } = load
  const planned =
    model.kind === 'closed'
      ? model.durationMs
      : model.stages.reduce((all, { durationMs }) => all + durationMs, 0)
  const axis = axisOfRun(start, start + bins.length * binMs)
  const clamp = (share: number): number => Math.min(1, Math.max(0, share))
  const place = (bin: number): number => clamp(axis.place(start + bin * binMs))
  return {
    bins,
    binMs,
    steps: LOAD_WORDS.steps(shortNumber(binMs / 1000)),
    ticks: withRoom(axis.ticks),
    middle: (bin) => place(bin + 0.5),
    span: (bin) => ({ from: place(bin), to: place(bin + 1) }),
    arriving: (bin) => Math.max(0, Math.min(binMs, planned - bin * binMs)) / 1000,
    startOf: (bin) => start + bin * binMs,
  }
}

/** On a telephone a label takes a fifth of the width; the last one ends where its tick is. */
function withRoom(ticks: readonly Tick[]): Tick[] {
  const kept: Tick[] = []
  for (const tick of ticks) {
    const room = tick.place - (kept.at(-1)?.place ?? Number.NEGATIVE_INFINITY)
    if (room >= (tick.place > 0.9 ? 0.32 : 0.2)) kept.push(tick)
  }
  return kept
}

/** Times on an axis: `0.5 s` beside `1 s`, `200 ms` where all are below one. */
export const timeFormat =
  (most: number): ((ms: number) => string) =>
  (ms) =>
    most >= 1000 ? `${shortNumber(ms / 1000)} s` : `${shortNumber(ms)} ms`

/** Columns over the time of the test; values are as they are drawn. */
export const loadColumns = (
  id: string,
  texts: ChartTexts,
  { span, ticks }: LoadTime,
  series: readonly ColumnSeries[],
): SafeHtml =>
  columnsOverTime(id, texts, { series, span, ticks, format: shortNumber, labelWidth: LABEL_WIDTH })

/** The same of shares: each column is a whole. */
export const loadShares = (
  id: string,
  texts: ChartTexts,
  { span, ticks }: LoadTime,
  series: readonly ColumnSeries[],
): SafeHtml =>
  columnsOverTime(id, texts, { series, span, ticks, format: wholePercent, labelWidth: LABEL_WIDTH, most: 1 })

export const sum = (bins: readonly LoadBin[], of: (bin: LoadBin) => number): number =>
  bins.reduce((all, bin) => all + of(bin), 0)
