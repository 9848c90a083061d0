// What is rejected, as rejected.txt tells it: of a config file with the file and the key, not with an option that nobody typed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { optionEntries, toCamelCase } from '../../src/library/options.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { readTranscript, reject } from '../support/transcript.ts'

const folder = temporaryFolder()
const FILES = {
  'set.csv': 'message,tags\nHow?,vpn\n',
  'tag.yaml': 'tag: vpn\n',
  'datasets.yaml': 'datasets: [set.csv]\n',
  'empty.yaml': 'targets: { a: {} }\n',
  'no-url.yaml': 'targets:\n  a:\n',
  'one-url.yaml': 'targets:\n  a:\n  b: { baseUrl: "https://b.example.com" }\n',
  'no-key.yaml': 'targets: { a: { baseUrl: "https://a.example.com", maxCalls: 9 } }\n',
}
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
mkdirSync(join(folder, 'taken'))
writeFileSync(join(folder, 'taken/mine.txt'), '')
const env = { ASSIST_BASE_URL: 'http://127.0.0.1:9', ASSIST_API_KEY: 'test-key-0123456789' }

describe.concurrent('is rejected', () => {
  const path = fileURLToPath(new URL('rejected.txt', import.meta.url))
  test.each(readTranscript(path))('$typed', async ({ typed, said }) => {
    expect(await reject(typed, folder, env)).toBe(said)
  })
})

test('no option of any command is unknown in the config file', async () => {
  const keys = optionEntries.map(([name]) => toCamelCase(name))
  expect(keys).toContain('answerTime')
  const text = JSON.stringify(Object.fromEntries(keys.map((key) => [key, {}])))
  const told = await reject(`config run ${JSON.stringify(text)}`, folder, env)
  expect(told).not.toMatch(/is unknown/)
  expect(told).toMatch(/^k\.yaml: answerTime is an option of the command line only, as in /m)
})
