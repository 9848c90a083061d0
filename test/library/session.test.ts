// Protects the targets of one job from each other: one whose session throws ends alone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JournalRecord } from '../../src/domain/journal.ts'
import { type Ports, realPorts, type RunOptions, runTargets } from '../../src/library/index.ts'
import { openEndpoint } from '../support/endpoint.ts'
import { readJournals } from '../support/journals.ts'
import { readSummary } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const set = join(folder, 'set.csv')
writeFileSync(set, `message\n${Array.from({ length: 20 }, (_, number) => `Question ${number}?\n`).join('')}`)

async function optionsFor(out: string): Promise<RunOptions> {
  const targets = [
    { name: 'one', baseUrl: (await openEndpoint()).url },
    { name: 'two', baseUrl: (await openEndpoint()).url },
  ]
  return { datasets: [set], targets, out: join(folder, out), rate: '50/s', apiKey: 'session-key-0123456789' }
}

const broken = (): never => {
  throw new Error('broken on purpose')
}

/** The client of the first target throws. */
function portsWith(breakClient: (client: Awaited<ReturnType<Ports['connect']>>) => typeof client): Ports {
  const real = realPorts()
  let opened = 0
  return {
    ...real,
    connect: async (options) => {
      const client = await real.connect(options)
      return (opened += 1) === 1 ? breakClient(client) : client
    },
  }
}

test.each<[string, Ports]>([
  ['its connection', portsWith(broken)],
  ['its sending', portsWith((client) => ({ ...client, send: broken }))],
])('a session that throws in %s ends with a fault, and the other goes on', async (name, ports) => {
  const results = await runTargets(await optionsFor(name), ports)
  const stops = results.map((one) => one.status === 'fulfilled' && one.value.exitCode)
  expect(stops).toEqual([5, 0])
})

test('a target whose reports cannot be made has a reason, and the other has its result', async () => {
  const results = await runTargets({
    ...(await optionsFor('reviews')),
    onEvent: ({ kind }, target) => {
      if (kind === 'reporting' && target === 'one')
        writeFileSync(join(folder, 'reviews/one/reviews.csv'), 'id,review\na,excellent\n')
    },
  })
  expect(results).toEqual([
    {
      status: 'rejected',
      reason: expect.objectContaining({
        name: 'StorageError',
        folder: join(folder, 'reviews/one'),
      }) as unknown,
    },
    expect.objectContaining({ status: 'fulfilled' }),
  ])
  expect(readSummary(join(folder, 'reviews/two')).turns.answered).toBe(20)
  const ends = readJournals(join(folder, 'reviews/one'))
    .split('\n')
    .filter((line) => line.includes('"kind":"end"'))
  expect((JSON.parse(ends[0] ?? '') as JournalRecord).kind).toBe('end')
})
