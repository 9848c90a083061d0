// What programs read of a whole run against an endpoint that answers with everything that acts somewhere: JUnit, and GitHub Actions.
import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { complaints } from '../report/junit-schemas.ts'
import { answerJson, goodReply, startEndpoint, type TestEndpoint } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/runs.ts'
import { openWorkplace } from '../support/workplace.ts'

const hostile =
  '\u001b[2J]]>\u0000\ufffe\n::error::pwned\r##[error]pwned\n</details><script>x</script> @team #1 \ud800'
const fails = Array.from({ length: 12 }, (_, place) => `f${place},Fail ${place}`)
const { at, has, put, read, type } = openWorkplace(
  { 'set.csv': `id,message\na,Answer\n${fails.join('\n')}\n`, 'step.md': '' },
  KEY_ENV,
)
let endpoint: TestEndpoint
let said = ''

beforeAll(async () => {
  endpoint = await startEndpoint((call) => {
    if (call.body.message.startsWith('Fail'))
      return answerJson(call, 400, { error: { code: hostile, message: hostile } })
    return answerJson(call, 200, { ...goodReply(call), message: hostile, contextSource: hostile })
  })
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: at('step.md') }
  const { code, screen } = await type(`run set.csv --base-url ${endpoint.url} --out out`, env)
  expect(code, screen).toBe(1)
  said = screen
})
afterAll(async () => endpoint.close())

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
    expect(read('step.md')).toBe(read('out/summary.md'))
    expect(read('out/summary.md')).not.toContain('\u001b')
    expect(read('out/summary.md')).not.toMatch(/<script|@team|#1\b/)
  })
})

test('outside of GitHub Actions nothing is annotated, and no file is made of an empty name', async () => {
  const { screen } = await type('report out', { GITHUB_ACTIONS: 'false', GITHUB_STEP_SUMMARY: '' })
  expect(screen).not.toMatch(/^::/m)
  expect(has('undefined')).toBe(false)
})

const FULL = 1024 * 1024
const IS_FULL = /^Note: \$GITHUB_STEP_SUMMARY is full; the summary is in summary\.md$/m

const filled = (bytes: number): string => 'x'.repeat(bytes)

/** What stands there, of a summary of so many bytes. */
test.each<[string, (bytes: number) => string | undefined, 'whole' | 'apart' | 'left out']>([
  ['appended to what stands there, a line apart', () => '# Mine\n', 'apart'],
  ['written where the file is not there yet', () => undefined, 'whole'],
  ['written where it just fits', (bytes) => filled(FULL - bytes - 1), 'apart'],
  ['left out where GitHub takes no more', (bytes) => filled(FULL - bytes), 'left out'],
])('the summary of the step is %s', async (name, fill, how) => {
  await type('report out')
  const summary = read('out/summary.md')
  const before = fill(Buffer.byteLength(summary))
  if (before !== undefined) put(`${name}.md`, before)
  const { stderr } = await type('report out', { GITHUB_STEP_SUMMARY: at(`${name}.md`) })
  const after = { whole: summary, apart: `${before}\n${summary}`, 'left out': before }[how]
  expect(read(`${name}.md`) === after).toBe(true)
  expect(stderr).toMatch(how === 'left out' ? IS_FULL : /^(?![^]*GITHUB_STEP_SUMMARY)/)
})

test.each([
  ['taken', /^Note: .*EISDIR/m],
  ['nowhere/x.md', /^Note: .*ENOENT/m],
])('a summary that cannot be written (%s) is a note, no fault', async (name, note) => {
  mkdirSync(at('taken'), { recursive: true })
  const { code, stderr } = await type('report out', { GITHUB_STEP_SUMMARY: at(name) })
  expect([code, stderr]).toEqual([1, expect.stringMatching(note)])
})
