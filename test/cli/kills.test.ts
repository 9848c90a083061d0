// Killed at random moments and resumed each time: nothing is lost, nothing is paid twice. `npm run bench -- kills` does it longer.
import { expect, test } from 'vitest'
import { killAgainAndAgain } from '../support/kills.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()

test('a run killed again and again is whole in the end', { timeout: 90_000 }, async () => {
  const { faults } = await killAgainAndAgain(folder, { turns: 70, kills: 6, seed: 7, concurrency: 6 })
  expect(faults).toEqual([])
})
