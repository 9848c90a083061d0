// A comparison for a pull request: says what changed, fits into a comment, and nothing in it acts.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderComparisonMarkdown } from '../../src/report/comparison-markdown.ts'
import {
  makeCandidate,
  makeComparison,
  makeCounts,
  makeShown,
  withoutAnswers,
} from '../support/comparisons.ts'
import { hostileText } from '../support/hostile.ts'
import { fourRuns, nightThatGotWorse, nothingChanged, tooFewInCommon } from './example-comparisons.ts'
import { hostileComparison } from './hostile-comparison.ts'

test.each([
  ['a night that got worse', 'worse', nightThatGotWorse],
  ['too few questions in common', 'too-few', tooFewInCommon],
  ['four runs', 'four-runs', fourRuns],
  ['nothing changed', 'nothing', nothingChanged],
])('%s', async (_, name, { comparison, details }) => {
  const text = renderComparisonMarkdown(comparison, details)
  await expect(text).toMatchFileSnapshot(`golden/comparison-${name}.markdown.txt`)
})

describe('a changed question', () => {
  const shown = makeShown('q1', ['groundingLost', 'passToFail'], {
    candidate: { failures: ['the answer does not contain "VPN"'], passRate: 0 },
    answers: { baseline: 'Take the VPN.', candidate: 'Ask *somebody*.' },
  })
  const comparison = makeComparison({
    candidates: [
      makeCandidate({
        counts: makeCounts({ groundingLost: 1, passToFail: 1 }),
        changes: [withoutAnswers(shown)],
      }),
    ],
  })

  test('shows how its answers differ in the first of its lists only', () => {
    const text = renderComparisonMarkdown(comparison, { shown: [[shown]] })
    expect(text.match(/<del>/g)).toHaveLength(1)
    expect(text).toContain(String.raw`<ins>Ask \*somebody\*</ins>.`)
    expect(text.indexOf('<del>')).toBeLessThan(text.indexOf('### newly failing (1)'))
  })

  test('is listed without its answers where they are not at hand', () => {
    const text = renderComparisonMarkdown(comparison, { shown: [] })
    expect(text).toContain('- **q1** message of q1')
    expect(text).not.toContain('<del>')
  })
})

describe('a comparison of any size', () => {
  const changes = Array.from({ length: 100_000 }, (_, place) =>
    makeShown(`q${place}`, ['groundingLost', 'passToFail', 'factsChanged'], {
      message: 'a long message '.repeat(20),
      answers: { baseline: 'before '.repeat(500), candidate: 'after '.repeat(500) },
    }),
  )

  test.each([1, 3, 12])(
    'fits into a comment with %i candidates, and shows something of each list',
    (many) => {
      const candidate = makeCandidate({
        changes: changes.slice(0, 10_000),
        counts: makeCounts({ groundingLost: 100_000, passToFail: 100_000 }),
        added: changes,
      })
      const comparison = makeComparison({ candidates: Array.from({ length: many }, () => candidate) })
      const text = renderComparisonMarkdown(comparison, {
        shown: comparison.candidates.map(() => changes.slice(0, 200)),
      })
      expect(text.length).toBeLessThanOrEqual(60_000)
      if (many > 3) return
      for (const title of ['lost grounding', 'newly failing', 'added'])
        expect(text.split(`### ${title} (100000)`)).toHaveLength(many + 1)
      expect(text.match(/more: see comparison\.csv/g)?.length).toBeGreaterThanOrEqual(3 * many)
    },
  )
})

describe('text from elsewhere', () => {
  test('neither breaks out nor makes the comment too long', () => {
    fc.assert(
      fc.property(
        fc.array(hostileText(100), { minLength: 8, maxLength: 8 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 3 }),
        (texts, many, candidates) => {
          const { comparison, details } = hostileComparison(texts, many, candidates)
          const text = renderComparisonMarkdown(comparison, details)
          expect(text.length).toBeLessThanOrEqual(60_000)
          // What is left of tags is ours, whole.
          const elements = text.match(/<[^>]*>/g) ?? []
          for (const name of ['details', 'summary', 'sub', 'del', 'ins']) {
            const count = (one: string): number => elements.filter((element) => element === one).length
            expect(count(`<${name}>`)).toBe(count(`</${name}>`))
          }
          expect(elements.filter((one) => !/^<\/?(details|summary|sub|del|ins)>$/.test(one))).toEqual([])
          expect(text).not.toMatch(/@|&#64;(?!&#8203;)|(?<!&)#\d|https?:|www\./)
          // oxlint-disable-next-line no-control-regex
          expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
          for (const row of text.split('\n').filter((line) => line.startsWith('|')))
            expect(row.replaceAll(/\\./g, '').split('|').length - 2).toBeGreaterThan(1)
          const ours = /^(## (Passed|Failed): .*|### .*305 questions in both|### [a-zA-Z][^<]*)$/
          const headings = text.split('\n').filter((line) => line.startsWith('#'))
          expect(headings.filter((line) => !ours.test(line))).toEqual([])
        },
      ),
      { numRuns: 25 },
    )
  })
})
