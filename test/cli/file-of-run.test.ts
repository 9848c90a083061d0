// Who names a file of a run where its folder is meant is told so.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
writeFileSync(join(folder, 'set.csv'), 'message\nHow?\n')
writeFileSync(join(folder, 'summary.json'), '{"coverage":{"rate":1}}\n')
writeFileSync(join(folder, 'notes.txt'), 'What we found.\n')
mkdirSync(join(folder, 'empty'))

const MEANT = 'name the folder of a run, as in reports/2026-11-20T12-31-05Z-quickstart'

beforeAll(async () => {
  const { code } = await runProgram(['run', 'set.csv', '--sandbox', '--out', 'recorded'], { cwd: folder })
  expect(code).toBe(0)
})

test.each([
  [
    'run --resume recorded/run.json',
    '--resume recorded/run.json is a file of a run; name its folder, recorded',
  ],
  ['run --resume set.csv', `--resume set.csv is a file; ${MEANT}`],
  ['run --resume set.csv/within', `--resume set.csv/within holds no run: there is no such folder; ${MEANT}`],
  ['run --resume empty', `--resume empty: there is no run in this folder; ${MEANT}`],
  ['report summary.json', `summary.json is a file; ${MEANT}`],
  ['report /dev/null', `/dev/null is a file; ${MEANT}`],
  ['run --resume /dev/null', `--resume /dev/null is a file; ${MEANT}`],
  ['report nowhere', `nowhere holds no run: there is no such folder; ${MEANT}`],
  ['report set.csv/within', `set.csv/within holds no run: there is no such folder; ${MEANT}`],
  ['report empty', `empty holds no run: there is no run.json in it; ${MEANT}`],
  ['merge summary.json recorded --out joined', `summary.json is a file; ${MEANT}`],
  ['compare recorded notes.txt', `notes.txt is a file; ${MEANT}`],
  ['run set.csv --sandbox --baseline empty', `empty holds no run: there is no run.json in it; ${MEANT}`],
  ['report recorded/summary.json', 'recorded/summary.json is a file of a run; name its folder, recorded'],
  [
    'compare recorded/results.csv recorded',
    'recorded/results.csv is a file of a run; name its folder, recorded',
  ],
  [
    'run set.csv --sandbox --baseline recorded/summary.json',
    'recorded/summary.json is a file of a run; name its folder, recorded',
  ],
])('%s', async (words, told) => {
  const { code, stderr } = await runProgram(words.split(' '), { cwd: folder })
  expect([code, stderr.trim()]).toEqual([2, told])
})
