// Protects the clock of a load test: timers are never early, and cancelled ones never run.
import { expect, test } from 'vitest'
import { timerClock } from '../../src/runner/clock.ts'

test('is never early, although timers of Node are', async () => {
  const early = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const ms = i / 10
      const due = timerClock.now() + ms
      await new Promise<void>((resolve) => {
        timerClock.after(ms, resolve)
      })
      return due - timerClock.now()
    }),
  )
  expect(Math.max(...early)).toBeLessThanOrEqual(0)
})

test('cancelled timers never run', async () => {
  const ran: number[] = []
  for (const ms of [0, 1, 5]) timerClock.after(ms, () => ran.push(ms))()
  await new Promise((resolve) => {
    setTimeout(resolve, 20)
  })
  expect(ran).toEqual([])
})
