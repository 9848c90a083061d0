// Protects README, docs/ and help: every command block runs, every link has a target, pages stay short, and help has all
// options of each command in 80 columns.
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/command-table.ts'
import { RESULT_COLUMNS } from '../../src/domain/result-columns.ts'
import { startSandbox } from '../../src/library/index.ts'
import { checkThresholds } from '../../src/library/judging.ts'
import { shows } from '../../src/options/commands.ts'
import { asTyped } from '../../src/options/faults.ts'
import { optionEntries, OPTIONS, shownDefault } from '../../src/options/table.ts'
import { projectRoot, runCommand } from '../support/program.ts'
import { blocksOf, pages, readmeQuestions, readPage } from '../support/readme-blocks.ts'
import { serveProgram } from '../support/shell-program.ts'
import { openWorkspace } from '../support/workspace.ts'

const { at, put, read, expectExit } = openWorkspace()
const KEY = 'desk-key-0123456789'
/** Timeout for all blocks of a page. */
const MOST_MS = 120_000
const DESK = 'https://desk.example.com'
let desk: Awaited<ReturnType<typeof startSandbox>>

beforeAll(async () => {
  chmodSync(at(put('assist-harness', await serveProgram())), 0o755)
  desk = await startSandbox({ port: 0, config: { organizations: { acme: { keys: [{ key: KEY }] } } } })
})
afterAll(async () => desk.close())

/** Makes a reader's folder: their questions, and the installed package. */
function readersFolder(page: string): string {
  const name = page.replaceAll('/', '-')
  put(`${name}/questions.csv`, readmeQuestions())
  put(`${name}/node_modules/.keep`, '')
  symlinkSync(projectRoot, at(name, 'node_modules/assist-harness'))
  // npx itself would take longer than the program.
  const npx = `#!/bin/sh\ntest "$1" = assist-harness || exit 97\nshift\nexec ${at('assist-harness')} "$@"\n`
  chmodSync(at(put(`${name}/bin/npx`, npx)), 0o755)
  return at(name)
}

/** Pastes a page's blocks into one shell. Returns the exit codes other than 0, in order, and the output. */
async function paste(place: string, blocks: readonly string[]): Promise<{ codes: number[]; log: string }> {
  const script = blocks
    .join('\n')
    .replaceAll(DESK, desk.url)
    .replaceAll('ASSIST_API_KEY=...', `ASSIST_API_KEY=${KEY}`)
  const codes = join(place, 'codes')
  const trapped = `set -E; trap 'echo "exit $?" >> ${codes}' ERR\n${script}`
  const env = { PATH: `${join(place, 'bin')}:${process.env['PATH'] ?? ''}` }
  const { screen } = await runCommand('bash', ['-c', trapped], { cwd: place, env, timeout: MOST_MS })
  const said = existsSync(codes) ? readFileSync(codes, 'utf8') : ''
  return { codes: [...said.matchAll(/exit (\d+)/g)].map(([, code]) => Number(code)), log: screen }
}

const runnable = (page: string): string[] =>
  blocksOf(page).flatMap(({ language, text, notRun }) =>
    language === 'sh' && notRun === undefined ? [text] : [],
  )
const withCommands = pages.filter((page) => runnable(page).length > 0)

describe.concurrent('the commands of', () => {
  test.each(withCommands)(
    '%s run as pasted',
    async (page) => {
      const blocks = runnable(page)
      const promised = [...blocks.join('').matchAll(/# exit code (\d+)$/gm)].map(([, code]) => Number(code))
      const { codes, log } = await paste(readersFolder(page), blocks)
      expect(codes, log).toEqual(promised)
    },
    MOST_MS,
  )
})

test.each(
  pages.flatMap((page) =>
    blocksOf(page).flatMap(({ language, text }) => (language === 'csv' ? [[page, text]] : [])),
  ),
)('%s shows a valid question set', async (page, text) => {
  const set = put(`${page?.replaceAll('/', '-')}.csv`, text ?? '')
  await expectExit(0, `validate ${set}`)
})

/** The anchors that GitHub derives from the headings of a page. */
const anchorsOf = (page: string): string[] =>
  [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

test.each(pages)('the links of %s have targets', (page) => {
  const links = [...readPage(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const dead = links.filter((link) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : join(dirname(page), path)
    // The package holds nothing else: see `files` of package.json.
    const isPacked = /^(?:docs\/(?!containers)|datasets\/|schemas\/|[A-Z]+(?:\.md)?$)/.test(target)
    if (!isPacked || target === 'CONTRIBUTING.md' || !existsSync(join(projectRoot, target))) return true
    return anchor !== undefined && !anchorsOf(target).includes(anchor)
  })
  expect(dead).toEqual([])
})

test('pages are short', () => {
  const linesOf = (page: string): number => readPage(page).split('\n').length - 1
  expect(linesOf('README.md')).toBeLessThanOrEqual(200)
  expect(Buffer.byteLength(readPage('README.md'))).toBeLessThanOrEqual(12 * 1024)
  expect(pages.filter((page) => page.startsWith('docs/guides/') && linesOf(page) > 130)).toEqual([])
})

test('files.md names every column of results.csv and comparison.csv', async () => {
  put('questions.csv', readmeQuestions())
  for (const out of ['a', 'b'])
    await expectExit(0, `run questions.csv --sandbox --rate unlimited --out ${out}`)
  await expectExit(0, 'compare a b --out c')
  const columnsIn = (heading: string): string[] => {
    const [, section = ''] = readPage('docs/reference/files.md').split(`## \`${heading}\`\n`)
    const [table = ''] = /^\| column[^]*?\n\n/m.exec(section) ?? []
    return table
      .split('\n')
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  }
  expect(columnsIn('results.csv')).toEqual([...RESULT_COLUMNS])
  const [header = ''] = read('c/comparison.csv').split(/\r?\n/)
  expect(columnsIn('comparison.csv').toSorted()).toEqual(header.split(',').toSorted())
})

describe.each(COMMANDS.map((command) => [command.name] as const))('help of %s', (name) => {
  test('fits 80 columns, shows every option with a value and its default, and ends with the exit codes', async () => {
    const { stdout } = await expectExit(0, `${name} --help`)
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    const text = stdout.replaceAll(/\s+/g, ' ')
    for (const [key, option] of optionEntries) {
      const { example = '' } = option
      if (!shows(name, key)) continue
      const [, value = ''] = new RegExp(`${asTyped(key)} ('[^']*'|[^-]\\S*)`).exec(example) ?? []
      expect(text).toContain(` ${asTyped(key)} `)
      expect(text).toContain(value)
      const shown = shownDefault(option)
      if (shown !== undefined) expect(text).toContain(`[default: ${shown}]`)
    }
    expect(text).toContain('Exit codes: 0 passed; ')
  })
})

test('run and load accept every threshold that help shows', () => {
  const shown = [...OPTIONS.threshold.example.matchAll(/'([^']+)'/g)].map(([, one = '']) => one)
  expect(shown.length).toBeGreaterThan(0)
  expect(() => checkThresholds(shown, 'load')).not.toThrow()
  expect(() => checkThresholds(shown, new Set())).not.toThrow()
})
