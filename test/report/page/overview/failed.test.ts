// What the page says of questions with expectations that have no verdict.
import { expect, test } from 'vitest'
import { failedSection } from '../../../../src/report/page/overview/failed.ts'
import { makeSummary, noDetails } from '../../../support/summaries.ts'

const said = (expectations: Readonly<Record<string, number>>): string => {
  const summary = makeSummary([])
  const figures = { ...summary.expectations, ...expectations }
  return failedSection({ ...summary, expectations: figures }, noDetails).toString()
}

test('that none was asked is not that nothing is expected', () => {
  expect(said({})).toContain('say nothing of what is expected')
  const unasked = said({ notAsked: 3 })
  expect(unasked).toContain('3 questions with expectations were not asked.')
  expect(unasked).not.toContain('say nothing of what is expected')
  expect(unasked).not.toContain('could not be judged')
})

test('both kinds are told apart', () => {
  const both = said({ notGraded: 2, notAsked: 1 })
  expect(both).toContain('2 questions with expectations could not be judged')
  expect(both).toContain('1 question with expectations was not asked.')
})
