// The overview as it reads, in full: each kind of run and of comparison.
import { describe, expect, test } from 'vitest'
import { renderComparisonOverview } from '../../../../src/report/page/overview/comparison.ts'
import { renderRunOverview } from '../../../../src/report/page/overview/run.ts'
import { outlineOf } from '../../../support/page.ts'
import { fourRuns, nightThatGotWorse, nothingChanged, tooFewInCommon } from '../../example-comparisons.ts'
import { interrupted, nothingAnswered, nothingAsked, oneQuestion, ordinaryNight } from './examples.ts'

describe('a run', () => {
  test.each([
    ['an ordinary night', 'ordinary', ordinaryNight],
    ['nothing asked', 'nothing-asked', nothingAsked],
    ['nothing answered', 'nothing-answered', nothingAnswered],
    ['one question', 'one-question', oneQuestion],
    ['interrupted', 'interrupted', interrupted],
  ])('%s', async (_, name, { summary, details, extras }) => {
    const text = outlineOf(renderRunOverview(summary, details, extras))
    await expect(text).toMatchFileSnapshot(`../../golden/overview-run-${name}.txt`)
  })
})

describe('a comparison', () => {
  test.each([
    ['a night that got worse', 'worse', nightThatGotWorse],
    ['too few questions in common', 'too-few', tooFewInCommon],
    ['four runs', 'four-runs', fourRuns],
    ['nothing changed', 'nothing', nothingChanged],
  ])('%s', async (_, name, { comparison, details }) => {
    const text = outlineOf(renderComparisonOverview(comparison, details))
    await expect(text).toMatchFileSnapshot(`../../golden/overview-comparison-${name}.txt`)
  })
})
