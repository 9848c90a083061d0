// How long the gate stays closed: each rule of the episode by a row.
import { expect, test } from 'vitest'
import { closeFor, pauseMs, silenceMs, type Episode } from '../../src/pace/closing.ts'

const episode: Episode = {
  failedProbes: 0,
  closedForMs: 0,
  sinceOpeningMs: 0,
  slotMs: 250,
  memoryMs: 0,
  namedMs: undefined,
}

test.each<[string, Partial<Episode>, number]>([
  ['the first pause is one slot', {}, 250],
  ['a named wait is kept', { namedMs: 7000 }, 7000],
  ['a named wait of 0 says nothing', { namedMs: 0 }, 250],
  ['the second pause is two slots', { failedProbes: 1, slotMs: 1000 }, 2000],
  ['the second pause is 0.8 s at least', { failedProbes: 1 }, 800],
  ['less in a window of seconds', { failedProbes: 1, slotMs: 60, isShortWindow: true }, 400],
  ['but two slots there, too', { failedProbes: 1, isShortWindow: true }, 500],
  ['a shorter named wait does not shorten it', { failedProbes: 1, namedMs: 300 }, 800],
  [
    'then the next round window within reach',
    { failedProbes: 2, closedForMs: 2000, sinceOpeningMs: 4000 },
    1050,
  ],
  ['not one that is too near', { failedProbes: 2, closedForMs: 4000, sinceOpeningMs: 9500 }, 5550],
  [
    'else twice the time it has been closed',
    { failedProbes: 3, closedForMs: 6000, sinceOpeningMs: 32_000 },
    12_000,
  ],
  ['sooner in the first seconds', { failedProbes: 3, closedForMs: 3000, sinceOpeningMs: 32_000 }, 4800],
  [
    'and where the memory is known',
    { failedProbes: 3, closedForMs: 3000, sinceOpeningMs: 32_000, memoryMs: 60_000 },
    4200,
  ],
  [
    'never longer than a part of what the limiter remembers',
    { failedProbes: 9, closedForMs: 50_000, sinceOpeningMs: 3_400_000, memoryMs: 60_000 },
    21_000,
  ],
])('%s', (_, more, expected) => {
  expect(pauseMs({ ...episode, ...more })).toBe(expected)
})

test.each([
  [10, 300],
  [100, 400],
  [2000, 3000],
])('after refusals of %i ms a probe counts as accepted after %i ms', (refusal, silence) => {
  expect(silenceMs(refusal)).toBe(silence)
})

test('of two closures the longer one holds, an hour at most', () => {
  const hour = closeFor(null, 0, 86_400_000)
  expect(hour).toEqual({ from: 0, until: 3_600_000 })
  expect(closeFor(hour, 10, 1000)).toBe(hour)
  expect(closeFor(hour, 1, 86_400_000)).toEqual({ from: 1, until: 3_600_001 })
})
