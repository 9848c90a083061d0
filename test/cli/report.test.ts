// `report`: the same reports again, from the run folder alone, also of a run whose process died.
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { RESULT_COLUMNS } from '../../src/domain/result-columns.ts'
import { summarySchema } from '../../src/domain/summary.ts'
import { readResults, readSummary, runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const run = join(folder, 'run')
const reports = ['results.csv', 'summary.json', 'summary.md', 'junit.xml', 'report.html']
const read = (path: string): string[] => reports.map((name) => readFileSync(join(path, name), 'utf8'))

beforeAll(async () => {
  writeFileSync(
    join(folder, 'set.csv'),
    'id,thread,message,tags,owner\na1,a,I forgot my password,access,Ann\nb1,b,Which way is north?,odd,Bob\na2,a,How long is it valid?,access,Ann\n',
  )
  const { code, stderr } = await runProgram(['run', 'set.csv', '--sandbox', '--out', run], { cwd: folder })
  expect(code, stderr).toBe(0)
  rmSync(join(folder, 'set.csv'))
})

describe('the reports of a run', () => {
  test('have the columns that scripts hold on to, in the order of the set', () => {
    const [header = ''] = readFileSync(join(run, 'results.csv'), 'utf8').split('\n')
    expect(header).toBe([...RESULT_COLUMNS, 'owner'].join(','))
    expect(readResults(run).map(({ id, owner }) => [id, owner])).toEqual([
      ['a1', 'Ann'],
      ['b1', 'Bob'],
      ['a2', 'Ann'],
    ])
  })

  test('keep to the published shape', () => {
    const summary = readSummary(run)
    expect(summarySchema.parse(summary)).toEqual(summary)
    expect(Object.keys(summary.tags)).toEqual(['access', 'odd'])
  })

  test('are made again to the byte, without the set', async () => {
    const copy = join(folder, 'copy')
    cpSync(run, copy, { recursive: true })
    for (const name of reports) rmSync(join(copy, name))
    const { code, stdout } = await runProgram(['report', copy, '--json'], { cwd: folder })
    expect(code).toBe(0)
    expect(read(copy)).toEqual(read(run))
    expect(JSON.parse(stdout)).toEqual(readSummary(run))
  })

  test('of a process that died say so, and pass over a torn last line', async () => {
    const dead = join(folder, 'dead')
    cpSync(run, dead, { recursive: true })
    const lines = readFileSync(join(dead, 'journal.ndjson'), 'utf8').trimEnd().split('\n')
    writeFileSync(join(dead, 'journal.ndjson'), `${lines.slice(0, -3).join('\n')}\n`)
    appendFileSync(join(dead, 'journal.ndjson'), (lines.at(-3) ?? '').slice(0, 20))
    const { code, screen } = await runProgram(['report', dead], { cwd: folder })
    expect(code).toBe(4)
    expect(screen).toMatch(
      /Incomplete · the process ended before the run did; questions\s+without\s+an\s+outcome: 1/,
    )
    expect(screen).toMatch(/the last line of journal\.ndjson \(\d+\) is incomplete/)
    expect(readSummary(dead)).toMatchObject({ state: 'interrupted', turns: { answered: 2, notAsked: 1 } })
  })

  test('of a journal with a damaged line count what was lost, and do not pass', async () => {
    const damaged = join(folder, 'damaged')
    cpSync(run, damaged, { recursive: true })
    const lines = readFileSync(join(damaged, 'journal.ndjson'), 'utf8').split('\n')
    const question = lines.findIndex((line) => line.includes('"kind":"question"'))
    writeFileSync(
      join(damaged, 'journal.ndjson'),
      lines.map((line, at) => (at === question ? '#' : line)).join('\n'),
    )
    const { code, screen } = await runProgram(['report', damaged], { cwd: folder })
    expect(code).toBe(4)
    expect(screen).toMatch(/Incomplete · the journal is damaged; questions without an outcome: 1/)
    expect(readSummary(damaged).turns).toMatchObject({ total: 3, notAsked: 1 })
  })

  test.each([
    ['.', /holds several runs/],
    ['nowhere', /holds no run/],
  ])('of %s are refused', async (path, message) => {
    const { code, stderr } = await runProgram(['report', path], { cwd: folder })
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
    expect(existsSync(join(folder, path, 'summary.json'))).toBe(false)
  })

  test('with a recorded threshold that this version cannot read are refused: a gate must not be passed over', async () => {
    const foreign = join(folder, 'foreign')
    cpSync(run, foreign, { recursive: true })
    const path = join(foreign, 'run.json')
    const manifest = readFileSync(path, 'utf8')
    expect(manifest).toContain('"threshold": []')
    writeFileSync(path, manifest.replace('"threshold": []', '"threshold": ["coverge>=80%"]'))
    const { code, stderr } = await runProgram(['report', foreign], { cwd: folder })
    expect([code, stderr]).toEqual([
      2,
      "--threshold 'coverge>=80%' names 'coverge', which is not a figure of summary.json; did you mean coverage?\n",
    ])
  })

  test('of a newer format are refused, saying so', async () => {
    const newer = join(folder, 'newer')
    cpSync(run, newer, { recursive: true })
    writeFileSync(join(newer, 'run.json'), '{"formatVersion":99}')
    const { code, stderr } = await runProgram(['report', newer], { cwd: folder })
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/has format 99, which is newer than this version reads/),
    ])
  })
})
