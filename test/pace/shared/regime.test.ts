// What processes have found out of a limit outlives those who keep to a rate below it.
import { expect, test } from 'vitest'
import { forAnotherNight, type Learned } from '../../../src/pace/learned.ts'
import type { Rules } from '../../../src/pace/shared/protocol.ts'
import { createRegime } from '../../../src/pace/shared/regime.ts'

const auto: Rules = { perSecond: undefined, concurrency: undefined, start: undefined, share: 1 }
const slow: Rules = { ...auto, perSecond: 2 }
const found: Learned = {
  pace: 5.4,
  capacity: 5.5,
  sustained: 5.2,
  memoryMs: 0,
  atOnce: undefined,
  recent: { calls: 40, ms: 8000 },
  met: { episodes: 3, refusals: 4 },
}
const open = (learned: Learned | undefined): ReturnType<typeof createRegime> =>
  createRegime(
    {
      term: 't',
      begun: '',
      learned,
      night: undefined,
      isOtherNight: false,
      closure: undefined,
      processes: 0,
      gatherMs: 0,
    },
    0,
    () => 0.5,
  )
/** Sends what is due until then; everything is answered well. */
function callUntil(regime: ReturnType<typeof createRegime>, from: number, until: number): void {
  const { policy } = regime
  if (policy === undefined) throw new Error('no policy')
  let now = from
  for (;;) {
    now = Math.max(now, policy.nextSendAt(now, 0))
    if (now >= until) return
    const call = { policy, sending: policy.onSend(now, 0) }
    regime.answer(now, call, 0, { kind: 'accepted' })
  }
}

test.each([0, 2000])('a process with a rate of its own comes and goes (memory of %s ms)', (memoryMs) => {
  const regime = open({ ...found, memoryMs })
  regime.rule([auto], 0)
  callUntil(regime, 0, 4000)
  const before = regime.pace
  expect(before).toBeGreaterThan(4.5)
  regime.rule([auto, slow], 4000)
  expect(regime.pace).toBeLessThanOrEqual(2)
  callUntil(regime, 4000, 20_000)
  expect(regime.learnedBy(20_000)).toMatchObject({ capacity: expect.closeTo(5.5, 0), memoryMs })
  expect(regime.nightBy(20_000)?.learned.capacity).toBeCloseTo(5.5, 0)
  regime.rule([auto], 20_000)
  expect(regime.pace).toBeGreaterThan(0.9 * before)
  expect(regime.pace).toBeLessThan(1.1 * before)
  callUntil(regime, 20_000, 23_000)
  // On the plateau, and not in a ramp that doubles.
  expect(regime.pace).toBeLessThan(1.3 * before)
})

test('how often the limit was met is counted on from one policy to the next, but not from one night to the next', () => {
  const regime = open(found)
  regime.rule([auto], 0)
  const refuse = (now: number): void => {
    const { policy } = regime
    if (policy === undefined) throw new Error('no policy')
    const call = { policy, sending: policy.onSend(now, 1) }
    regime.answer(now + 10, call, 0, { kind: 'rateLimited', namedMs: undefined })
  }
  refuse(1000)
  expect(regime.learnedBy(1100)?.met).toEqual({ episodes: 4, refusals: 5 })
  regime.rule([auto, slow], 2000)
  expect(regime.learnedBy(2000)?.met).toEqual({ episodes: 4, refusals: 5 })
  refuse(3000)
  regime.rule([auto], 4000)
  expect(regime.learnedBy(4000)?.met).toMatchObject({ refusals: 6 })
  const night = regime.nightBy(4000)
  expect(night && forAnotherNight(night.learned)?.met).toBeUndefined()
})

test('a limit that nobody has met is still to be found', () => {
  const regime = open(undefined)
  regime.rule([slow], 0)
  callUntil(regime, 0, 5000)
  expect(regime.learnedBy(5000)?.capacity).toBeUndefined()
})
