// Protects recorded answers against SIGKILL at random moments: after resumes nothing is lost and nothing is
// sent twice. `npm run bench -- kills` does the same for longer.
import { expect, test } from 'vitest'
import { killRepeatedly } from '../support/kills.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()

test('a run that is killed and resumed repeatedly ends whole', { timeout: 90_000 }, async () => {
  const { faults } = await killRepeatedly(folder, { turns: 70, kills: 6, seed: 7, concurrency: 6 })
  expect(faults).toEqual([])
})
