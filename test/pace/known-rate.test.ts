// A known rate that is a little, or far, above the truth: simulated, it is not refused for ever.
import { expect, test } from 'vitest'
import { createAdaptivePolicy } from '../../src/pace/adaptive-policy.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { bucket, limited, sliding, type Server } from '../bench/pacing/servers.ts'
import { simulate } from '../bench/pacing/simulate.ts'

function refusedShare(known: number, server: Server): number {
  const { refused, attempts } = simulate(createAdaptivePolicy({ known, random: seededRandom(1) }), server, {
    calls: 2000,
    random: seededRandom(2),
    medianMs: 2000,
    sigma: 0.6,
    cap: 64,
  })
  return refused / attempts
}

test.each([1.03, 1.05, 1.1, 2])('%f times too high: at most 2 %% of calls are refused', (factor) => {
  expect(refusedShare(10 * factor, limited([bucket(10, 10)]))).toBeLessThan(0.02)
  expect(refusedShare(4 * factor, limited([sliding(40, 10)]))).toBeLessThan(0.02)
})

test('the jitter of a network on a short window costs a few calls, then distance is kept', () => {
  expect(refusedShare(8, limited([sliding(8, 1)]))).toBeLessThan(0.005)
})
