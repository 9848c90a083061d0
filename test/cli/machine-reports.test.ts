// The reports for machines of a whole run, against an endpoint that answers with everything that acts somewhere.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { complaints } from '../report/junit-schemas.ts'
import { answerJson, goodReply, startEndpoint, type TestEndpoint } from '../support/endpoint.ts'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const out = join(folder, 'out')
const hostile =
  '\u001b[2J]]>\u0000\ufffe\n::error::pwned\r##[error]pwned\n</details><script>x</script> @team #1 \ud800'
let endpoint: TestEndpoint
let said = ''
const read = (name: string): string => readFileSync(join(out, name), 'utf8')

beforeAll(async () => {
  endpoint = await startEndpoint((call) => {
    if (call.body.message.startsWith('Fail'))
      return answerJson(call, 400, { error: { code: hostile, message: hostile } })
    return answerJson(call, 200, { ...goodReply(call), message: hostile, contextSource: hostile })
  })
  const fails = Array.from({ length: 12 }, (_, place) => `f${place},Fail ${place}`)
  writeFileSync(join(folder, 'set.csv'), `id,message\na,Answer\n${fails.join('\n')}\n`)
  writeFileSync(join(folder, 'step.md'), '')
  const { code, screen } = await runProgram(['run', 'set.csv', '--base-url', endpoint.url, '--out', out], {
    cwd: folder,
    env: {
      ASSIST_API_KEY: 'a-key-of-a-test',
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(folder, 'step.md'),
    },
  })
  expect(code, screen).toBe(1)
  said = screen
})

afterAll(async () => endpoint.close())

describe('a run against a hostile endpoint', () => {
  test('has a valid junit.xml with its errors', async () => {
    expect(await complaints(read('junit.xml'))).toEqual([])
    expect(read('junit.xml').match(/<error type="refused"/g)).toHaveLength(12)
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
    expect(readFileSync(join(folder, 'step.md'), 'utf8')).toBe(read('summary.md'))
    expect(read('summary.md')).not.toContain('\u001b')
    expect(read('summary.md')).not.toMatch(/<script|@team|#1\b/)
  })
})
