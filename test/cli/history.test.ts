// Protects `history` of the built program, over real runs of the sandbox and made-up runs.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { History } from '../../src/domain/history.ts'
import { startOnDay, writePastRun } from '../support/past-runs.ts'
import { projectRoot, runProgram } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const { at, has, put, read, rows, summary, runLine, expectExit } = openWorkspace()

async function history(words: string): Promise<History> {
  const { stdout } = await expectExit(0, `history ${words} --json`)
  return JSON.parse(stdout) as History
}

describe('real runs of the sandbox', () => {
  beforeAll(async () => {
    const set = join(projectRoot, 'datasets/quickstart.csv')
    for (const run of ['first', 'second']) await expectExit(0, `run ${set} --sandbox --out reports/${run}`)
    await runLine(`load ${set} --sandbox --arrival-rate 20/s --duration 500ms --out reports/load`)
  })

  test('have the figures of their summaries', async () => {
    const { series, leftOut } = await history('reports')
    expect(series.map(({ name, runs }) => [name, runs.map((run) => run.folder)])).toEqual([
      ['quickstart.csv of sandbox', ['first', 'second']],
    ])
    const summaries = ['first', 'second'].map((name) => summary('reports', name))
    for (const [place, { coverage, latencyMs, quota, run }] of summaries.entries()) {
      const cells = rows('reports/history.csv')[place]
      const folder = ['first', 'second'][place]
      expect(cells).toMatchObject({ run: run.id, folder, started_at: run.startedAt })
      expect(Number(cells?.['coverage'])).toBeCloseTo(coverage.rate ?? Number.NaN, 4)
      expect(Number(cells?.['latency_p95_ms'])).toBeCloseTo(latencyMs.p95 ?? Number.NaN, 1)
      expect(cells?.['usage_max']).toBe(String(quota.max))
    }
    expect(leftOut).toMatchObject([{ folder: 'load', reason: { code: 'history-no-summary' } }])
  })

  test('give the same bytes in another place, and only their summaries are read', async () => {
    const texts = (folder: string) => ['history.html', 'history.csv'].map((file) => read(folder, file))
    const { stdout } = await runLine('history reports --json')
    const before = texts('reports')
    cpSync(at('reports'), at('moved/reports'), { recursive: true })
    for (const run of ['first', 'second', 'load']) {
      rmSync(at('moved/reports', run, 'journal.ndjson'))
      put(`moved/reports/${run}/run.json`, 'not read')
    }
    const again = await runProgram(['history', 'reports', '--json'], { cwd: at('moved') })
    expect(again.stdout).toBe(stdout)
    expect(texts('moved/reports')).toEqual(before)
  })
})

test('--out writes into another folder', async () => {
  for (let number = 0; number < 30; number += 1)
    writePastRun(at('nights', `n${number}`), { startedAt: startOnDay(number) })
  await history(`nights --out 'public/deep er'`)
  expect([has('nights/history.html'), has('public/deep er/history.html')]).toEqual([false, true])
  expect(rows('public/deep er/history.csv')).toHaveLength(30)
})

test('folders that are left out are listed with the reason', async () => {
  for (const name of ['good', 'torn', 'old', 'none'])
    writePastRun(at('some', name), { startedAt: startOnDay(0), id: name })
  put('some/torn/summary.json', '{"formatVersion": 1, "ru')
  put('some/old/summary.json', '{}')
  rmSync(at('some/none/summary.json'))
  const issue = expect.stringMatching(/^run:/) as unknown
  expect((await history('some')).leftOut).toMatchObject([
    { folder: 'none', reason: { code: 'history-no-summary' } },
    { folder: 'old', reason: { code: 'history-unreadable', values: { issue } } },
    { folder: 'torn', reason: { code: 'history-unreadable' } },
  ])
  expect(read('some/history.html')).toContain('summary.json cannot be read')
})

test('control characters in names are made visible, markup is escaped, and formulas are defused', async () => {
  const set = '=1+1 \u001b[31m<img src=x>.csv'
  writePastRun(at('hostile', "it's; $(touch x)"), { startedAt: startOnDay(0), set, id: '@SUM(1)' })
  writePastRun(at('hostile', '<b>"&'), { startedAt: startOnDay(1), set })
  const { screen } = await expectExit(0, 'history hostile')
  expect(screen).toContain(String.raw`=1+1 [U+001B][31m<img src=x>.csv of staging`)
  expect(screen + read('hostile/history.csv')).not.toContain('\u001b')
  expect(rows('hostile/history.csv').map((row) => [row['run'], row['question_sets']?.slice(0, 5)])).toEqual([
    ["'@SUM(1)", "'=1+1"],
    ['run-2026-01-02T02:00:00.000Z', "'=1+1"],
  ])
  expect(read('hostile/history.html')).not.toMatch(/<img|<b>"/)
})
