// `history` as people type it: real runs of the sandbox and made ones, what is written, said, printed and refused.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import type { History } from '../../src/domain/history.ts'
import { chanceNights, nightOf, writeNight } from '../support/nights.ts'
import { projectRoot, readSummary, runProgram, type Ended } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const at = (...names: readonly string[]): string => join(folder, ...names)
const program = async (...words: readonly string[]): Promise<Ended> => runProgram(words, { cwd: folder })
const history = async (...words: readonly string[]): Promise<Ended> => program('history', ...words)
const printed = ({ stdout }: Ended): History => JSON.parse(stdout) as History
const rowsOf = (name: string): Record<string, string>[] =>
  parse(readFileSync(at(name, 'history.csv')), { columns: true })

describe('real runs of the sandbox', () => {
  const set = join(projectRoot, 'datasets/quickstart.csv')
  beforeAll(async () => {
    for (const run of ['first', 'second']) {
      const { code, screen } = await program('run', set, '--sandbox', '--out', join('reports', run))
      expect(code, screen).toBe(0)
    }
    const words = ['--sandbox', '--arrival-rate', '20/s', '--duration', '500ms', '--out', 'reports/load']
    const { code, screen } = await program('load', set, ...words)
    expect(code, screen).toBeLessThanOrEqual(1)
  })

  test('their figures are those of their summaries', async () => {
    const ended = await history('reports', '--json')
    expect(ended.code, ended.screen).toBe(0)
    const { series, months, leftOut } = printed(ended)
    expect(series.map(({ name, runs }) => [name, runs.map((run) => run.folder)])).toEqual([
      ['quickstart.csv of sandbox', ['first', 'second']],
    ])
    const summaries = ['first', 'second'].map((name) => readSummary(at('reports', name)))
    for (const [place, { coverage, latencyMs, quota, run }] of summaries.entries()) {
      const cells = rowsOf('reports')[place]
      expect(cells).toMatchObject({
        run: run.id,
        folder: ['first', 'second'][place],
        started_at: run.startedAt,
      })
      expect(Number(cells?.['coverage'])).toBeCloseTo(coverage.rate ?? Number.NaN, 4)
      expect(Number(cells?.['latency_p95_ms'])).toBeCloseTo(latencyMs.p95 ?? Number.NaN, 1)
      expect(cells?.['usage_max']).toBe(String(quota.max))
    }
    expect(months.reduce((sum, { max }) => sum + max, 0)).toBe(
      summaries.reduce((sum, { quota }) => sum + quota.max, 0),
    )
    expect(leftOut).toMatchObject([{ folder: 'load', reason: { code: 'history-no-summary' } }])
  })

  test('the same folders give the same bytes, wherever they stand, and nothing but summaries is read', async () => {
    const texts = (name: string): string[] =>
      ['history.html', 'history.csv'].map((file) => readFileSync(at(name, file), 'utf8'))
    const { stdout } = await history('reports', '--json')
    const before = texts('reports')
    mkdirSync(at('moved'))
    cpSync(at('reports'), at('moved/reports'), { recursive: true })
    for (const run of ['first', 'second', 'load']) {
      rmSync(at('moved/reports', run, 'journal.ndjson'))
      writeFileSync(at('moved/reports', run, 'run.json'), 'not read')
    }
    const again = await runProgram(['history', 'reports', '--json'], { cwd: at('moved') })
    expect(again.stdout).toBe(stdout)
    expect(texts('moved/reports')).toEqual(before)
  })
})

