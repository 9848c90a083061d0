// `report.html` of runs that asked each question twice: every answer is told, and what changed stands at each repeat it holds for.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readPageData, type PageData } from '../support/page-data.ts'
import { runProgram } from '../support/program.ts'
import { makeQuestion } from '../support/questions.ts'
import { recordRun, type Came, type RecordedTurn } from '../support/recorded-run.ts'
import { manifest } from '../support/summaries.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const at = (name: string): string => join(folder, name)
const article = (answer: string): Came => ({ answer, source: 'KNOWLEDGE_BASE' })
const unsure: Came = { answer: 'I am not sure.', source: 'MODEL' }
const twice = (id: string, ...came: readonly Came[]): RecordedTurn[] =>
  came.map((one, place) => ({ question: makeQuestion(id, id, 1), repeat: place + 1, came: one }))
const readPage = (name: string): PageData => readPageData(readFileSync(join(at(name), 'report.html'), 'utf8'))

beforeAll(async () => {
  const steady = article('So it is.')
  const soon = article('It takes 30 minutes.')
  recordRun(at('before'), {
    manifest: { runId: 'run-1' },
    turns: [
      ...twice('split', steady, steady),
      ...twice('lost', steady, steady),
      ...twice('half', steady, article('It was so.')),
      ...twice('time', soon, soon),
      ...twice('silent', steady),
    ],
  })
  recordRun(at('now'), {
    manifest: {
      runId: 'run-2',
      options: {
        ...manifest.options,
        baseline: '../before',
        failOn: [],
        alpha: 0.05,
        margin: 0,
        minOverlap: 0.5,
      },
    },
    turns: [
      ...twice('split', steady, article('It is otherwise.')),
      ...twice('lost', unsure, unsure),
      ...twice('half', steady, unsure),
      ...twice('time', soon, article('It takes 35 minutes.')),
      ...twice('silent', steady, 'timeout'),
    ],
  })
  const ends = [
    await runProgram(['report', at('now')], { cwd: folder }),
    await runProgram(['compare', at('before'), at('now'), '--out', at('compared')], { cwd: folder }),
  ]
  // A run fails for an error; a comparison tells whether it is more than chance.
  expect(ends.map(({ code }) => code)).toEqual([1, 0])
})

test('a comparison shows the repeat that changed', () => {
  const { contents, turns } = readPage('compared')
  expect(contents.runs).toEqual(['run-1', 'run-2'])
  expect(turns).toMatchObject([
    {
      id: 'split',
      repeat: 2,
      answer: 'It is otherwise.',
      attempts: 1,
      conversationId: 'c',
      change: { answer: 'So it is.' },
    },
    { id: 'lost', change: { kinds: ['groundingLost'] } },
    {
      id: 'half',
      repeat: 2,
      change: { kinds: ['flaky'], answer: 'It was so.' },
    },
    {
      id: 'time',
      repeat: 2,
      change: {
        kinds: ['factsChanged'],
        answer: 'It takes 30 minutes.',
        factsGained: [{ text: '35 minutes' }],
      },
    },
    {
      id: 'silent',
      repeat: 2,
      answer: null,
      outcome: 'timeout',
      source: 'KNOWLEDGE_BASE / (error)',
      grounded: null,
      change: { kinds: ['answerToError'], answer: 'So it is.' },
    },
  ])
})

test('a run shows each repeat: a twin has the change too, another answer says where it is shown', () => {
  const { contents, turns } = readPage('now')
  expect(contents.runs).toEqual(['run-2'])
  expect(
    turns.map(({ id, repeat, change, changeAt }) => [id, repeat, change?.kinds ?? null, changeAt]),
  ).toEqual([
    ['split', 1, null, null],
    ['split', 2, null, null],
    ['lost', 1, ['groundingLost'], null],
    ['lost', 2, ['groundingLost'], null],
    ['half', 1, null, 2],
    ['half', 2, ['flaky'], null],
    ['time', 1, null, 2],
    ['time', 2, ['factsChanged'], null],
    ['silent', 1, null, 2],
    ['silent', 2, ['answerToError'], null],
  ])
})

test('without JavaScript each page names the file that has all', () => {
  const told = (name: string): string =>
    /<noscript><p>(.*?)<\/p>/s.exec(readFileSync(join(at(name), 'report.html'), 'utf8'))?.[1] ?? ''
  expect(told('now')).toContain('All of them stand in results.csv beside this page.')
  expect(told('compared')).toContain('All of them stand in comparison.csv beside this page.')
})
