// Protects the demo of `compare`: two runs of the shipped set, between which one article is changed, one removed and one added.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { idsOf, readComparison } from '../support/runs-to-compare.ts'
import { editArticles } from '../support/edited-articles.ts'
import { KEY_ENV, projectRoot } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const { at, read, rows, runLine, expectExit } = openWorkspace({}, KEY_ENV)
const articles = at('articles')
const datasets = join(projectRoot, 'datasets')
const config = sandboxConfigSchema.parse({
  organizations: { northwind: { keys: [{ key: KEY_ENV.ASSIST_API_KEY }] } },
})
let port = 0

/** Runs the whole set against a sandbox with the current articles, always at the same address. */
async function ask(out: string): Promise<void> {
  const sandbox = await startSandbox({ port, config, knowledgeBase: articles })
  port = Number(new URL(sandbox.url).port)
  await runLine(`run ${datasets}/regression.csv --base-url ${sandbox.url} --rate unlimited --out ${out}`)
  await sandbox.close()
}

test('lists exactly the questions that the three articles answer, with the right kind of change and the changed fact', async () => {
  cpSync(join(datasets, 'knowledge-base'), articles, { recursive: true })
  await ask('before')
  const before = rows('before/results.csv').find(({ id }) => id === 'reg-lockout-wait')
  expect(before?.['answer']).toContain('A lock lifts by itself after 20 minutes.')

  editArticles(articles)
  await ask('after')
  const { screen } = await expectExit(0, 'compare before after --out compared')

  const [compared] = readComparison(at('compared')).candidates
  if (compared === undefined) throw new Error('no candidate')
  const { counts, changes, added, removed } = compared
  // Two questions about parking.
  const lost = ['s-parking-cost', 's-ev']
  expect(idsOf(compared, 'groundingLost').toSorted()).toEqual(lost.toSorted())
  expect(idsOf(compared, 'groundingGained')).toEqual(['u-gym'])
  expect(idsOf(compared, 'passToFail').toSorted()).toEqual([...lost, 'reg-lockout-wait', 'u-gym'].toSorted())
  expect(idsOf(compared, 'failToPass')).toEqual([])
  // Every other question of the set has the same answer as before.
  const moved = changes.filter(({ kinds }) => kinds.some((kind) => kind !== 'failInBoth'))
  expect(moved.map(({ id }) => id).toSorted()).toEqual([...lost, 'reg-lockout-wait', 'u-gym'].toSorted())
  const facts = changes.filter(({ kinds }) => kinds.includes('factsChanged'))
  expect(facts).toMatchObject([
    { id: 'reg-lockout-wait', factsLost: [{ text: '20 minutes' }], factsGained: [{ text: '45 minutes' }] },
  ])
  expect(compared.answers).toEqual({ same: 211, rephrased: 0, factsChanged: 1, otherAnswer: 3 })
  expect([added, removed, counts.answerToError]).toEqual([[], [], 0])
  expect(compared.overlap).toMatchObject({ shared: compared.overlap.baseline, share: 1 })

  expect(screen).toMatch(/^ {2}Lost grounding +2$/m)
  expect(screen).toMatch(/^ {2}If I just wait, how long will i… {2}20 minutes → 45 minutes; /m)
  expect(read('compared/comparison.md')).toContain(
    '\n- If I just wait, how long will it take? — 20 minutes → 45 minutes — ',
  )
})
