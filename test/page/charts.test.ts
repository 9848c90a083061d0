// Protects the times below a chart: whole ones, all in one format, whatever the length of the run.
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { ChartView } from '../../src/page/charts.tsx'
import type { Chart } from '../../src/report/document.ts'

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 24 * 3_600_000]

function labelsOf(axis: 'time' | 'elapsed', from: number, lasts: number): (string | undefined)[] {
  const points = [from, from + lasts].map((at) => ({ at, value: 0.5 }))
  const chart: Chart = { kind: 'line', series: [['grounded', points]], unit: 'share', axis }
  const html = renderToString(h(ChartView, { chart, title: 'Trend' }))
  return [...html.matchAll(/<text[^>]*text-anchor="middle"[^>]*>([^<]*)</g)].map(([, text]) => text)
}

test.each([
  ['less than a second', '14:03:08.137', 300, '14:03:08.2 14:03:08.3 14:03:08.4'],
  ['nothing', '14:03:08.137', 0, '14:03:08.137 14:03:08.138'],
  ['seconds', '14:03:08.137', 5 * SECOND, '14:03:09 14:03:10 14:03:11 14:03:12 14:03:13'],
  ['minutes', '19:38:40', 110 * SECOND, '19:39:00 19:39:30 19:40:00 19:40:30'],
  ['seconds across midnight', '23:59:50', 20 * SECOND, '23:59:50 23:59:55 00:00:00 00:00:05 00:00:10'],
  ['minutes across midnight', '23:55:10', 12 * MINUTE, '00:00 00:05'],
  ['hours', '11:00:30', 3 * HOUR, '12:00 13:00 14:00'],
  ['hours across midnight', '22:30:00', 3 * HOUR, '23:00 00:00 01:00'],
  ['more than a day', '11:00:00', 30 * HOUR, '2026-11-27 12:00, 2026-11-28 00:00, 2026-11-28 12:00'],
  ['days', '12:00:00', 5 * DAY, '2026-11-28 00:00, 2026-11-30 00:00, 2026-12-02 00:00'],
])('times of a run of %s', (_, start, lasts, expected) => {
  const labels = labelsOf('time', Date.parse(`2026-11-27T${start}Z`), lasts)
  expect(labels.join(expected.includes(',') ? ', ' : ' ')).toBe(expected)
})

test.each([
  [300, '0.0 s, 0.1 s, 0.2 s, 0.3 s'],
  [5 * SECOND, '0 s, 1 s, 2 s, 3 s, 4 s, 5 s'],
  [2 * MINUTE, '0 s, 30 s, 60 s, 90 s, 120 s'],
  [90 * MINUTE, '0 min, 30 min, 60 min, 90 min'],
  [3 * HOUR, '0 h, 1 h, 2 h, 3 h'],
  [5 * DAY, '0 h, 24 h, 48 h, 72 h, 96 h, 120 h'],
])('the time since the start in %i ms', (lasts, expected) => {
  expect(labelsOf('elapsed', 0, lasts).join(', ')).toBe(expected)
})
