// `results.csv`: cells come back as they were, in the plain file and in the one for Excel.
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Grade } from '../../src/domain/grade.ts'
import type { Question } from '../../src/domain/question.ts'
import type { TurnRecord } from '../../src/domain/turn.ts'
import { renderResultsCsv } from '../../src/report/results-csv.ts'
import type { SpreadsheetLayout } from '../../src/report/spreadsheet.ts'
import { askedIn, readSound, writeSet } from '../dataset/reading-files.ts'
import { makeQuestion } from '../support/questions.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

const folder = temporaryFolder()
const plain: SpreadsheetLayout = { excel: undefined }
const german: SpreadsheetLayout = { excel: { separator: ';' } }
const english: SpreadsheetLayout = { excel: { separator: ',' } }

const failure = (sentence: string): { expectation: string; sentence: string } => ({
  expectation: 'expect_contains',
  sentence,
})

function render(
  turns: readonly TurnRecord[],
  {
    layout = plain,
    columns = [],
    grade = { kind: 'none' },
  }: { layout?: SpreadsheetLayout; columns?: string[]; grade?: Grade } = {},
): string {
  const graded = turns.map((turn) => ({ turn, grade }))
  return [...renderResultsCsv(graded, columns, ['KNOWLEDGE_BASE'], layout)].join('')
}

const rowsOf = (csv: string, delimiter = ','): Record<string, string>[] =>
  parse<Record<string, string>>(csv, { columns: true, delimiter, bom: true })

const undo = (cell = ''): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

describe('the verdict of a turn', () => {
  test.each<[string, Grade, string, string]>([
    ['without expectations', { kind: 'none' }, '', ''],
    ['without a verdict', { kind: 'notGraded', reason: 'error' }, '', ''],
    ['that passed', { kind: 'passed', similarity: 0.9 }, 'true', ''],
    [
      'that failed',
      { kind: 'failed', failures: [failure('no "VPN"'), failure('too slow')] },
      'false',
      'no "VPN" | too slow',
    ],
    [
      'that failed with a formula',
      { kind: 'failed', failures: [failure('=HYPERLINK("x")')] },
      'false',
      `'=HYPERLINK("x")`,
    ],
  ])('%s', (_, grade, passed, failures) => {
    expect(rowsOf(render([makeTurn()], { grade }))[0]).toMatchObject({ passed, failures })
  })
})

describe('cells', () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from('ab,;"\'\r\n\t=+-@|é日')), maxLength: 30 })

  test.each([
    ['the plain file', plain, ','],
    ['a German Excel', german, ';'],
    ['an English Excel', english, ','],
  ])('come back from %s whatever they hold, a row a turn', (_, layout, delimiter) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), (rows) => {
        const turns = rows.map(([answer, owner], place) =>
          makeTurn({
            question: makeQuestion(`q${place}`, 't', 1, { cells: { owner } }),
            result: makeReply('X', answer),
          }),
        )
        const parsed = rowsOf(render(turns, { layout, columns: ['owner'] }), delimiter)
        expect(parsed.map(({ answer, owner }) => [undo(answer), undo(owner)])).toEqual(rows)
      }),
    )
  })

  test("of a set's own column that is called like one of ours are told from it", () => {
    const question = makeQuestion('q', 't', 1, { cells: { answer: 'from the set' } })
    expect(rowsOf(render([makeTurn({ question })], { columns: ['answer'] }))[0]).toMatchObject({
      answer: 'An answer.',
      'answer (set)': 'from the set',
    })
  })
})

describe('for Excel', () => {
  const turn = makeTurn({ serviceMs: 812.44, waitMs: 1200 })

  test.each([
    ['the plain file', plain, 'id,thread,', '812.4'],
    ['a German one', german, '\uFEFFid;thread;', '812,4'],
    ['an English one', english, '\uFEFFid,thread,', '812.4'],
  ])('%s has its mark, its separator and its decimals', (_, layout, start, latency) => {
    const csv = render([turn], { layout })
    expect(csv.startsWith(start)).toBe(true)
    const [row] = rowsOf(csv, layout.excel?.separator)
    expect(row).toMatchObject({ latency_ms: latency, wait_ms: '1200' })
  })

  test('a cell holds no more than Excel takes', () => {
    const long = makeTurn({ result: makeReply('X', `=${'a'.repeat(32_764)}😀 and more`) })
    const [cut] = rowsOf(render([long], { layout: english }))
    expect(cut?.['answer']).toBe(`'=${'a'.repeat(32_764)}…`)
    const [whole] = rowsOf(render([long]))
    expect(whole?.['answer']).toHaveLength(32_764 + 1 + 1 + 11)
  })

  test('a file is a question set again', async () => {
    const question: Partial<Question> = { message: '=Why; and "how"?', tags: ['a', 'b'] }
    const csv = render([makeTurn({ question: makeQuestion('q1', 't1', 1, question) })], { layout: german })
    const set = await readSound(writeSet(folder, csv))
    expect(askedIn(set)).toMatchObject([{ id: 'q1', thread: 't1', ...question }])
  })
})
