// The time of a series across its charts.
import { expect, test } from 'vitest'
import { makeHistory } from '../../../../src/analysis/history/make-history.ts'
import { timeOfSeries } from '../../../../src/report/page/history/series-axis.ts'
import { nightOf } from '../../../support/nights.ts'
import { recordedNight } from '../../../support/recorded-nights.ts'

const ALL = { harnessVersion: '1', since: undefined, targets: undefined }

test.each([
  ['a month', [0, 10, 30], /^\d+ Jan 2026$/],
  ['a turn of the year', [0, 200, 400], /^\d+ \w+ 202[67]$/],
  ['a day', [0, 0.5], /^\d\d:\d\d$/],
])('ticks of %s say all that a reader needs', (_, nights, label) => {
  const runs = nights.map((night) => recordedNight({ startedAt: nightOf(night) }))
  const [series] = makeHistory({ runs, loads: [], leftOut: [] }, ALL).series
  const { ticks, places } = timeOfSeries(series?.runs ?? [])
  expect(places).toHaveLength(nights.length)
  expect(ticks.length).toBeGreaterThan(0)
  for (const tick of ticks) expect(tick.label).toMatch(label)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})
