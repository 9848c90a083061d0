// Protects the times below a chart: hours of the day as tables write them, from 0 to 24.
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { ChartView } from '../../src/page/charts.tsx'
import type { Chart } from '../../src/report/document.ts'

const DAY = 24 * 3_600_000

test.each([
  ['minutes of an evening', '2026-11-27T19:38:40Z', 110_000, ['19:39', ':30', '19:40']],
  ['hours of a day', '2026-11-27T11:00:00Z', 12 * 3_600_000, ['12:00', '15:00', '21:00']],
  ['days', '2026-11-24T12:00:00Z', 4 * DAY, ['Wed 25', 'Fri 27']],
])('%s', (_, from, lasts, expected) => {
  const at = Date.parse(from)
  const points = [at, at + lasts].map((one) => ({ at: one, value: 0.5 }))
  const chart: Chart = { kind: 'line', series: [['grounded', points]], unit: 'share', axis: 'time' }
  const html = renderToString(h(ChartView, { chart, title: 'Trend' }))
  const labels = [...html.matchAll(/<text[^>]*text-anchor="middle"[^>]*>([^<]*)</g)].map(([, text]) => text)
  expect(labels).toEqual(expect.arrayContaining(expected))
  expect(labels.join(' ')).not.toMatch(/AM|PM|07:39/)
})
