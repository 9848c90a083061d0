// Protects the list of runs: what is counted of a run that moves is not counted of the next run in its folder.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRunList, run } from '../../src/library/index.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()

/** A run whose process seems to go on. */
async function makeRunning(questions: number): Promise<void> {
  const set = join(folder, 'set.csv')
  writeFileSync(set, ['message', ...Array.from({ length: questions }, (_, nth) => `How ${nth}?`)].join('\n'))
  const out = join(folder, 'reports/nightly')
  rmSync(out, { recursive: true, force: true })
  await run({ datasets: [set], sandbox: true, out })
  const manifest = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as object
  writeFileSync(join(out, 'run.json'), JSON.stringify({ ...manifest, state: 'running', endedAt: null }))
  writeFileSync(join(out, 'lock'), JSON.stringify({ pid: process.ppid, host: hostname() }))
}

test('another run in the folder of one that was stopped is counted from its start', async () => {
  await makeRunning(5)
  const list = await openRunList(join(folder, 'reports'))
  const counted = async () => (await list.read()).map(({ state, live }) => [state, live?.done, live?.total])
  expect(await counted()).toEqual([['running', 5, 5]])
  await makeRunning(3)
  expect(await counted()).toEqual([['running', 3, 3]])
})
