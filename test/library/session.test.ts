// Protects the targets of one job from each other: one whose session throws ends alone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunJob } from '../../src/library/job.ts'
import { createRunWork, openRuns, runTargets } from '../../src/library/run.ts'
import { carryOut, type Session, type Work } from '../../src/library/session.ts'
import { openEndpoint } from '../support/endpoint.ts'
import { readSummary } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const set = join(folder, 'set.csv')
writeFileSync(set, `message\n${Array.from({ length: 20 }, (_, number) => `Question ${number}?\n`).join('')}`)
const broken = (): never => {
  throw new Error('broken on purpose')
}

async function jobInto(out: string): Promise<RunJob> {
  const [one, two] = [await openEndpoint(), await openEndpoint()]
  const common = { out: join(folder, out), rate: '50/s' }
  return {
    datasets: [set],
    settings: common,
    targets: [
      { name: 'one', settings: { ...common, baseUrl: one.url } },
      { name: 'two', settings: { ...common, baseUrl: two.url } },
    ],
    sandbox: false,
    apiKey: 'session-key-0123456789',
    onEvent: () => undefined,
    wantsCalls: false,
  }
}

const concluded = { verdict: '', exitCode: 0, reason: '', folder: '', notes: [], unwritten: null } as const
const shown = { document: { title: '', blocks: [] } as never, folder: '' }

test.each<[string, (work: Work) => Work]>([
  ['its plan', broken],
  ['its first record', (work) => ({ ...work, note: broken })],
  ['its progress, which a timer calls', (work) => ({ ...work, progress: broken })],
  ['its sending', (work) => ({ ...work, send: broken })],
])('a session that throws in %s ends with a fault, and the other goes on', async (name, breakWork) => {
  const stops: string[] = []
  const { results, faults } = await carryOut(await jobInto(name.slice(0, 9)), {
    open: openRuns,
    ask: (session: Session) =>
      session.target.name === 'one' ? breakWork(createRunWork(session)) : createRunWork(session),
    conclude: async ({ stop }) => {
      stops.push(stop.kind)
      return Promise.resolve({ ...concluded, shown })
    },
  })
  expect([stops, results.length, faults]).toEqual([['fault', 'done'], 2, []])
})

test('a target whose reports cannot be made is a fault, and the other has its result', async () => {
  const job = await jobInto('reviews')
  const { results, faults } = await runTargets({
    ...job,
    onEvent: ({ kind }, target) => {
      if (kind === 'reporting' && target === 'one')
        writeFileSync(join(folder, 'reviews/one/reviews.csv'), 'id,review\na,excellent\n')
    },
  })
  expect(results.map(({ target, exitCode }) => [target, exitCode])).toEqual([['two', 0]])
  expect(faults).toEqual([
    expect.objectContaining({ name: 'StorageError', folder: join(folder, 'reviews/one') }),
  ])
  expect(readSummary(join(folder, 'reviews/two')).turns.answered).toBe(20)
})
