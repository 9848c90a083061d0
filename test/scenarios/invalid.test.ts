// Protects the messages of input that is rejected before the first call: invalid.txt lists what is typed and what is printed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { readTranscript, reject } from '../support/transcript.ts'
import { readSet } from './scenario.ts'

const folder = temporaryFolder()
/** Nothing listens there, so input must be rejected before a call. */
const ENDPOINT = { ASSIST_BASE_URL: 'http://127.0.0.1:9', ASSIST_API_KEY: 'test-key-0123456789' }

const FILES = {
  'set.csv': readSet('small.csv'),
  'other.csv': 'message\nOther?\n',
  'reviews.csv': 'id,review\na,excellent\n',
  'plain/notes.txt': 'nothing of ours',
  'unknown.yaml': 'concurency: 3\n',
  'unknown-target.yaml': 'targets:\n  a: { baseUrl: https://a.example.com, ratee: 5/s }\n',
  'targets.yaml': 'targets:\n  production: { baseUrl: https://a.example.com, apiKeyEnv: KEY_A }\n',
  'list.yaml': '- a\n',
  'type.yaml': 'concurrency: many\n',
  'sandbox-bad.yaml': 'faults:\n  - { kind: explode }\n',
}

/** Runs for resume, merge and compare, recorded before the first row. */
const RUNS = [
  'run set.csv --out done',
  'run set.csv --out part --max-calls 2',
  'run set.csv --out one --shard 1/2',
  'run set.csv --out two --shard 2/2',
  'run other.csv --out foreign --shard 2/2',
]

beforeAll(async () => {
  mkdirSync(join(folder, 'plain'))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  const asking = ['--sandbox', '--rate', 'unlimited']
  await Promise.all(RUNS.map(async (run) => runProgram([...run.split(' '), ...asking], { cwd: folder })))
})

const rows = readTranscript(fileURLToPath(new URL('invalid.txt', import.meta.url)))
/** These rows lock the folder, so they run one after the other. */
const isResume = ({ typed }: { readonly typed: string }): boolean => typed.includes('--resume part')

describe.concurrent('is rejected', () => {
  test.each(rows.filter((row) => !isResume(row)))('$typed', async ({ typed, said }) => {
    expect(await reject(typed, folder, ENDPOINT)).toBe(said)
  })
})

describe('is rejected, one after the other', () => {
  test.each(rows.filter(isResume))('$typed', async ({ typed, said }) => {
    expect(await reject(typed, folder, ENDPOINT)).toBe(said)
  })
})
