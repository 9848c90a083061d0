// Protects `report` of folders that are damaged or of another version. recorded/killed and torn-line cover killed processes.
import { cpSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { openWorkspace } from '../support/workspace.ts'

const { at, has, put, read, summary, runLine, expectExit } = openWorkspace({
  'set.csv':
    'id,thread,message,tags,owner\na1,a,I forgot my password,access,Ann\nb1,b,Which way is north?,odd,Bob\na2,a,How long is it valid?,access,Ann\n',
})

beforeAll(async () => {
  await expectExit(0, 'run set.csv --sandbox --out run')
})

test.each<[string, string, (text: string) => string, number, readonly RegExp[], object]>([
  [
    'damaged',
    'journal.ndjson',
    (text) => text.replace(/^.*"kind":"question".*$/m, '#'),
    4,
    [/Incomplete · the journal is damaged; questions without an outcome: 1/],
    { turns: { total: 3, notAsked: 1 } },
  ],
  [
    'unknown-gate',
    'run.json',
    (text) => text.replace('"threshold": []', '"threshold": ["coverge>=80%"]'),
    2,
    [
      /^--threshold 'coverge>=80%' names 'coverge', which is not a figure of summary\.json; did you mean coverage\?\n$/,
    ],
    { state: 'complete' },
  ],
  [
    'newer',
    'run.json',
    () => '{"formatVersion":99}',
    2,
    [/has format 99, which is newer than this version reads/],
    { state: 'complete' },
  ],
])('handles the folder %s', async (name, file, change, code, said, kept) => {
  cpSync(at('run'), at(name), { recursive: true })
  const before = read(name, file)
  put(`${name}/${file}`, change(before))
  expect(read(name, file)).not.toBe(before)
  const ended = await runLine(`report ${name}`)
  expect(ended.code, ended.screen).toBe(code)
  for (const pattern of said) expect(ended.screen).toMatch(pattern)
  expect(summary(name)).toMatchObject(kept)
})

test('rejects a folder of several runs and writes nothing into it', async () => {
  cpSync(at('run'), at('several/one'), { recursive: true })
  cpSync(at('run'), at('several/two'), { recursive: true })
  const { code, stderr } = await runLine('report several')
  expect([code, stderr]).toEqual([2, expect.stringMatching(/holds no run/)])
  expect(has('several/summary.json')).toBe(false)
})
