// What is wrong with what stands in the config file is told with the file and the key, not with an option that nobody typed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { optionEntries, toCamelCase } from '../../src/library/options.ts'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
writeFileSync(join(folder, 'set.csv'), 'message,tags\nHow?,vpn\n')
mkdirSync(join(folder, 'taken'))
writeFileSync(join(folder, 'taken/mine.txt'), '')
const env = { ASSIST_API_KEY: 'key-of-a-test-0' }

const ASKED = ['--base-url', 'http://127.0.0.1:9']
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  run: ['run', 'set.csv', ...ASKED],
  load: ['load', 'set.csv', ...ASKED, '--users', '1', '--duration', '1s'],
  estimate: ['estimate', 'set.csv'],
}

async function refusal(command: string, text: string, ...words: string[]): Promise<string> {
  writeFileSync(join(folder, 'k.yaml'), text)
  const all = [...(COMMANDS[command] ?? []), '--config', 'k.yaml', ...words]
  const { code, stderr } = await runProgram(all, { cwd: folder, env })
  expect(code, stderr).toBe(2)
  return stderr.trim()
}

describe.each(['run', 'load', 'estimate'])('%s tells of the config file', (command) => {
  test.each([
    ['tag: vpm', 'k.yaml: tag vpm: no question of the set has this tag; did you mean vpn?'],
    ['grep: nowhere', 'k.yaml: grep nowhere: no question matches: change the pattern'],
    ['{ tag: vpn, grep: nowhere }', 'k.yaml: grep nowhere: no question matches: change the pattern'],
  ])('%s', async (text, told) => {
    expect(await refusal(command, text)).toBe(told)
  })

  test('but of an option that is typed as it was typed', async () => {
    expect(await refusal(command, 'tag: vpn', '--tag', 'vpm')).toMatch(/^--tag vpm: /)
  })
})

test.each([
  [
    "threshold: ['coverage[vpm]>=0.9']",
    /^k\.yaml: threshold 'coverage\[vpm\]>=0\.9': no question has the tag/,
  ],
  ['out: taken', /^k\.yaml: out taken is not empty; name a new folder, or an empty one$/],
])('run tells of the config file: %s', async (text, told) => {
  expect(await refusal('run', text)).toMatch(told)
})

test.each([
  ['threshold:', "k.yaml: threshold has no value; write one, as in threshold: 'coverage>=80%'"],
  ['rate: ~', 'k.yaml: rate has no value; write one, as in rate: 60/min'],
  ['allowHttp: null', 'k.yaml: allowHttp has no value; write one, as in allowHttp: true'],
  [
    'targets:\n  a:\n    baseUrl:\n',
    'k.yaml: targets.a.baseUrl has no value; write one, as in baseUrl: https://desk.example.com',
  ],
])('a key without a value does nothing, and is refused: %j', async (text, told) => {
  expect(await refusal('estimate', text)).toBe(told)
})

test.each(['apiKey', 'api_key', 'assistKey', 'token', 'Authorization', 'secret-key'])(
  'who writes down the key as %s is told where it goes, and it is not repeated',
  async (name) => {
    const key = 'sk-live-0123456789'
    const mend =
      'is unknown; a key never stands in this file: put it in an environment variable, and name that here, as in apiKeyEnv: ASSIST_API_KEY'
    const told = await refusal('run', `${name}: ${key}\ntargets: { a: { ${name}: ${key} } }\n`)
    expect(told).toBe(`k.yaml: ${name} ${mend}\nk.yaml: targets.a.${name} ${mend}`)
  },
)

test.each([
  [
    'resume: reports/nightly',
    /^k\.yaml: resume is unknown here: it is given on the command line, as in --resume reports\/2026-11-20T12-31-05Z-quickstart$/,
  ],
  [
    'retryErrors: true',
    /^k\.yaml: retryErrors is unknown here: it is given on the command line, as in --resume \S+ --retry-errors$/,
  ],
  [
    'targets: { a: { config: b.yaml } }',
    /^k\.yaml: targets\.a\.config is unknown here: it is given on the command line, as in --config /,
  ],
  [
    'ledger: usage.csv',
    /^k\.yaml: ledger is unknown here: it is given on the command line, as in --ledger usage\.csv$/,
  ],
])('what is given on the command line alone is told so: %s', async (text, told) => {
  expect(await refusal('run', text)).toMatch(told)
})

test.each(['threshold', 'tag', 'failOn', 'groundedSources', 'target'])(
  'an empty list does nothing, and is refused: %s',
  async (key) => {
    expect(await refusal('estimate', `${key}: []`)).toMatch(new RegExp(`^k\\.yaml: ${key} must `))
  },
)

test('no option of any command is unknown in the config file', async () => {
  const keys = optionEntries.map(([name]) => toCamelCase(name))
  expect(keys).toContain('answerTime')
  const told = await refusal('run', JSON.stringify(Object.fromEntries(keys.map((key) => [key, {}]))))
  expect(told).not.toMatch(/is unknown(?! here: it is given on )/)
  expect(told).toMatch(/^k\.yaml: answerTime is unknown here: it is given on the command line, as in /m)
})

test('other unknown names keep their suggestion', async () => {
  expect(await refusal('run', 'api-key-env: A\ntagg: 1\n')).toBe(
    'k.yaml: api-key-env is unknown; did you mean apiKeyEnv?\nk.yaml: tagg is unknown; did you mean tag?',
  )
})
