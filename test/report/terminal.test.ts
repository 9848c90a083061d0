// Protects the screen's 80 columns: what does not fit is left out or cut where it hurts least, never a figure.
import { describe, expect, test } from 'vitest'
import { matchBlocks } from '../../src/report/article-blocks.ts'
import type { Block, Document, Figure } from '../../src/report/document.ts'
import { renderTerminal } from '../../src/report/terminal.ts'

const documentOf = (...blocks: Block[]): Document => ({
  title: ['set.csv'],
  facts: '',
  at: null,
  verdict: { tone: 'good', word: 'Done', reason: '' },
  sections: [{ id: 'overview', title: 'Overview', blocks }],
})
const linesOf = (...blocks: Block[]): string[] => renderTerminal(documentOf(...blocks))

describe('a figure with its interval', () => {
  const change = { value: '↑ +1.7 points', tone: 'good' } as const
  const figure = (label: string, of: string): Figure => ({
    label,
    value: '77.5 %',
    of,
    bar: { rate: 0.775 },
    change,
    note: '69.2–84.1 %',
  })

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
  const items = Array.from({ length: 12 }, (_, index) => ({ text: `Article ${index}` }))

  test('keeps its count: its words are cut', () => {
    const title = 'Articles that none of all the questions of this set ever reaches'
    expect(linesOf({ kind: 'list', title, items, half: true })).toContain(
      '  Articles that none of all the q… (12)',
    )
  })

  test('of validate with articles fits beside its counts', () => {
    const heading = linesOf(
      ...matchBlocks({
        read: 63,
        counts: { 'not-used': 1075, 'no-article': 103, unclear: 1042 },
        without: [{ message: 'Where?', line: 2, file: 'set.csv', nearest: null }],
        unreached: items.map(({ text }) => ({ id: text, title: text })),
      } as never),
    ).join('\n')
    expect(heading).toContain('Questions that no article seems to answer (103 of 2,220; 1,042 unclear)')
    expect(heading).toContain('Articles no question reaches (12)')
  })
})

test('what is left of a list stands where the caller says', () => {
  const items = Array.from({ length: 12 }, (_, index) => ({ text: `Question ${index}` }))
  const document = documentOf({ kind: 'list', title: 'Joined', items })
  expect(renderTerminal(document, { footer: ['drafted.csv'], rest: 'with --json' }).join('\n')).toMatch(
    /more with --json$/m,
  )
})
