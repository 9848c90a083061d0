// What is wrong with a config file is told with the file and the key, not with an option that nobody typed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { optionEntries, toCamelCase } from '../../src/library/options.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { readTranscript, reject } from '../support/transcript.ts'

const folder = temporaryFolder()
writeFileSync(join(folder, 'set.csv'), 'message,tags\nHow?,vpn\n')
writeFileSync(join(folder, 'tag.yaml'), 'tag: vpn\n')
mkdirSync(join(folder, 'taken'))
writeFileSync(join(folder, 'taken/mine.txt'), '')
const env = { ASSIST_BASE_URL: 'http://127.0.0.1:9', ASSIST_API_KEY: 'test-key-0123456789' }

describe.concurrent('is rejected', () => {
  const path = fileURLToPath(new URL('config.txt', import.meta.url))
  test.each(readTranscript(path))('$typed', async ({ typed, said }) => {
    expect(await reject(typed, folder, env)).toBe(said)
  })
})

test('no option of any command is unknown in the config file', async () => {
  const keys = optionEntries.map(([name]) => toCamelCase(name))
  expect(keys).toContain('answerTime')
  const text = JSON.stringify(Object.fromEntries(keys.map((key) => [key, {}])))
  const told = await reject(`config run ${JSON.stringify(text)}`, folder, env)
  expect(told).not.toMatch(/is unknown(?! here: it is given on )/)
  expect(told).toMatch(/^k\.yaml: answerTime is unknown here: it is given on the command line, as in /m)
})
