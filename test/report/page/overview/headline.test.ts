// The one sentence that a reader takes away: its figures are those of the summary, in whatever state the run is.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TurnRecord } from '../../../../src/domain/turn.ts'
import { renderComparisonOverview } from '../../../../src/report/page/overview/comparison.ts'
import { runHeadline } from '../../../../src/report/page/overview/headline.ts'
import { formatDate, percentRange, wholePercent } from '../../../../src/report/page/overview/format.ts'
import { makeCandidate, makeComparison, makeCounts } from '../../../support/comparisons.ts'
import { outlineOf } from '../../../support/page.ts'
import { countTurns } from '../../../support/question-counts.ts'
import { makeQuestion } from '../../../support/questions.ts'
import { makeSummary } from '../../../support/summaries.ts'
import { makeReply, makeTurn } from '../../../support/turns.ts'

type State = 'grounded' | 'other' | 'error' | 'skipped' | 'lost' | 'notAsked'

const turnIn = (state: State, place: number): TurnRecord => {
  const question = makeQuestion(`q${place}`, `t${place % 7}`, 1)
  const silent = { question, result: undefined, serviceMs: undefined }
  switch (state) {
    case 'grounded':
      return makeTurn({ question })
    case 'other':
      return makeTurn({ question, result: makeReply('MODEL') })
    case 'lost':
      return makeTurn({ question, contextLost: true })
    case 'error':
      return makeTurn({ ...silent, outcome: 'timeout' })
    case 'skipped':
      return makeTurn({ ...silent, outcome: 'skipped' })
    case 'notAsked':
      return makeTurn({ ...silent, outcome: undefined })
  }
}

const texts = (clauses: ReturnType<typeof runHeadline>): string =>
  clauses.map(({ text }) => text.replaceAll('\u00a0', ' ')).join('; ')

describe('the sentence', () => {
  test('says the figures of the summary', () => {
    const states = fc.constantFrom<State>('grounded', 'other', 'error', 'skipped', 'lost', 'notAsked')
    fc.assert(
      fc.property(fc.array(states, { maxLength: 60 }), fc.nat(5), (given, failed) => {
        const summary = makeSummary(given.map(turnIn))
        const counts = countTurns(given.map(turnIn), { failed })
        const said = texts(runHeadline(summary, counts, undefined))
        const count = (state: State): number => given.filter((one) => one === state).length
        const answered = count('grounded') + count('other')
        if (answered > 0) {
          const [, grounded, of, share] =
            /^(\d+) of (\d+) answers? came from the knowledge base \((\S+) %/.exec(said) ?? []
          expect([grounded, of].map(Number)).toEqual([count('grounded'), answered])
          expect(Math.abs(Number(share) - (100 * count('grounded')) / answered)).toBeLessThanOrEqual(0.5)
        } else
          expect(said).toMatch(/^(No question was asked|None of the|The question got|\d+ answers? came, but)/)
        const told = (words: RegExp): number => Number(words.exec(said)?.[1] ?? 0)
        expect(told(/(\d+) got an error/)).toBe(count('error'))
        expect(told(/(\d+) (?:was|were) not asked after an error/)).toBe(count('skipped'))
        expect(told(/(\d+) (?:was|were) not asked at all/)).toBe(count('notAsked'))
        expect(told(/(\d+) questions? (?:was|were) not answered as expected/)).toBe(failed)
        // What got no answer adds up.
        if (answered + count('lost') === 0 && given.length > 1 && count('error') > 0)
          expect(told(/None of the (\d+) questions/)).toBe(
            count('error') + count('skipped') + count('notAsked'),
          )
      }),
      { numRuns: 300 },
    )
  })

  test('says what changed since the baseline, and leads to the lists', () => {
    const counts = makeCounts({ groundingLost: 2, answerToError: 2, answerToSkipped: 1, contextLost: 1 })
    const comparison = makeComparison({ candidates: [makeCandidate({ counts })] })
    const clauses = runHeadline(makeSummary([makeTurn()]), countTurns([makeTurn()]), comparison)
    expect(clauses.slice(1, 4)).toEqual([
      { text: 'since 20 November 2 lost grounding', to: '#filter=list:lost' },
      { text: '3 no answer now', to: '#filter=list:noAnswer' },
      { text: '1 lost the context', to: '#overview-changes-contextLost' },
    ])
    const page = renderComparisonOverview(comparison, { shown: [[]] })
    expect(String(page)).toContain('id="overview-changes-contextLost"')
  })
})

test('a comparison says what waits for a person, and shows it', () => {
  const counts = { reviewed: 294, good: 290, acceptable: 4, poor: 0, changed: 9, new: 2 }
  const awaited = [{ id: 'q1', message: 'How do I park?', before: 'good' as const, note: '' }]
  const comparison = makeComparison({
    candidates: [makeCandidate({ reviews: { counts, awaited, awaitedCount: 11 } })],
  })
  const outline = outlineOf(renderComparisonOverview(comparison, { shown: [[]] }))
  expect(outline.split('\n')[2]).toMatch(/; 11 answers need your review\.$/)
  expect(outline).toContain('## Needs your review (11)')
  expect(outline).toContain('- How do I park? q1 was good, and says something else now')
})

test.each([
  [0, '0 %'],
  [1, '100 %'],
  [0.844, '84 %'],
  [0.004, '0.4 %'],
  [0.0004, 'under 0.1 %'],
  [0.996, '99.6 %'],
  [0.9999, 'over 99.9 %'],
  [null, 'n/a'],
])('a share of %s is %s: never nothing or all unless it is', (share, words) => {
  expect(wholePercent(share).replaceAll('\u00a0', ' ')).toBe(words)
})

test.each([
  [0.78, 0.88, '78 to 88 %'],
  [0.78, 0.78, '78 %'],
  [0.0001, 0.3, 'under 0.1 % to 30 %'],
])('from %s to %s is %s', (low, high, words) => {
  expect(percentRange(low, high).replaceAll('\u00a0', ' ')).toBe(words)
})

test.each([
  ['2026-11-03T23:30:00.000Z', '2026-11-21T02:00:00.000Z', '3 November'],
  ['2025-11-03T02:00:00.000Z', '2026-11-21T02:00:00.000Z', '3 November 2025'],
  ['2026-11-21T02:05:00.000Z', '2026-11-21T14:00:00.000Z', '21 November, 02:05 UTC'],
  ['no time', '2026-11-21T14:00:00.000Z', 'no time'],
])('%s, seen at %s, is %s', (iso, now, words) => {
  expect(formatDate(iso, now)).toBe(words)
})
