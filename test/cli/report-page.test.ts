// `report.html` as the program writes it: of a run, of a run with a baseline, and of a comparison.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { manifest } from '../support/summaries.ts'
import { readPageData, type PageData } from '../support/page-data.ts'
import { runProgram } from '../support/program.ts'
import { makeQuestion } from '../support/questions.ts'
import { recordRun } from '../support/recorded-run.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const [before, now, compared] = ['before', 'now', 'compared'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
const steady = makeQuestion('steady', 'steady', 1)
const moved = makeQuestion('moved', 'moved', 1, { tags: ['vpn'], expect: { contains: ['30'] } })
const gone = makeQuestion('gone', 'gone', 1)
const added = makeQuestion('added', 'added', 1)
const from = (answer: string, source = 'KNOWLEDGE_BASE') => ({ answer, source })

const readPage = (path: string): PageData => readPageData(readFileSync(join(path, 'report.html'), 'utf8'))

beforeAll(async () => {
  recordRun(before, {
    turns: [
      { question: steady, came: from('Always so.') },
      { question: moved, came: from('In 30 days.') },
      { question: gone, came: from('Not asked any more.') },
    ],
  })
  recordRun(now, {
    manifest: {
      options: {
        ...manifest.options,
        baseline: '../before',
        failOn: ['grounding'],
        alpha: 0.05,
        margin: 0,
        minOverlap: 0.5,
      },
    },
    turns: [
      { question: steady, came: from('Always so.') },
      { question: moved, came: from('In 14 days.', 'MODEL') },
      { question: added, came: 'timeout' },
    ],
  })
  const ends = [
    await runProgram(['report', before], { cwd: folder }),
    await runProgram(['report', now], { cwd: folder }),
    await runProgram(['compare', before, now, '--out', compared], { cwd: folder }),
  ]
  expect(ends.map(({ code }) => code)).toEqual([0, 1, 0])
})

describe('report.html', () => {
  test('of a run holds its turns, graded', () => {
    const { contents, turns } = readPage(before)
    expect(contents).toMatchObject({ kind: 'run', rows: 3, names: { baseline: null } })
    expect(turns).toMatchObject([
      { id: 'steady', answer: 'Always so.', passed: null, change: null },
      { id: 'moved', answer: 'In 30 days.', passed: true, tags: ['vpn'], grounded: true, latencyMs: 100 },
      { id: 'gone' },
    ])
  })

  test('of a run with a baseline holds what became of the questions that changed', () => {
    const { contents, turns } = readPage(now)
    expect(contents).toMatchObject({ kind: 'run', names: { baseline: 'before' } })
    expect(turns).toMatchObject([
      { id: 'steady', change: null },
      {
        id: 'moved',
        passed: false,
        change: { kinds: ['groundingLost', 'passToFail'], answer: 'In 30 days.' },
      },
      { id: 'added', outcome: 'timeout', answer: null, change: null },
    ])
  })

  test('of a comparison holds every question of either run', () => {
    const { contents, turns } = readPage(compared)
    expect(contents).toMatchObject({ kind: 'comparison', names: { baseline: 'before', candidate: 'now' } })
    expect(turns.map(({ id, change }) => [id, change?.presence ?? null])).toEqual([
      ['steady', 'both'],
      ['moved', 'both'],
      ['added', null],
      ['gone', 'removed'],
    ])
  })
})
