// Protects JUnit and GitHub Actions output of a whole run against answers with hostile text.
import { mkdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { validationErrors } from '../report/junit-schemas.ts'
import { answerJson, goodReply, serveFile } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const hostile =
  '\u001b[2J]]>\u0000\ufffe\n::error::pwned\r##[error]pwned\n</details><script>x</script> @team #1 \ud800'
const fails = Array.from({ length: 12 }, (_, place) => `f${place},Fail ${place}`)
const { at, has, put, read, runLine, expectExit } = openWorkspace(
  { 'set.csv': `id,message\na,Answer\n${fails.join('\n')}\n`, 'step.md': '' },
  KEY_ENV,
)
let said = ''

const endpoint = await serveFile((call) => {
  if (call.body.message.startsWith('Fail'))
    return answerJson(call, 400, { error: { code: hostile, message: hostile } })
  return answerJson(call, 200, { ...goodReply(call), message: hostile, contextSource: hostile })
})

beforeAll(async () => {
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: at('step.md') }
  said = (await expectExit(1, `run set.csv --base-url ${endpoint.url} --out out`, env)).screen
})

describe('a run against a hostile endpoint', () => {
  test('has a valid junit.xml with its errors', async () => {
    expect(await validationErrors(read('out/junit.xml'))).toEqual([])
    expect(read('out/junit.xml').match(/<error type="refused"/g)).toHaveLength(12)
  })

  test('prints its annotations and no other workflow command', () => {
    const commands = said.split(/[\r\n]/).filter((line) => /^\s*::/.test(line))
    expect(commands.map((line) => line.split('::')[1])).toEqual([
      ...Array.from(
        { length: 9 },
        (_, place) => `error file=set.csv,line=${place + 3},title=f${place}%3A refused`,
      ),
      'notice title=assist-harness',
    ])
    expect(said).not.toContain('##[')
    expect(said).not.toContain('\u001b')
  })

  test('appends summary.md to the step summary', () => {
    expect(read('step.md')).toBe(`\n${read('out/summary.md')}`)
    expect(read('out/summary.md')).not.toContain('\u001b')
    expect(read('out/summary.md')).not.toMatch(/<script|@team|#1\b/)
  })
})

test('outside GitHub Actions there are no annotations, and an empty name of the step summary writes no file', async () => {
  const { screen } = await runLine('report out', { GITHUB_ACTIONS: 'false', GITHUB_STEP_SUMMARY: '' })
  expect(screen).not.toMatch(/^::/m)
  expect(has('undefined')).toBe(false)
})

test('a fault of a file is annotated at its line', async () => {
  put('faulty.csv', 'message,must_pass\nWhat?,perhaps\n')
  const { code, stderr } = await runLine('validate faulty.csv', { GITHUB_ACTIONS: 'true' })
  expect(code).toBe(2)
  expect(stderr).toMatch(/^::error file=faulty.csv,line=2,title=assist-harness::faulty.csv:2.*must_pass/m)
})

test('the step summary is appended to existing text after an empty line', async () => {
  put('mine.md', '# Mine\n')
  await runLine('report out', { GITHUB_STEP_SUMMARY: at('mine.md') })
  expect(read('mine.md')).toBe(`# Mine\n\n${read('out/summary.md')}`)
})

test.each([
  ['taken', /^Note: .*EISDIR/m],
  ['nowhere/x.md', /^Note: .*ENOENT/m],
])('a step summary that cannot be written (%s) is a note', async (name, note) => {
  mkdirSync(at('taken'), { recursive: true })
  const { code, stderr } = await runLine('report out', { GITHUB_STEP_SUMMARY: at(name) })
  expect([code, stderr]).toEqual([1, expect.stringMatching(note)])
})
