// Protects the choice of targets, whose calls must not go to another desk, and the end of a job.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { estimateTargets, realPorts, run } from '../../src/library/index.ts'
import { readJob } from '../../src/library/job.ts'
import { openEndpoint } from '../support/endpoint.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const set = join(folder, 'set.csv')
writeFileSync(set, 'message\nHow?\n')
const targets = [{ name: 'staging', baseUrl: 'http://127.0.0.1:9' }]

test.each([
  [
    'that is none of the targets',
    targets,
    'stagin',
    /stagin is none of the targets; did you mean staging\?$/,
  ],
  ['without any targets', undefined, 'staging', /staging is none of the targets$/],
])('a target %s gets no call, and nor does the desk of the environment', async (_, given, target, said) => {
  const { url, calls } = await openEndpoint()
  const ports = { ...realPorts(), env: { ASSIST_BASE_URL: url, ASSIST_API_KEY: 'job-key-0123456789' } }
  const options = { datasets: [set], targets: given, target: [target], out: join(folder, 'out') }
  await expect(run(options, ports)).rejects.toThrow(said)
  expect(calls).toEqual([])
})

test('an estimate is one of the targets that are named', async () => {
  const named = [{ name: 'one', maxCalls: 1 }, { name: 'two' }]
  const estimates = await estimateTargets({ datasets: [set], targets: named, target: 'two' })
  expect(estimates.map(({ maxCalls }) => maxCalls)).toEqual([null])
})

test('what cannot be closed does not keep the rest open', async () => {
  const job = readJob('run', {}, realPorts())
  const closed: string[] = []
  job.onClose(() => void closed.push('first'))
  job.onClose(() => {
    throw new Error('the lock cannot be removed')
  })
  job.onClose(async () => void closed.push('last'))
  await expect(job.close()).rejects.toThrow('the lock cannot be removed')
  expect(closed).toEqual(['last', 'first'])
})
