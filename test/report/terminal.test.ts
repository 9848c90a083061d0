// Protects the screen's 80 columns: what does not fit is left out or cut where it hurts least, never a figure.
import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { doubtfulList, matchBlocks, misfitList } from '../../src/report/article-blocks.ts'
import type { Block, Figure } from '../../src/report/document.ts'
import { shorten } from '../../src/report/escape.ts'
import { renderTerminal } from '../../src/report/terminal.ts'
import { documentOf, listOf } from './documents.ts'

const verdict = { tone: 'good', word: 'Done', reason: '' } as const
const linesOf = (...blocks: Block[]): string[] => renderTerminal(documentOf(blocks, { verdict }))

test('articles are named by title, and an unsupported value is said once', () => {
  const question = { id: 'q', message: 'How late may I swap?' }
  const misfit = { ...question, source: 'rota', article: 'gone' }
  const summary = { articles: { misfits: { count: 1, items: [misfit] } } }
  const instead = { article: 'rota', title: 'Duty rota', section: '', url: null, text: '72 hours' }
  const fact = { text: '48 hours', sentence: 'Up to 48 hours before.', instead, at: null }
  const details = {
    articles: [{ article: 'rota', title: 'Duty rota' }],
    doubtful: { count: 1, items: [{ ...question, facts: [fact] }] },
  }
  const [first, second] = [summary, details] as unknown as Parameters<typeof misfitList>
  expect(linesOf(misfitList(first, second), doubtfulList(second))).toEqual(
    expect.arrayContaining([
      '  How late may I swap?  likely from Duty rota, nearer to gone',
      '  48 hours · How late may I swap?  Up to 48 hours before. · Duty rota says 72 h…',
    ]),
  )
})

describe('a figure with its interval', () => {
  const change = { value: '↑ +1.7 points', tone: 'good' } as const
  const interval = { value: '77.5 %', bar: { rate: 0.775 }, change, note: '69.2–84.1 %' }
  const figure = (label: string, of: string): Figure => ({ label, of, ...interval })

  test('has a bar where there is room for one', () => {
    const lines = linesOf({ kind: 'figures', figures: [figure('Grounded', '93/120')] })
    expect(lines.join('\n')).toMatch(/Grounded +77\.5 % +93\/120 +█+░+ +↑ \+1\.7 points +69\.2–84\.1 %$/m)
  })

  test('is never cut: where there is no room, the bar is left out', () => {
    const figures = [figure('Grounded', '93/120'), figure('Grounded demand', '48,180/62,172')]
    const lines = linesOf({ kind: 'figures', figures })
    expect(lines.join('\n')).toMatch(
      /Grounded demand +77\.5 % +48,180\/62,172 +↑ \+1\.7 points +69\.2–84\.1 %$/m,
    )
    expect(lines.join('\n')).not.toContain('█')
  })
})

describe('the heading of a list', () => {
  test('keeps its count: its words are cut', () => {
    const title = 'Articles that none of all the many questions of this long set of questions ever reaches'
    expect(linesOf(listOf(title, 12))).toContain(`  ${shorten(title, 73)} (12)`)
  })

  test('of validate with articles fits beside its counts', () => {
    const heading = linesOf(
      ...matchBlocks({
        read: 63,
        counts: { 'not-used': 1075, 'no-article': 103, unclear: 1042 },
        without: [{ message: 'Where?', line: 2, file: 'set.csv', nearest: null }],
        unreached: Array.from({ length: 12 }, (_, index) => ({ id: index, title: `Article ${index}` })),
      } as never),
    ).join('\n')
    expect(heading).toContain('Questions that no article seems to answer (103 of 2,220; 1,042 unclear)')
    expect(heading).toContain('Articles no question reaches (12)')
  })
})

describe('a number is never cut', () => {
  const long = 'How do I hand in the form of the northern subsidiary before the end of the month?'

  test('behind a long text: the text is', () => {
    const items = [{ text: [{ untrusted: long }, ' · passed 66.7 % · grounded 33.3 %'] }]
    const screen = linesOf({ kind: 'list', title: 'Flaky questions', items }).join('\n')
    expect(screen).toMatch(/^ {2}How do I hand in the form .*… · passed 66\.7 % · grounded 33\.3 %$/m)
  })

  test('in the note of a figure: the note goes on in the next line', () => {
    const note = '1,234/12,345 got 429 · limit 5/s · 1.5 % of the quota'
    const lines = linesOf({ kind: 'figures', figures: [{ label: 'Calls counted', value: '12,345', note }] })
    expect(lines.slice(3, 5)).toEqual([
      '  Calls counted  12,345     1,234/12,345 got 429 · limit 5/s · 1.5 % of the',
      '                            quota',
    ])
  })

  test('beside columns of words, which are cut, or in a table that is too wide, which has fewer columns', () => {
    const numbers = Array.from({ length: 5 }, () => '246,912 to 370,368')
    const table = (cells: string[]) =>
      linesOf({ kind: 'table', title: 'Totals', columns: cells.map(() => ''), rows: [{ cells }] }).join('\n')
    expect(table([long, ...numbers.slice(3)])).toMatch(/^ {2}How do I h.*…(?: {2}246,912 to 370,368){2}$/m)
    expect(table([long, ...numbers])).toMatch(/^ {2}How do I h.*…(?: {2}246,912 to 370,368){3}$/m)
  })

  test.each([
    ['took 12,345 ms', 8, 'took …'],
    ['took 12,345 ms', 12, 'took …'],
    ['in 1966, they say', 6, 'in …'],
  ])('%j in %i columns is %j', (text, columns, expected) => {
    expect(shorten(text, columns)).toBe(expected)
  })
})

test('what is left of a list stands where the caller says', () => {
  const document = documentOf([listOf('Joined', 12)])
  const lines = renderTerminal(document, { footer: ['drafted.csv'], rest: 'with --json' })
  expect(lines.join('\n')).toMatch(/more with --json$/m)
})

test('any document fits 80 columns and 30 lines, keeps its figures, and cuts no number', () => {
  const text = fc.constantFrom(
    'vpn',
    'Which of all the forms do I need to hand in before the end of August if I moved to another country?',
    '会議室の予約方法を教えてください。二階の部屋は何時まで使えますか。予約は必要ですか。',
  )
  const block = fc.oneof(
    fc.record({ kind: fc.constant('note'), tone: fc.constant('warn'), text }),
    fc.tuple(text, fc.integer({ min: 1, max: 12 })).map(([title, count]) => ({
      kind: 'list',
      title,
      items: Array.from({ length: count }, () => ({ text: [{ untrusted: title }, ' · passed 66.7 %'] })),
    })),
  ) as fc.Arbitrary<Block>
  const grounded = { label: 'Grounded', value: '61.2 %', of: '1,234/2,016' }
  const figures: Block = { kind: 'figures', figures: [grounded] }
  fc.assert(
    fc.property(fc.array(block, { maxLength: 14 }), text, (blocks, reason) => {
      const document = documentOf([figures, ...blocks], { verdict: { tone: 'bad', word: 'Failed', reason } })
      const lines = renderTerminal(document, { footer: ['report.html'] })
      expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(30)
      for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(80)
      expect(lines.join('\n')).toMatch(/^ {2}Grounded +61\.2 %/m)
      expect(lines.join('\n')).not.toMatch(/\d…/)
    }),
    // Each measures the width of some thousand texts.
    { numRuns: 50 },
  )
})
