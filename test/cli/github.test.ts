// What GitHub Actions is told: only there, and never at the cost of the run.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
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

describe('annotations', () => {
  test.each([
    [{ GITHUB_ACTIONS: 'true' }, annotations],
    [{ GITHUB_ACTIONS: 'false' }, []],
    [{}, []],
  ])('with %j are %j', (env, said) => {
    expect(tell(env as Record<string, string>)).toEqual(said)
  })
})

describe('the summary of the step', () => {
  const write = (name: string, content: string): string => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }

  test('is appended to what stands there, a line apart', () => {
    const path = write('shared.md', '# Mine\n')
    expect(tell({ GITHUB_STEP_SUMMARY: path })).toEqual([])
    expect(readFileSync(path, 'utf8')).toBe('# Mine\n\n## Passed\n')
  })

  test('is made where the file is not there yet', () => {
    const path = join(folder, 'new.md')
    tell({ GITHUB_STEP_SUMMARY: path })
    expect(readFileSync(path, 'utf8')).toBe('## Passed\n')
  })

  test.each([
    [1024 * 1024 - 20, 'ä'.repeat(10), true],
    [1024 * 1024 - 20, 'ä'.repeat(9), false],
  ])('after %i bytes, %j is too long for GitHub: %j', (size, markdown, isTooLong) => {
    const path = write('full.md', 'x'.repeat(size))
    const said = tell({ GITHUB_STEP_SUMMARY: path }, markdown)
    expect(said.join()).toBe(
      isTooLong ? 'Note: $GITHUB_STEP_SUMMARY is full; the summary is in summary.md' : '',
    )
    expect(readFileSync(path).length).toBe(isTooLong ? size : size + 1 + 18)
  })

  test('that cannot be written is a note, no fault', () => {
    mkdirSync(join(folder, 'taken'))
    expect(tell({ GITHUB_STEP_SUMMARY: join(folder, 'taken') }).join()).toMatch(/^Note: .*EISDIR/)
    expect(tell({ GITHUB_STEP_SUMMARY: join(folder, 'nowhere/x.md') }).join()).toMatch(/^Note: .*ENOENT/)
  })

  test('with an empty name is nobody', () => {
    expect(tell({ GITHUB_STEP_SUMMARY: '' })).toEqual([])
    expect(existsSync(join(folder, 'undefined'))).toBe(false)
  })
})
