// Protects the pace with which the next run, or a run with changed rules, starts.
import { describe, expect, test } from 'vitest'
import type { PaceRules } from '../../src/pace/rules.ts'
import { underRules } from '../../src/pace/processes.ts'
import type { PaceState } from '../../src/pace/state.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { ours } from '../bench/pacing/ours.ts'
import { bucket, limited, type Server } from '../bench/pacing/servers.ts'
import { simulate } from '../bench/pacing/simulate.ts'

const auto: PaceRules = { rate: { kind: 'auto' }, concurrency: 64, share: 1 }
const known: PaceRules = { ...auto, rate: { kind: 'known', perSecond: 5 } }

function learn(server: Server, calls: number): PaceState {
  const policy = ours(seededRandom(1001))
  simulate(policy, server, { calls, random: seededRandom(1), medianMs: 2000, sigma: 0.6, cap: 64 })
  return policy.state
}

describe('the next run', () => {
  const learned = learn(limited([bucket(10, 10)]), 600)
  const limit = learned.paced?.limit ?? 0
  const next = (state: PaceState, rules: PaceRules) => underRules(state, rules, true).paced

  test('starts from the beginning if the limit was never reached', () => {
    expect(next(learn(limited([]), 50), auto)).toMatchObject({ pace: 4, search: { kind: 'ramp' } })
  })

  test('uses a share of the limit without searching above, and a known rate below the limit', () => {
    expect(next(learned, { ...auto, share: 0.5 })).toMatchObject({ pace: 0.99 * 0.5 * limit, search: null })
    expect(next(learned, known)).toMatchObject({ pace: 4.95, search: null })
  })
})

test('changed rules during a run: a known rate applies at once, and without it the search continues', () => {
  const state = learn(limited([bucket(10, 10)]), 600)
  const slower = underRules(state, known)
  expect(slower.paced).toMatchObject({ pace: 4.95, search: null })
  const { limit } = state.paced ?? {}
  expect(underRules(slower, auto).paced).toMatchObject({
    pace: 4.95,
    limit,
    search: { kind: 'plateau' },
  })
})
