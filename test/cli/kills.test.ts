// Killed at random moments and resumed each time: nothing is lost, nothing is paid twice. `npm run bench -- kills` does it longer.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultsOf, killAgainAndAgain } from '../soak/kills.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()

test('a run killed again and again is whole in the end', { timeout: 90_000 }, async () => {
  const plan = { turns: 70, kills: 6, seed: 7, concurrency: 6 }
  const report = await killAgainAndAgain({ folder: join(folder, 'killed'), ...plan })
  expect(faultsOf(report, plan)).toEqual([])
})
