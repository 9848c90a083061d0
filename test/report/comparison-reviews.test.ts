// Reviews in the reports of a comparison: a line and a short list, harmless and bounded.
import { describe, expect, test } from 'vitest'
import type { CandidateReviews } from '../../src/domain/comparison/comparison.ts'
import { renderComparisonMarkdown } from '../../src/report/comparison-markdown.ts'
import { renderComparisonScreen } from '../../src/report/comparison-screen.ts'
import { makeCandidate, makeComparison } from '../support/comparisons.ts'

const without = { shown: [] }
const counts = { reviewed: 3, good: 2, acceptable: 0, poor: 1, changed: 1, new: 8 }
const render = (reviews: CandidateReviews | null): Record<'screen' | 'markdown', string> => {
  const comparison = makeComparison({ candidates: [makeCandidate({ reviews })] })
  return {
    screen: renderComparisonScreen(comparison, without),
    markdown: renderComparisonMarkdown(comparison, without),
  }
}

describe('reviews', () => {
  test('that nobody made are not spoken of', () => {
    const { screen, markdown } = render(null)
    expect(screen + markdown).not.toMatch(/review/i)
  })

  test('are counted, and what waits is listed', () => {
    const awaited = [
      { id: 'a', message: 'Why?', before: 'good', note: 'clear' } as const,
      { id: 'b', message: 'How?', before: undefined, note: '' },
    ]
    const { screen, markdown } = render({ counts, awaited, awaitedCount: 2 })
    const line = 'Reviews: 3 of 12 answers reviewed (good 2, poor 1); 1 says something else now, 8 are new.'
    expect(screen.split('\n')).toContain(line)
    expect(screen).toMatch(
      /Needs your review \(2\):\n {2}a +Why\? +was good, and says something else now; note: clear\n {2}b +How\? +new\n\n/,
    )
    expect(markdown).toContain('Reviews: 3 of 12 answers reviewed')
    expect(markdown).toContain(
      '### Needs your review (2)\n\n- **a** Why?\n  - was good, and says something else now; note: clear\n',
    )
  })

  test('that all stand make no list', () => {
    const { screen, markdown } = render({
      counts: { ...counts, changed: 0, new: 0 },
      awaited: [],
      awaitedCount: 0,
    })
    expect(screen).toContain('Reviews: 3 of 3 answers reviewed (good 2, poor 1).')
    expect(screen + markdown).not.toContain('Needs your review')
  })

  test('of any number and any text stay short, and do nothing', () => {
    const awaited = Array.from({ length: 200 }, (_, place) => ({
      id: `q${place}\u001b[31m`,
      message: '<script>alert(1)</script> | `x` '.repeat(20),
      before: 'poor' as const,
      note: '\n::error::x '.repeat(40),
    }))
    const { screen, markdown } = render({ counts, awaited, awaitedCount: 90_000 })
    const list = screen.slice(screen.indexOf('Needs your review (90000):')).split('\n\n')[0] ?? ''
    expect(list.split('\n')).toHaveLength(10)
    expect(list).toMatch(/\n {2}and 89992 more: see comparison\.csv$/)
    expect(Math.max(...list.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(140)
    // oxlint-disable-next-line no-control-regex
    expect(screen + markdown).not.toMatch(/\u001b|^::/m)
    expect(markdown).not.toContain('<script')
    const section = markdown.slice(markdown.indexOf('### Needs your review'))
    expect(section).toMatch(/and \d+ more: see comparison\.csv/)
    expect(section.length).toBeLessThan(8_000)
  })
})
