// Long work of the command line lets signals and timers in.
import { expect, test } from 'vitest'
import { walkBreathing } from '../../src/cli/breath.ts'
import type { Steps } from '../../src/stats/steps.ts'

const LONGEST_MS = 20_000

/** Never waits by itself, and goes on until it is told, or for far longer than a breath is due. */
function* until(isTold: () => boolean): Steps<string> {
  const begun = performance.now()
  while (!isTold()) {
    if (performance.now() - begun > LONGEST_MS) return 'nobody was let in'
    yield
  }
  return 'told'
}

test('a timer comes to its turn in the middle of steps that never wait', async () => {
  let isTold = false
  setTimeout(() => (isTold = true), 1)
  await expect(walkBreathing(until(() => isTold))).resolves.toBe('told')
})

test('what goes wrong in a step is told to who walks', async () => {
  const broken = function* (): Steps<void> {
    yield
    throw new Error('no record of it')
  }
  await expect(walkBreathing(broken())).rejects.toThrow('no record of it')
})
