// Protects the latency models: bounds, quantiles and seeds, and that answers take that long.
import { expect, test } from 'vitest'
import { drawLatency, latencyConfigSchema, seededDraw } from '../../src/sandbox/latency.ts'
import { startClient } from './client.ts'

function sample(model: unknown, seed = 1): number[] {
  const [parsed, draw] = [latencyConfigSchema.parse(model), seededDraw(seed)]
  return Array.from({ length: 20_000 }, (_, index) => drawLatency(parsed, draw, index))
}

// The share of 20,000 draws below a quantile must be within 3.3 standard deviations: 1.2 % at the median.
test.each<[object, Readonly<Record<number, number>>]>([
  [
    { kind: 'constant', delay: '250ms' },
    { 250: 0, 250.1: 1 },
  ],
  [
    { kind: 'uniform', from: '100ms', to: '300ms' },
    { 100: 0, 200: 0.5, 300: 1 },
  ],
  [
    { kind: 'lognormal', median: '400ms', p95: '2s' },
    { 400: 0.5, 2000: 0.95 },
  ],
])('%j has its quantiles', (model, quantiles) => {
  const drawn = sample(model)
  for (const [value, share] of Object.entries(quantiles)) {
    const below = drawn.filter((ms) => ms < Number(value)).length / drawn.length
    expect(Math.abs(below - share)).toBeLessThanOrEqual(3.3 * Math.sqrt((share * (1 - share)) / drawn.length))
  }
})

test('an answer takes as long as the model says; an invalid request is refused at once', async () => {
  const { ask } = await startClient({ config: { latency: { kind: 'constant', delay: '150ms' } } })
  const began = performance.now()
  expect((await ask({ message: 'VPN' })).status).toBe(200)
  expect(performance.now() - began).toBeGreaterThanOrEqual(149)
  const slow = await startClient({ config: { latency: { kind: 'constant', delay: '1h' } } })
  expect((await slow.ask({})).status).toBe(400)
})
