// Protects the messages of rejected input, word for word: invalid.txt lists what is typed and what is
// printed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import { runResident } from '../support/resident.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { readSet } from './scenario.ts'
import { readTranscript, reject } from './transcript.ts'
import { textRow, workbookOf } from '../support/workbook.ts'

const folder = temporaryFolder()
/** Nothing listens there, so input must be rejected before a call. */
const HERE = 'http://127.0.0.1:9'
const env = { ASSIST_BASE_URL: HERE, ASSIST_API_KEY: 'test-key-0123456789' }

const workbooks = new URL('../dataset/workbooks/', import.meta.url)
const oldWorkbook = readFileSync(new URL('old.xls', workbooks))

const FILES = {
  'set.csv': readSet('small.csv'),
  'other.csv': 'message\nOther?\n',
  'reviews.csv': 'id,review\na,excellent\n',
  'plain/notes.txt': 'nothing of ours',
  'taken/mine.txt': '',
  'broken/vpn.md': '---\ntitle: VPN\n---\n',
  'nights/n0/run.json': '{}',
  'unknown.yaml': 'concurency: 3\n',
  'unknown-target.yaml': 'targets:\n  a: { baseUrl: https://a.example.com, ratee: 5/s }\n',
  'targets.yaml': 'targets:\n  production: { baseUrl: https://a.example.com, apiKeyEnv: KEY_A }\n',
  'list.yaml': '- a\n',
  'type.yaml': 'concurrency: many\n',
  'sandbox-bad.yaml': 'faults:\n  - { kind: explode }\n',
  'datasets.yaml': 'datasets: []\ndataset: set.csv\n',
  'two-targets.yaml': 'targets: { a: { rate: 5/s }, c: { rate: 5/s } }\n',
  'two-loads.yaml': `users: 1\nduration: 1s\ntargets: { a: { baseUrl: ${HERE} }, c: { baseUrl: ${HERE} } }\n`,
  'empty.yaml': 'targets: { a: {} }\n',
  'old.xls': oldWorkbook,
  // The container of .xls lists the stream that holds an encrypted workbook.
  'protected.xlsx': Buffer.concat([oldWorkbook, Buffer.from('EncryptedPackage', 'utf16le')]),
  'no-zip.xlsx': 'message\nWhy?\n',
  'torn.xlsx': workbookOf({ S: textRow('message') }).subarray(0, 300),
  'other.xlsx': zipSync({ 'a.txt': strToU8('a') }),
  'empty.xlsx': workbookOf({ S: '', T: '<row r="3"/>' }),
  'nameless.xlsx': workbookOf({ S: textRow('name', 'details') + textRow('x', 'a long text') }),
  'two-messages.xlsx': workbookOf({ S: textRow('question', 'prompt') + textRow('Why?', 'How?') }),
  'error.xlsx': workbookOf({ S: `${textRow('message')}<row r="2"><c r="A2" t="e"><v>#N/A</v></c></row>` }),
  'no-xml.xlsx': workbookOf({ S: textRow('message') + '<row><c></row>' }),
  'thanks.csv': 'id,subject,description\n1,Hello,Thanks!\n',
  'no-text.csv': 'id,owner,state\n1,Mary,open\n',
  'odd-roles.csv': 'id,role,message\n1,jane@example.com,Why?\n',
  'bots.csv': 'id,role,message\n1,bot,Hello\n',
  'nameless.csv': 'id,message\n1,Why?,jane@example.com\n',
  'no-key.yaml': 'targets: { a: { baseUrl: "https://a.example.com", maxCalls: 9 } }\n',
}

/** Runs for resume, merge and compare, recorded before the first row. */
const RUNS = [
  'run set.csv --out done',
  'run set.csv --out part --max-calls 2',
  'run set.csv --out one --shard 1/2',
  'run set.csv --out two --shard 2/2',
  'run other.csv --out foreign --shard 2/2',
  'load set.csv --users 1 --duration 1ms --out load',
  'load set.csv --users 1 --duration 1ms --out old-shard',
  'load set.csv --find-limit --max-calls 1 --out search',
]

beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const words = { run: ['--sandbox', '--rate', 'unlimited'], load: ['--sandbox'] } as const
  for (const run of RUNS) {
    const kind = run.startsWith('run') ? 'run' : 'load'
    await runResident([...run.split(' '), ...words[kind]], { cwd: folder })
  }
  // As version 0.3 recorded it.
  const file = join(folder, 'old-shard/run.json')
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as object
  const whole = { questions: 1, turns: [1], content: '' }
  writeFileSync(file, JSON.stringify({ ...recorded, shard: { index: 1, of: 2, whole } }))
})

const rows = readTranscript(join(import.meta.dirname, 'invalid.txt'))
/** These rows lock a folder that others read, so they run one after the other. */
const isResume = ({ typed }: { readonly typed: string }): boolean => typed.includes('--resume')

const testRows = (some: typeof rows): void =>
  test.each(some)('$typed', async ({ typed, said }) => {
    expect(await reject(typed, folder, env)).toBe(said)
  })

describe.concurrent('is rejected', () => testRows(rows.filter((row) => !isResume(row))))
describe('is rejected, one after the other', () => testRows(rows.filter(isResume)))
