// Latency models: their bounds, their quantiles, and that a seed fixes them.
import { describe, expect, test } from 'vitest'
import { drawLatency, latencySchema, seededDraw } from '../../src/sandbox/latency.ts'
import { startClient } from './client.ts'

function sample(model: unknown, words = 0, seed = 1): number[] {
  const parsed = latencySchema.parse(model)
  const draw = seededDraw(seed)
  return Array.from({ length: 20_000 }, (_, index) => drawLatency(parsed, words, draw, index))
}
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? Number.NaN

describe('models', () => {
  test('constant', () => {
    expect(new Set(sample({ kind: 'constant', delay: '250ms' }))).toEqual(new Set([250]))
  })
  test('uniform, between its bounds', () => {
    const values = sample({ kind: 'uniform', from: '100ms', to: '300ms' })
    expect(Math.min(...values)).toBeGreaterThanOrEqual(100)
    expect(Math.max(...values)).toBeLessThan(300)
    expect(quantile(values, 0.5)).toBeCloseTo(200, -1)
  })
  test('lognormal, with the median and the 95th percentile that were asked for', () => {
    const values = sample({ kind: 'lognormal', median: '400ms', p95: '2s' })
    expect(quantile(values, 0.5) / 400).toBeCloseTo(1, 1)
    expect(quantile(values, 0.95) / 2000).toBeCloseTo(1, 1)
  })
  test('longer for longer answers', () => {
    expect(sample({ kind: 'constant', delay: '100ms', perWord: '5ms' }, 40)[0]).toBe(300)
  })
  test('the same for the same seed', () => {
    const model = { kind: 'lognormal', median: '1s', p95: '2s' }
    expect(sample(model)).toEqual(sample(model))
    expect(sample(model)).not.toEqual(sample(model, 0, 2))
  })
})

test('an answer takes as long as the model says', async () => {
  const { ask } = await startClient({ config: { latency: { kind: 'constant', delay: '150ms' } } })
  const began = performance.now()
  expect((await ask({ message: 'VPN' })).status).toBe(200)
  expect(performance.now() - began).toBeGreaterThanOrEqual(149)
})

test('a refusal does not wait for it', async () => {
  const { ask } = await startClient({ config: { latency: { kind: 'constant', delay: '1h' } } })
  expect((await ask({})).status).toBe(400)
})
