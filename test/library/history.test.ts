// Protects which nights the gate is tried on: those between which nobody changed anything.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnsweredTurn } from '../../src/domain/turn.ts'
import { gateTrials, report } from '../../src/library/index.ts'
import type { RunManifest } from '../../src/options/manifest.ts'
import { makeManifest, makeReply, makeTurn, recordRun } from '../support/recorded.ts'
import { temporaryFolder } from '../support/temporary.ts'

const NIGHTS = 9

/** Records the run of a night in November and writes its report. */
async function recordNight(
  folder: string,
  night: number,
  turn: AnsweredTurn,
  digest = 'v1',
  more: Partial<RunManifest['options']> = {},
): Promise<string> {
  const { options, datasets } = makeManifest()
  const manifest = {
    runId: `night-${night}`,
    startedAt: `2026-11-${String(night).padStart(2, '0')}T12:00:00.000Z`,
    datasets: datasets.slice(0, 1).map((set) => ({ ...set, path: 'set.csv', turns: 1, digest })),
    options: { ...options, ...more },
  }
  const run = join(folder, String(night))
  recordRun(run, { turns: [turn], manifest })
  await report({ run })
  return join(run, 'summary.json')
}

test('a set that was edited before a night that did not end was edited, too', async () => {
  const [folder, turn] = [temporaryFolder(), makeTurn()]
  for (let night = 1; night <= NIGHTS; night += 1) {
    const summary = await recordNight(folder, night, turn, `v${night < 5 ? 1 : 2}`)
    if (night === 5)
      writeFileSync(summary, readFileSync(summary, 'utf8').replace('"complete"', '"incomplete"'))
  }
  expect(await gateTrials(folder)).toMatchObject([{ gate: { nights: NIGHTS - 3, edited: 1 } }])
})

/** Returns the summary of a night, of those that all but the first and the last are held against the first. */
async function nightsOf(isBad: (night: number) => boolean) {
  const folder = temporaryFolder()
  const question = { ...makeTurn().question, expect: { contains: ['7 days'] }, mustPass: true }
  for (let night = 1; night <= NIGHTS + 2; night += 1) {
    const result = makeReply('KNOWLEDGE_BASE', isBad(night) ? 'Soon.' : 'In 7 days.')
    const isCompared = night > 1 && night < NIGHTS + 2
    const baseline = isCompared ? join(folder, '1') : null
    await recordNight(folder, night, makeTurn({ question, result }), 'v1', { baseline })
  }
  return (night: number): string => readFileSync(join(folder, String(night), 'summary.md'), 'utf8')
}

test('a run says of a baseline that it fails one clean night in two', async () => {
  const summaryOf = await nightsOf((night) => night % 2 === 0)
  expect(summaryOf(NIGHTS + 1)).toContain(
    'This gate fails 1 clean night in 2: 4 of 8 before which nothing was edited',
  )
  for (const night of [NIGHTS - 1, NIGHTS + 2]) expect(summaryOf(night)).not.toContain('clean night')
})

test('a gate that failed one clean night may have done so by chance', async () => {
  const summaryOf = await nightsOf((night) => night === 4)
  expect(summaryOf(NIGHTS + 1)).not.toContain('clean night')
})
