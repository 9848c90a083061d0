// How fast a run is taken to be: said over found over unknown.
import { expect, test } from 'vitest'
import { speedOf } from '../../../src/cli/estimating/pace.ts'
import type { RecordedPace } from '../../../src/cli/estimating/recorded-run.ts'
import type { RunSettings } from '../../../src/cli/options/run-options.ts'

const nothing: RecordedPace = { limit: undefined, reached: undefined, atOnce: undefined }
const paced = (source: 'given' | 'run' | 'runUnmet', perSecond: number) => ({
  kind: 'paced',
  source,
  perSecond,
})

test.each<[RunSettings, RecordedPace | undefined, object]>([
  // A known rate is kept 1 % below, and shared.
  [{ rate: '60/min' }, undefined, paced('given', 0.99)],
  [{ rate: '10/s', share: 0.5 }, { ...nothing, limit: 4 }, paced('given', 4.95)],
  [{}, { ...nothing, limit: 4 }, paced('run', 4)],
  [{ share: 0.5 }, { ...nothing, limit: 4, reached: undefined }, paced('run', 2)],
  [{}, { ...nothing, reached: 32 }, paced('runUnmet', 32)],
  [{ rate: 'unlimited' }, { ...nothing, limit: 4 }, paced('run', 4)],
  [{ rate: 'unlimited' }, { ...nothing, reached: 32 }, { kind: 'unlimited' }],
  [{}, nothing, { kind: 'unknown', startPerSecond: 4 }],
  [{ startRate: '1/s', share: 0.5 }, undefined, { kind: 'unknown', startPerSecond: 0.5 }],
])('%j after %j', (settings, recorded, pace) => {
  const found = speedOf(settings, recorded).pace
  expect(JSON.parse(JSON.stringify(found))).toEqual(pace)
})

test('calls at once: what is said, and no more than the endpoint allows', () => {
  expect(speedOf({}, undefined).concurrency).toBe(64)
  expect(speedOf({ concurrency: 8 }, { ...nothing, atOnce: 10 }).concurrency).toBe(8)
  expect(speedOf({ concurrency: 8, share: 0.5 }, { ...nothing, atOnce: 10 }).concurrency).toBe(5)
  expect(speedOf({ share: 0.1 }, { ...nothing, atOnce: 3 }).concurrency).toBe(1)
})
