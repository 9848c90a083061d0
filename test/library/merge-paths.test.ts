// Protects the resume of a merged run: what run.json names relative to a shard's folder, it names relative to its own.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { merge, run } from '../../src/library/index.ts'
import type { RunManifest } from '../../src/options/manifest.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()

test('a client certificate is found from the folder of the merged run', async () => {
  const set = join(folder, 'set.csv')
  writeFileSync(set, 'id,message\na,How?\nb,Why?\n')
  const shards = ['1/2', '2/2'].map((shard) => ({ shard, out: join(folder, `shards/${shard[0]}`) }))
  for (const { shard, out } of shards) {
    await run({ datasets: [set], sandbox: true, shard, out })
    const file = join(out, 'run.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as RunManifest
    const options = { ...manifest.options, clientCert: '../../client/c.pem', clientKey: '../../client/k.pem' }
    writeFileSync(file, JSON.stringify({ ...manifest, options }))
  }
  const out = join(folder, 'merged')
  await merge({ runs: shards.map((one) => one.out), out })
  expect(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))).toMatchObject({
    options: { clientCert: '../client/c.pem', clientKey: '../client/k.pem' },
  })
})
