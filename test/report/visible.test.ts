// Text from the endpoint harms no terminal, log, summary or spreadsheet.
import fc from 'fast-check'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { defuse, renderResultsCsv } from '../../src/report/results-csv.ts'
import { plainMarkdown, shorten, visible } from '../../src/report/visible.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

describe('on a terminal or in a log', () => {
  test.each([
    ['\u001b[31mred\u001b[0m', String.raw`\u{1b}[31mred\u{1b}[0m`],
    ['\u009b2J', String.raw`\u{9b}2J`],
    ['title\u0007', String.raw`title\u{7}`],
    ['one\r\ntwo\nthree\rfour', 'one ⏎ two ⏎ three ⏎ four'],
    ['\u202Eexe.txt', String.raw`\u{202e}exe.txt`],
    ['::error file=a::b', ': :error file=a::b'],
    ['##[group]x', '# #[group]x'],
    ['\ud800', '\ufffd'],
    ['Grüße, 日本語, 👨‍👩‍👧', 'Grüße, 日本語, 👨‍👩‍👧'],
  ])('%j is shown as %s', (text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  test('any text becomes one line without controls', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(
          // oxlint-disable-next-line no-control-regex
          /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]|^\s*::|##\[/,
        )
      }),
    )
  })

  test('long text is cut between signs', () => {
    expect(shorten('👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 3)).toBe('👨‍👩‍👧👨‍👩‍👧…')
    expect(shorten('abc', 3)).toBe('abc')
  })
})

describe('in Markdown', () => {
  test.each([
    ['<img src=x onerror=alert(1)>', /^&lt;img src=x onerror=alert\(1\)&gt;$/],
    ['| a | b |', /^\\\| a \\\| b \\\|$/],
    ['[text](javascript:alert(1))', /^\\\[text\\\]\(javascript:alert/],
    ['@team', /^&#64;team$/],
    ['https://evil.example.com', /^https&#8203;:/],
    ['# title', /^\\# title$/],
  ])('%s is plain', (text, expected) => {
    expect(plainMarkdown(text)).toMatch(expected)
  })
})

describe('in a spreadsheet', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', "'=1+1", "''@x"])(
    '%j is defused, and can be undone',
    (cell) => {
      const defused = defuse(cell)
      expect(defused).toBe(`'${cell}`)
      expect(/^'+[=+\-@\t\r]/.test(defused)).toBe(true)
    },
  )

  test.each(['', 'plain', "'quoted'", 'a=b', '1-2'])('%j stays as it is', (cell) => {
    expect(defuse(cell)).toBe(cell)
  })

  test('whatever the answers and columns hold, the file has a row a turn and the cells come back', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('ab,;"\'\r\n\t=+-@|é日')), maxLength: 30 })
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), (rows) => {
        const turns = rows.map(([answer, owner], place) =>
          makeTurn({
            question: makeQuestion(`q${place}`, 't', 1, { cells: { owner } }),
            result: makeReply('X', answer),
          }),
        )
        const csv = [...renderResultsCsv(turns, ['owner'], ['X'])].join('')
        const parsed = parse<Record<string, string>>(csv, { columns: true })
        const undo = (cell = ''): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
        expect(parsed.map(({ answer, owner }) => [undo(answer), undo(owner)])).toEqual(rows)
      }),
    )
  })

  test("a set's own column that is called like one of ours is told from it", () => {
    const question = makeQuestion('q', 't', 1, { cells: { answer: 'from the set' } })
    const csv = [...renderResultsCsv([makeTurn({ question })], ['answer'], ['X'])].join('')
    expect(parse<Record<string, string>>(csv, { columns: true })[0]).toMatchObject({
      answer: 'An answer.',
      'answer (set)': 'from the set',
    })
  })
})
