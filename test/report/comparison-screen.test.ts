// A comparison on the screen: reads as it should, fits a terminal, and nothing in it acts.
import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import type { CandidateComparison, Comparison } from '../../src/domain/comparison/comparison.ts'
import { renderComparisonScreen, renderComparisonVerdict } from '../../src/report/comparison-screen.ts'
import { makeCandidate, makeComparison, makeShown } from '../support/comparisons.ts'
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

describe('what is missing', () => {
  test('is n/a and never nought', () => {
    const lines = render({ quota: null }).split('\n')
    expect(lines.find((line) => line.startsWith('Calls counted'))?.replaceAll(/ +/g, ' ')).toBe(
      'Calls counted n/a n/a n/a',
    )
  })

  test('leaves no empty table where nothing is in both runs', () => {
    const { comparison, details } = tooFewInCommon
    const text = renderComparisonScreen(comparison, details)
    expect(text).not.toContain('difference, 95 %')
    expect(text).not.toContain('More than noise')
  })

  test('is no verdict: expectations that nobody has are left out', () => {
    const { verdicts } = makeCandidate()
    expect(render({ verdicts: { ...verdicts, questions: 0 } })).not.toContain('Passed')
  })
})

describe('the quota', () => {
  const base = makeCandidate().quota
  test.each<[string, number, number, string]>([
    ['more', 30, 42, 'Asked every night, this is 30 to 42 calls a month more.'],
    ['one more', 1, 1, 'Asked every night, this is 1 call a month more.'],
    ['fewer', -42, -30, 'Asked every night, this is 30 to 42 calls a month fewer.'],
    ['as many', 0, 0, 'Asked every night, this takes as many calls a month as before.'],
    ['either', -5, 8, 'Asked every night, this is between 5 calls a month fewer and 8 more.'],
  ])('%s', (_, min, max, sentence) => {
    if (base === null) throw new Error('the fixture has a quota')
    expect(render({ quota: { ...base, monthly: { min, max } } }).split('\n')).toContain(sentence)
  })

  test.each<[number, number, string]>([
    [304, 304, 'Asked every night, this is 304 calls a month more (30.4 % of the quota).'],
    [-42, -30, 'Asked every night, this is 30 to 42 calls a month fewer (3.0 % to 4.2 % of the quota).'],
    [
      -5,
      8,
      'Asked every night, this is between 5 calls a month fewer and 8 more (−0.5 % to +0.8 % of the quota).',
    ],
  ])('of %d to %d calls, against an allowance', (min, max, sentence) => {
    if (base === null) throw new Error('the fixture has a quota')
    const allowance = {
      calls: 1000,
      period: 'month' as const,
      shareOfQuota: { baseline: 0.3, candidate: 0.312 },
      monthlyShare: { min: min / 1000, max: max / 1000 },
    }
    const text = render({ quota: { ...base, monthly: { min, max }, allowance } })
    expect(text.split('\n')).toContain(sentence)
    expect(text).toMatch(/^Of the quota +30\.0 % +31\.2 % +\+1\.2 points$/m)
  })
})

describe('a comparison of any size', () => {
  test('is as short as one with a few changes, and counts the others', () => {
    const changes = Array.from({ length: 100_000 }, (_, place) =>
      makeShown(`q${place}`, ['groundingLost', 'factsChanged']),
    )
    const ids = changes.map(({ id }) => id)
    const { grounding } = makeCandidate()
    const text = render({ changes, grounding: { ...grounding, lost: ids }, changesLeftOut: 7 })
    expect(text.split('\n').length).toBeLessThan(70)
    expect(text).toContain('Lost from the knowledge base (100000):')
    expect(text).toContain('  and 99992 more: see comparison.csv')
    expect(text).toContain('7 more changed questions may be missing from the lists: see comparison.csv.')
  })

  test('shows the regressions that lie beyond the changes listed', () => {
    const { grounding } = makeCandidate()
    const candidate = makeCandidate({ grounding: { ...grounding, lost: ['far'] }, changesLeftOut: 1 })
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
