// Protects `report` of a load test: its files, verdict and usage, a damaged journal, and rejected combinations.
import { cpSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { loadReportSchema, type LoadReport } from '../../src/domain/load.ts'
import { recordedFolder } from '../recorded/cases.ts'
import { openWorkspace } from '../support/workspace.ts'

const { at, has, put, read, json, runLine, expectExit } = openWorkspace()
const FILES = ['load.json', 'summary.md', 'report.html', 'load.prom'] as const
const readReport = (name: string): LoadReport => loadReportSchema.parse(json(name, 'load.json'))
const copy = (name: string): string => {
  cpSync(at('load'), at(name), { recursive: true })
  return name
}

beforeAll(async () => {
  cpSync(join(recordedFolder, 'load/run'), at('load'), { recursive: true })
  const { code, stdout, screen } = await runLine('report load --json --threshold response.p95<1ms')
  expect(screen).toMatch(/^ +Started +20\/s +40\/40 +20\/s offered, 50 calls$/m)
  expect(screen).toMatch(/^✗ Failed · response\.p95 is [\d.]+ ms, required < 1 ms$/m)
  expect([code, JSON.parse(stdout)]).toEqual([1, readReport('load')])
  expect([...FILES, 'summary.json'].filter((name) => has('load', name))).toEqual(FILES)
})

test('a second report has the same bytes, and other thresholds another verdict', async () => {
  const again = copy('again')
  for (const name of FILES) rmSync(at(again, name))
  await runLine('report again --threshold response.p95<1ms')
  for (const name of FILES) expect(read(again, name), name).toBe(read('load', name))
  await expectExit(0, `report again --threshold response.p95<3s --threshold errors<=5%`)
  expect(readReport(again).thresholds).toMatchObject([
    { expression: 'response.p95<3s', passed: true },
    { passed: true },
  ])
})

test('--quota of report gives the share of the allowance', async () => {
  const line = `report ${copy('quota')} --threshold quota.shareOfQuota<=50% --threshold errors<=100%`
  expect((await runLine(line)).screen).toMatch(
    /quota\.shareOfQuota has\s+no\s+value:\s+give\s+the\s+monthly\s+allowance\s+with\s+--quota N/,
  )
  await expectExit(0, `${line} --quota 1000000`)
  const { max, shareOfQuota } = readReport('quota').quota
  expect(shareOfQuota).toBe(max / 1_000_000)
})

test('--ledger shows that the ledger lacks one call', async () => {
  const lines = read(copy('ledger'), 'journal.ndjson').matchAll(
    /"at":([\d.]+).*"reply":.*"conversationId":"([\w-]+)"/g,
  )
  const answered = Array.from(lines, ([, time, id]) => `${time},${id}`)
  put('usage.csv', `createdAt,conversationId\n${answered.slice(1).join('\n')}\n`)
  await runLine('report ledger --ledger usage.csv')
  expect(read('ledger/report.html')).toMatch(/1 below the account/)
})

test('a torn journal is reported as incomplete', async () => {
  const journal = at(copy('dead'), 'journal.ndjson')
  truncateSync(journal, Math.floor(statSync(journal).size / 2))
  const { screen } = await expectExit(4, 'report dead')
  expect(screen).toMatch(/^! Incomplete · the process ended before the run did$/m)
  expect(screen).toMatch(/the last line of journal\.ndjson \(\d+\) is incomplete/)
})

test.each([
  ['is empty', ''],
  ['has no readable line', '{"kind":"sitting"}\ndamaged\n'],
])('a load test whose journal %s keeps its figures', async (_, text) => {
  put(`${copy('emptied')}/journal.ndjson`, text)
  const figures = read('emptied/load.json')
  const { screen } = await expectExit(2, 'report emptied')
  expect(screen).toContain('journal.ndjson has no line that can be read, but the run had started: restore it')
  expect(read('emptied/load.json')).toBe(figures)
})

test.each([
  ['report load --threshold respnse.p95<1s', /load\.json; did you mean response\.p95\?/],
  ['report load --baseline copy', /^--baseline needs a run; .* is a load test/],
  ['compare load copy', /load holds a load test: .* cannot be compared with a run/],
  ['run --resume load', /load holds a load test: it cannot be resumed/],
])('%s is rejected', async (line, message) => {
  copy('copy')
  const { code, screen } = await runLine(line)
  expect([code, screen]).toEqual([2, expect.stringMatching(message)])
})
