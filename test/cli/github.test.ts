// What GitHub Actions is told: only there, and never at the cost of the run.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { reportToGithub } from '../../src/cli/output.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const annotations = ['::error title=q1::no', '::notice title=x::1 more']

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** The lines on stderr. */
function tell(env: Record<string, string>, markdown = '## Passed\n'): string[] {
  const { GITHUB_ACTIONS = '', GITHUB_STEP_SUMMARY = '' } = env
  vi.stubEnv('GITHUB_ACTIONS', GITHUB_ACTIONS)
  vi.stubEnv('GITHUB_STEP_SUMMARY', GITHUB_STEP_SUMMARY)
  let said = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text)
    return true
  })
  reportToGithub(markdown, annotations)
  return said.split('\n').slice(0, -1)
}

test.each([
  [{ GITHUB_ACTIONS: 'true' }, annotations],
  [{ GITHUB_ACTIONS: 'false' }, []],
  [{}, []],
])('with %j annotations are %j', (env, said) => {
  expect(tell(env as Record<string, string>)).toEqual(said)
})

const FULL = 1024 * 1024 - 20
const IS_FULL = 'Note: $GITHUB_STEP_SUMMARY is full; the summary is in summary.md'

test.each([
  ['appended to what stands there, a line apart', '# Mine\n', '## Passed\n', '# Mine\n\n## Passed\n', ''],
  ['written where the file is not there yet', undefined, '## Passed\n', '## Passed\n', ''],
  ['left out where GitHub takes no more', 'x'.repeat(FULL), 'ä'.repeat(10), 'x'.repeat(FULL), IS_FULL],
  [
    'written where it just fits',
    'x'.repeat(FULL),
    'ä'.repeat(9),
    `${'x'.repeat(FULL)}\n${'ä'.repeat(9)}`,
    '',
  ],
])('the summary of the step is %s', (name, before, markdown, after, said) => {
  const path = join(folder, `${name}.md`)
  if (before !== undefined) writeFileSync(path, before)
  expect(tell({ GITHUB_STEP_SUMMARY: path }, markdown).join()).toBe(said)
  expect(readFileSync(path, 'utf8') === after).toBe(true)
})

test('a summary that cannot be written is a note, no fault; an empty name is nobody', () => {
  mkdirSync(join(folder, 'taken'))
  expect(tell({ GITHUB_STEP_SUMMARY: join(folder, 'taken') }).join()).toMatch(/^Note: .*EISDIR/)
  expect(tell({ GITHUB_STEP_SUMMARY: join(folder, 'nowhere/x.md') }).join()).toMatch(/^Note: .*ENOENT/)
  expect(tell({ GITHUB_STEP_SUMMARY: '' })).toEqual([])
  expect(existsSync(join(folder, 'undefined'))).toBe(false)
})
