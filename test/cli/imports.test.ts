// Sets of other tools on the command line: the account, the migration, a run, and what is refused.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../dataset/imports/importing.ts'
import { readResults, runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const TOLERANT = ['--sandbox', '--threshold', 'passed>=0%']
for (const name of ['botium.csv', 'copilot-results.csv']) copyFileSync(fixture(name), join(folder, name))
const run = async (...words: string[]) => runProgram(words, { cwd: folder })

test('run asks an imported set, notes the account, and its results are a set with the same expectations', async () => {
  const { code, screen } = await run('run', 'botium.csv', ...TOLERANT, '--out', 'asked')
  expect(code, screen).toBe(0)
  expect(screen).toContain('Note: botium.csv: read as a set of Botium conversations')
  const results = readResults(join(folder, 'asked'))
  expect(results.map(({ thread, turn, message }) => [thread, turn, message])).toEqual([
    ['hello', '1', 'hello'],
    ['hello', '2', 'How do I reset my password?'],
    ['login', '1', 'Am I logged in?'],
  ])
  expect(results[1]).toMatchObject({
    expect_answer: 'Use the portal\nIt takes a minute',
    expect_not_contains: String.raw`sorry \| unable`,
  })
  const manifest = JSON.parse(readFileSync(join(folder, 'asked/run.json'), 'utf8')) as { warnings: string[] }
  expect(manifest.warnings[0]).toContain('read as a set of Botium conversations: 3 questions')
  const survey = await run('validate', 'asked/results.csv', '--json')
  expect(JSON.parse(survey.stdout)).toMatchObject({
    survey: { turns: 3, expectations: { expect_answer: 2, expect_not_contains: 1 } },
  })
})

test('the answers of an export stay beside the new ones', async () => {
  const { code, screen } = await run('run', 'copilot-results.csv', ...TOLERANT, '--out', 'export')
  expect(code, screen).toBe(0)
  expect(readResults(join(folder, 'export'))[1]).toMatchObject({
    actualResponse: 'The code is B-18',
    expect_regex: '^A-17$',
  })
})

test('the config file may name the format', async () => {
  const cwd = join(folder, 'configured')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'assist-harness.yaml'), 'format: native\n')
  writeFileSync(join(cwd, 'set.csv'), 'question,answer\nx,y\n')
  const { code, screen } = await runProgram(['run', 'set.csv', '--sandbox', '--out', 'out'], { cwd })
  expect(code, screen).toBe(0)
  expect(screen).not.toContain('read as')
})

describe('is refused with code 2', () => {
  writeFileSync(join(folder, 'there.csv'), 'kept')
  test.each([
    [
      ['run', 'botium.csv', '--sandbox', '--format', 'botum'],
      /^--format must be one of promptfoo, .*; did you mean botium\?$/,
    ],
    [['validate', 'botium.csv', '--format', 'excel'], /^--format must be one of [a-z, -]+$/],
    [['run', '--resume', 'asked', '--format', 'botium'], /--format was not given, not botium/],
  ])('%j', async (words, message) => {
    const { code, screen } = await run(...words)
    expect([code, screen.trim()]).toEqual([2, expect.stringMatching(message)])
  })
})
