// Who names a file of a run where its folder is meant is told so.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
writeFileSync(join(folder, 'set.csv'), 'message\nHow?\n')

beforeAll(async () => {
  const { code } = await runProgram(['run', 'set.csv', '--sandbox', '--out', 'recorded'], { cwd: folder })
  expect(code).toBe(0)
})

test.each([
  [
    'run --resume recorded/run.json',
    '--resume recorded/run.json is a file of a run; name its folder, recorded',
  ],
  ['run --resume set.csv', '--resume set.csv is a file; name the folder of a run'],
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

test('an export of answers that somebody keeps in the folder of a run is a baseline all the same', async () => {
  const header = 'question,expectedResponse,actualResponse,testMethodType,result,passingScore,explanation'
  writeFileSync(join(folder, 'recorded', 'then.csv'), `${header}\nHow?,,So.,General quality,Pass,,\n`)
  const { code, stderr } = await runProgram(['compare', 'recorded/then.csv', 'recorded'], { cwd: folder })
  expect(stderr).not.toContain('is a file of a run')
  expect([0, 1]).toContain(code)
})
