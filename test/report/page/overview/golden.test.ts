// The overview as it reads, in full: each kind of run and of comparison.
import { describe, expect, test } from 'vitest'
import { renderComparisonOverview } from '../../../../src/report/page/overview/comparison.ts'
import { renderRunOverview } from '../../../../src/report/page/overview/run.ts'
import { outlineOf } from '../../../support/page.ts'
import { fourRuns, nightThatGotWorse, nothingChanged, tooFewInCommon } from '../../example-comparisons.ts'
import { interrupted, nothingAnswered, nothingAsked, oneQuestion, ordinaryNight, twice } from './examples.ts'

describe('a run', () => {
  test.each([
    ['an ordinary night', 'ordinary', ordinaryNight],
    ['nothing asked', 'nothing-asked', nothingAsked],
    ['nothing answered', 'nothing-answered', nothingAnswered],
    ['one question', 'one-question', oneQuestion],
    ['interrupted', 'interrupted', interrupted],
    ['every question twice, and very many', 'twice', twice],
  ])('%s', async (_, name, { summary, details, extras }) => {
    const text = outlineOf(renderRunOverview(summary, details, extras))
    await expect(text).toMatchFileSnapshot(`../../golden/overview-run-${name}.txt`)
  })
})

describe('a comparison', () => {
  test('of several runs has a page for each, with its own sentence and the way to the others', () => {
    const { comparison, details } = fourRuns
    const pages = comparison.candidates.map((_, place) =>
      renderComparisonOverview(comparison, details, place),
    )
    const outlines = pages.map(outlineOf)
    expect(outlines.map((outline) => outline.split('\n')[2]?.split(':')[0])).toEqual([
      'nightly-09',
      'nightly-10',
      'nightly-11',
    ])
    for (const [place, outline] of outlines.entries()) {
      const headings = outline.split('\n').filter((line) => / What changed since /.test(line))
      expect(headings).toEqual([
        expect.stringContaining(`## nightly-${['09', '10', '11'][place]}: What changed`),
      ])
      const linked = [...String(pages[place]).matchAll(/href="(report-[^"]*)"/g)].map(([, name]) => name)
      const others = ['report-1-nightly-09.html', 'report-2-nightly-10.html', 'report-3-nightly-11.html']
      expect(linked).toEqual(others.filter((_, other) => other !== place))
    }
    expect(String(pages[2])).toContain('href="#filter=list:lost"')
  })

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
