// What programs read of a whole run against an endpoint that answers with everything that acts somewhere: JUnit, and GitHub Actions.
import { mkdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { complaints } from '../report/junit-schemas.ts'
import { answerJson, goodReply, serveFile } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/runs.ts'
import { openWorkplace } from '../support/workplace.ts'

const hostile =
  '\u001b[2J]]>\u0000\ufffe\n::error::pwned\r##[error]pwned\n</details><script>x</script> @team #1 \ud800'
const fails = Array.from({ length: 12 }, (_, place) => `f${place},Fail ${place}`)
const { at, has, put, read, type, exits } = openWorkplace(
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
  said = (await exits(1, `run set.csv --base-url ${endpoint.url} --out out`, env)).screen
})

describe('a run against a hostile endpoint', () => {
  test('has a valid junit.xml with its errors', async () => {
    expect(await complaints(read('out/junit.xml'))).toEqual([])
    expect(read('out/junit.xml').match(/<error type="refused"/g)).toHaveLength(12)
  })

  test('says its annotations and nothing else that a runner obeys', () => {
    const commands = said.split(/[\r\n]/).filter((line) => /^\s*::/.test(line))
    expect(commands.map((line) => line.split('::')[1])).toEqual([
      ...Array.from(
        { length: 10 },
        (_, place) => `error file=set.csv,line=${place + 3},title=f${place}%3A refused`,
      ),
      'notice title=assist-harness',
    ])
    expect(said).not.toContain('##[')
    expect(said).not.toContain('\u001b')
  })

  test('appends summary.md to the summary of the step', () => {
    expect(read('step.md')).toBe(`\n${read('out/summary.md')}`)
    expect(read('out/summary.md')).not.toContain('\u001b')
    expect(read('out/summary.md')).not.toMatch(/<script|@team|#1\b/)
  })
})

test('outside of GitHub Actions nothing is annotated, and no file is made of an empty name', async () => {
  const { screen } = await type('report out', { GITHUB_ACTIONS: 'false', GITHUB_STEP_SUMMARY: '' })
  expect(screen).not.toMatch(/^::/m)
  expect(has('undefined')).toBe(false)
})

test('a fault of a file is annotated at its line', async () => {
  put('faulty.csv', 'message,must_pass\nWhat?,perhaps\n')
  const { code, stderr } = await type('validate faulty.csv', { GITHUB_ACTIONS: 'true' })
  expect(code).toBe(2)
  expect(stderr).toMatch(/^::error file=faulty.csv,line=2,title=assist-harness::faulty.csv:2.*must_pass/m)
})

test('the summary of the step is appended to what stands there, a line apart', async () => {
  put('mine.md', '# Mine\n')
  await type('report out', { GITHUB_STEP_SUMMARY: at('mine.md') })
  expect(read('mine.md')).toBe(`# Mine\n\n${read('out/summary.md')}`)
})

test.each([
  ['taken', /^Note: .*EISDIR/m],
  ['nowhere/x.md', /^Note: .*ENOENT/m],
])('a summary that cannot be written (%s) is a note, no fault', async (name, note) => {
  mkdirSync(at('taken'), { recursive: true })
  const { code, stderr } = await type('report out', { GITHUB_STEP_SUMMARY: at(name) })
  expect([code, stderr]).toEqual([1, expect.stringMatching(note)])
})
