// When the patience of `--give-up-after 30m` ends, to the minute. What a run does then: run.test.ts.
import { expect, test } from 'vitest'
import { createPatience, type AttemptEnd } from '../../src/runner/stops.ts'

const MINUTE = 60_000
const accepted = { kind: 'accepted' } as const
const failed = { kind: 'failed', reached: true, cause: 'HTTP 503' } as const
/** A 429 that names a wait of so many minutes, or none. */
const refused = (minutes?: number): AttemptEnd['observation'] => ({
  kind: 'rateLimited',
  namedMs: minutes === undefined ? undefined : minutes * MINUTE,
})

/** Each sign by the minute at which its attempt was sent, and ended. */
test.each<[string, Record<number, AttemptEnd['observation']>, number, object]>([
  ['after 30 minutes of refusals', { 1: refused() }, 31, { over: 'refusals' }],
  ['after 30 minutes of failures', { 1: failed, 12: failed }, 31, { over: 'failures' }],
  [
    '30 minutes after the first failure since an answer',
    { 0: failed, 29: accepted, 40: failed },
    70,
    { over: 'failures' },
  ],
  ['no earlier where the wait is just as long', { 0: refused(30) }, 30, { over: 'refusals' }],
  ['no earlier where the wait is what is left', { 0: refused(), 20: refused(10) }, 30, { over: 'refusals' }],
  [
    'at once where the wait is longer than what is left',
    { 0: refused(), 20: refused(11) },
    20,
    { namedMs: 11 * MINUTE },
  ],
])('patience ends %s', (_, signs, end, loss) => {
  const patience = createPatience(30 * MINUTE)
  expect([patience.isFull(), patience.remainingMs(0)]).toEqual([true, undefined])
  for (const [minute, observation] of Object.entries(signs)) {
    const now = Number(minute) * MINUTE
    expect(patience.gaveUp(now)).toBeUndefined()
    patience.note({ observation, text: `said at ${minute}`, sentAt: now, now })
    if (observation.kind === 'accepted') expect(patience.remainingMs(now)).toBeUndefined()
  }
  expect(patience.remainingMs(end * MINUTE - 1)).toBe(1)
  expect(patience.gaveUp(end * MINUTE - 1)).toBeUndefined()
  expect(patience.gaveUp(end * MINUTE)).toMatchObject({
    kind: 'gaveUp',
    last: `said at ${Object.keys(signs).at(-1)}`,
    afterMs: 30 * MINUTE,
    ...loss,
  })
})
