// Protects the targets of one job from each other: one whose session throws ends alone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Ports, realPorts, type RunOptions, runTargets } from '../../src/library/index.ts'
import { openEndpoint } from '../support/endpoint.ts'
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
