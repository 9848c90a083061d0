// Protects the messages of rejected input, word for word: rejected.txt lists what is typed and what is printed.
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { startOnDay, writePastRun } from '../support/past-runs.ts'
import { readTranscript, reject } from '../support/transcript.ts'
import { openWorkspace } from '../support/workspace.ts'

const HERE = 'http://127.0.0.1:9'
const { folder, at } = openWorkspace({
  'set.csv': 'message,tags\nHow?,vpn\n',
  'datasets.yaml': 'datasets: [set.csv]\n',
  'two-targets.yaml': 'targets: { a: { rate: 5/s }, c: { rate: 5/s } }\n',
  'two-loads.yaml': `users: 1\nduration: 1s\ntargets: { a: { baseUrl: ${HERE} }, c: { baseUrl: ${HERE} } }\n`,
  'empty.yaml': 'targets: { a: {} }\n',
  'no-key.yaml': 'targets: { a: { baseUrl: "https://a.example.com", maxCalls: 9 } }\n',
  'broken/vpn.md': '---\ntitle: VPN\n---\n',
  'taken/mine.txt': '',
})
writePastRun(at('nights/n0'), { startedAt: startOnDay(0) })
const env = { ASSIST_BASE_URL: HERE, ASSIST_API_KEY: 'test-key-0123456789' }

describe.concurrent('is rejected', () => {
  const path = fileURLToPath(new URL('rejected.txt', import.meta.url))
  test.each(readTranscript(path))('$typed', async ({ typed, said }) => {
    expect(await reject(typed, folder, env)).toBe(said)
  })
})