describe('made runs', () => {
  beforeAll(() => {
    for (const [number, night] of chanceNights(30, (one) => (one < 18 ? 0.85 : 0.7)).entries())
      writeNight(at('nights', `n${number}`), night)
  })

  test('--out writes elsewhere', async () => {
    rmSync(at('nights/history.html'), { force: true })
    const { code } = await history('nights', '--out', 'public/deep er')
    expect(code).toBe(0)
    expect(existsSync(at('nights/history.html'))).toBe(false)
    expect(existsSync(at('public/deep er/history.html'))).toBe(true)
    expect(rowsOf('public/deep er')).toHaveLength(30)
  })

  test('--since and --target', async () => {
    const words = ['--since', '2026-01-29', '--target', 'staging', '--json']
    const { series } = printed(await history('nights', ...words))
    expect(series.map(({ runs }) => runs.length)).toEqual([2])
  })

  test('folders without a place are listed with the reason', async () => {
    for (const name of ['good', 'torn', 'old', 'none'])
      writeNight(at('some', name), { startedAt: nightOf(0), id: name })
    writeFileSync(at('some/torn/summary.json'), '{"formatVersion": 1, "ru')
    writeFileSync(at('some/old/summary.json'), '{}')
    rmSync(at('some/none/summary.json'))
    const ended = await history('some', '--json')
    expect(ended.code, ended.screen).toBe(0)
    expect(printed(ended).leftOut).toMatchObject([
      { folder: 'none', reason: { code: 'history-no-summary' } },
      {
        folder: 'old',
        reason: { code: 'history-unreadable', values: { issue: expect.stringMatching(/^run:/) } },
      },
      { folder: 'torn', reason: { code: 'history-unreadable' } },
    ])
    expect(readFileSync(at('some/history.html'), 'utf8')).toContain('summary.json cannot be read')
  })

  test('names that act are made visible, and formulas defused', async () => {
    const name = '=1+1 \u001b[31m<img src=x>.csv'
    writeNight(at('hostile', "it's; $(touch x)"), { startedAt: nightOf(0), set: name, id: '@SUM(1)' })
    writeNight(at('hostile', '<b>"&'), { startedAt: nightOf(1), set: name })
    const { code, screen } = await history('hostile')
    expect(code).toBe(0)
    expect(screen).toContain(String.raw`=1+1 [U+001B][31m<img src=x>.csv of staging`)
    expect(screen).not.toContain('\u001b')
    expect(rowsOf('hostile').map((row) => [row['run'], row['question_sets']?.slice(0, 5)])).toEqual([
      ["'@SUM(1)", "'=1+1"],
      ['run-2026-01-02T02:00:00.000Z', "'=1+1"],
    ])
    expect(readFileSync(at('hostile/history.csv'), 'utf8')).not.toContain('\u001b')
    expect(readFileSync(at('hostile/history.html'), 'utf8')).not.toMatch(/<img|<b>"/)
  })
})

test.each<[string, string[], RegExp]>([
  ['no folder', [], /^history needs the folder that holds the run folders/],
  ['a folder that is not there', ['nowhere'], /^nowhere does not exist; name the folder/],
  ['a file', ['file'], /^file is a file/],
  ['a folder without runs', ['empty'], /^empty holds no runs; name the folder/],
  ['a run', ['nights/n0'], /^nights\/n0 is a run, which must not change: name another folder with --out/],
  ['a day that is none', ['nights', '--since', '2026-02-30'], /^--since must be a day/],
  ['a day in words', ['nights', '--since', 'yesterday'], /^--since must be a day/],
  [
    'days after all runs',
    ['nights', '--since', '2030-01-01'],
    /^nights holds no run that matches --since and --target/,
  ],
  [
    'a target that no run is of',
    ['nights', '--target', 'stagging'],
    /^--target stagging: no run here has this target; did you mean staging\?/,
  ],
  ['an option that is none', ['nights', '--until', '2026-01-01'], /^unknown option --until/],
])('%s is refused in plain words', async (_, words, reason) => {
  writeFileSync(at('file'), '')
  mkdirSync(at('empty'), { recursive: true })
  const { code, screen, stdout } = await history(...words)
  expect(screen).toMatch(reason)
  expect([code, stdout]).toEqual([2, ''])
})
