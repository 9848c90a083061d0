// Work that must not run beside itself.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { oneAtATime } from '../../../src/pace/shared/one-at-a-time.ts'

test('what is asked for while it runs is done once more, and never beside it', async () => {
  let [running, most, times] = [0, 0, 0]
  let finish: (() => void) | undefined
  const ask = oneAtATime(async () => {
    times += 1
    running += 1
    most = Math.max(most, running)
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    running -= 1
  })
  ask()
  expect(times).toBe(1)
  for (let more = 0; more < 3; more += 1) ask()
  finish?.()
  await turn()
  expect([times, running]).toEqual([2, 1])
  finish?.()
  await turn()
  ask()
  expect([times, most]).toEqual([3, 1])
})
