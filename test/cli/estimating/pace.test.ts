// How fast a run is taken to be.
import { expect, test } from 'vitest'
import { speedOf } from '../../../src/cli/estimating/pace.ts'
import type { RunSettings } from '../../../src/library/read-options.ts'

test.each<[RunSettings, object]>([
  // A known rate is kept 1 % below, and shared.
  [{ rate: '60/min' }, { kind: 'paced', perSecond: 0.99 }],
  [
    { rate: '10/s', share: 0.5 },
    { kind: 'paced', perSecond: 4.95 },
  ],
  [{ rate: 'unlimited' }, { kind: 'unlimited' }],
  [{}, { kind: 'unknown', startPerSecond: 4 }],
])('%j', (settings, pace) => {
  expect(speedOf(settings).pace).toEqual(pace)
})

test('calls at once, as said or as many as auto allows', () => {
  expect([speedOf({}).concurrency, speedOf({ concurrency: 8 }).concurrency]).toEqual([64, 8])
})
