// Killed at random moments and resumed each time: nothing is lost, nothing is paid twice. `npm run soak` does it longer.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { liveThroughADay } from '../soak/day.ts'
import { faultsOf, killAgainAndAgain } from '../soak/kills.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()

test.each(['process', 'power'] as const)(
  'a run killed again and again is whole in the end (--durability %s)',
  { timeout: 90_000 },
  async (durability) => {
    const size = durability === 'process' ? { turns: 70, kills: 6 } : { turns: 50, kills: 2 }
    const plan = { ...size, seed: 7, concurrency: 6, durability }
    const report = await killAgainAndAgain({ folder: join(folder, durability), ...plan })
    expect(faultsOf(report, plan)).toEqual([])
  },
)

test(
  'a day at 60 a minute with outages and a spent quota goes on the next day, and the account holds',
  { timeout: 90_000 },
  async () => {
    expect((await liveThroughADay(3)).faults).toEqual([])
  },
)
