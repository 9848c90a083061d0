// Protects how the options of a load test are read. scenarios/invalid.txt covers contradictions.
import { expect, test } from 'vitest'
import { planLoad } from '../../src/library/load-plan.ts'
import { readOptions } from '../../src/options/settings.ts'

const flat = (durationMs: number, rate: number) => ({ durationMs, from: rate, to: rate })

test.each([
  [{ arrivalRate: '2/s', duration: '30s' }, [flat(30_000, 2)]],
  [{ arrivalRate: '90/min', duration: '1m' }, [flat(60_000, 1.5)]],
  [
    { arrivalRate: '2/s', stages: ['30s:5/s,1m:5/s'] },
    [{ durationMs: 30_000, from: 2, to: 5 }, flat(60_000, 5)],
  ],
  [
    { stages: ['10s:10/s', '10s:0/s'] },
    [
      { durationMs: 10_000, from: 0, to: 10 },
      { durationMs: 10_000, from: 10, to: 0 },
    ],
  ],
])('stages of %j', (words, stages) => {
  expect(planLoad(readOptions('load', words)).model).toEqual({ kind: 'open', stages })
})

test('--users allows as many calls in flight as there are users', () => {
  const { model, maxInFlight } = planLoad(readOptions('load', { users: '7', duration: '1m' }))
  expect([model, maxInFlight]).toEqual([{ kind: 'closed', users: 7, durationMs: 60_000 }, 7])
})

test.each([
  ['0', { kind: 'constant', ms: 0 }],
  ['2s', { kind: 'constant', ms: 2000 }],
  ['constant:500ms', { kind: 'constant', ms: 500 }],
  ['uniform:0s:1m', { kind: 'uniform', fromMs: 0, toMs: 60_000 }],
  ['lognormal:3s:10s', { kind: 'lognormal', medianMs: 3000, p95Ms: 10_000 }],
])('--think-time %s', (word, thinkTime) => {
  const words = { arrivalRate: '1/s', duration: '1s', thinkTime: word }
  expect(planLoad(readOptions('load', words)).thinkTime).toEqual(thinkTime)
})
