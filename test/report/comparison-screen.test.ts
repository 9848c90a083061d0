// A comparison on the screen: reads as it should, fits a terminal, and nothing in it acts.
import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import type { CandidateComparison, Comparison } from '../../src/domain/comparison/comparison.ts'
import { renderComparisonScreen, renderComparisonVerdict } from '../../src/report/comparison-screen.ts'
import {
  makeCandidate,
  makeComparison,
  makeCounts,
  makeDifference,
  makeShown,
} from '../support/comparisons.ts'
import { hostileText } from '../support/hostile.ts'
import { fourRuns, nightThatGotWorse, nothingChanged, tooFewInCommon } from './example-comparisons.ts'
import { hostileComparison } from './hostile-comparison.ts'

const without = { shown: [] }
const render = (more: Partial<CandidateComparison>): string =>
  renderComparisonScreen(makeComparison({ candidates: [makeCandidate(more)] }), without)

// oxlint-disable-next-line no-control-regex
const ACTING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff]/

const hostile = hostileComparison(
  ['\u001b[31mred\u001b[0m', '\u202eevil', '::error::x', '##[group]y', 'a\nb\r\nc', '日本語'.repeat(40), ''],
  9,
  1,
)

test.each([
  ['a night that got worse', 'worse', nightThatGotWorse],
  ['too few questions in common', 'too-few', tooFewInCommon],
  ['four runs', 'four-runs', fourRuns],
  ['nothing changed', 'nothing', nothingChanged],
  ['texts that would act', 'hostile', hostile],
])('%s', async (_, name, { comparison, details }) => {
  const text = `${renderComparisonScreen(comparison, details)}\n\n${renderComparisonVerdict(comparison)}\n`
  await expect(text).toMatchFileSnapshot(`golden/comparison-${name}.screen.txt`)
})

test('what nobody has is left out, and never nought', () => {
  const { verdicts, quota } = makeCandidate()
  const none = { ...verdicts, baseline: null, candidate: null, difference: null, p: null }
  const text = render({ verdicts: none, quota: { ...quota, monthly: null } })
  expect(text).not.toMatch(/Passed|Asked every night|Of the quota/)
  expect(render({ quota: { ...quota, monthly: { min: -5, max: 8 } } })).toContain(
    'Asked every night: −5 to +8 calls a month.',
  )
})

test.each([
  [
    0.03,
    'Grounded 80.0 % → 75.0 % (−5.0 points, −9.0 to −1.0): more than noise. Detectable drop: 4.3 points.',
  ],
  [
    0.3,
    'Grounded 80.0 % → 75.0 % (−5.0 points, −9.0 to −1.0): no more than noise. Detectable drop: 4.3 points.',
  ],
])('says first what changed, then whether the totals moved: p %d', (p, total) => {
  const { grounding } = makeCandidate()
  const moved = { ...grounding, candidate: 0.75, difference: makeDifference(-0.05, -0.09, -0.01), p }
  const counts = makeCounts({ groundingGained: 3, failToPass: 2, passToFail: 1 })
  const lines = render({ grounding: moved, counts }).split('\n')
  expect(lines.slice(3, 5)).toEqual(['Changed: 1 newly failing, 3 gained grounding, 2 fixed.', total])
})

describe('a comparison of any size', () => {
  test('is as short as one with a few changes, and counts the others', () => {
    const changes = Array.from({ length: 100_000 }, (_, place) =>
      makeShown(`q${place}`, ['groundingLost', 'factsChanged']),
    )
    const counts = makeCounts({ groundingLost: 100_007, factsChanged: 100_000 })
    const text = render({ changes, counts })
    expect(text.split('\n').length).toBeLessThan(70)
    expect(text).toContain('lost grounding (100007):')
    expect(text).toContain('  and 99999 more: see comparison.csv')
  })

  test('shows the regressions that lie beyond the changes listed', () => {
    const candidate = makeCandidate({ counts: makeCounts({ groundingLost: 1 }) })
    const comparison: Comparison = makeComparison({ candidates: [candidate] })
    const text = renderComparisonScreen(comparison, { shown: [[makeShown('far', ['groundingLost'])]] })
    expect(text).toContain('  far  message of far')
  })
})

describe('text from elsewhere', () => {
  test('neither acts nor makes a line wider than a terminal', () => {
    fc.assert(
      fc.property(
        fc.array(hostileText(100), { minLength: 8, maxLength: 8 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 3 }),
        (texts, many, candidates) => {
          const { comparison, details } = hostileComparison(texts, many, candidates)
          const text = renderComparisonScreen(comparison, details)
          const verdict = renderComparisonVerdict(comparison)
          expect(`${text}\n${verdict}`).not.toMatch(ACTING)
          for (const line of text.split('\n')) {
            expect(line).not.toMatch(/^\s*::/)
            expect(stringWidth(line)).toBeLessThanOrEqual(118)
          }
        },
      ),
      { numRuns: 15 },
    )
  })
})
