// Protects which nights the gate is tried on: those between which nobody changed anything.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gateTrials, report } from '../../src/library/index.ts'
import { makeManifest, makeTurn, recordRun } from '../support/recorded.ts'
import { temporaryFolder } from '../support/temporary.ts'

const NIGHTS = 9

test('a set that was edited before a night that did not end was edited, too', async () => {
  const folder = temporaryFolder()
  const turns = [makeTurn()]
  for (let night = 1; night <= NIGHTS; night += 1) {
    const run = join(folder, String(night))
    const [set] = makeManifest().datasets
    const datasets = [
      { ...set, path: 'set.csv', source: 'set.csv', turns: 1, digest: `v${night < 5 ? 1 : 2}` },
    ]
    const startedAt = `2026-11-0${night}T12:00:00.000Z`
    recordRun(run, { turns, manifest: { runId: `night-${night}`, startedAt, datasets } })
    await report({ run })
    const summary = join(run, 'summary.json')
    if (night === 5)
      writeFileSync(summary, readFileSync(summary, 'utf8').replace('"complete"', '"incomplete"'))
  }
  expect(await gateTrials(folder)).toMatchObject([{ gate: { nights: NIGHTS - 3, edited: 1 } }])
})
