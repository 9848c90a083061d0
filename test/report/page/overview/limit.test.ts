// The section on the limit: there only where the calls tell of it, and the same in its picture as in its words.
import { expect, test } from 'vitest'
import { limitSection } from '../../../../src/report/page/overview/limit.ts'
import { learned, between, makeFinding, makeTier, sharp } from '../../../support/limit-findings.ts'
import { attribute, elementsOf, outlineOf, parsePage } from '../../../support/page.ts'

test('nothing where nothing was found', () => {
  expect(limitSection({ finding: null, limit: learned }).toString()).toBe('')
})

test('rules, picture, other kinds, and why', async () => {
  const finding = makeFinding({
    tiers: [
      makeTier(),
      makeTier({
        kind: 'concurrency',
        variant: null,
        perSecond: null,
        windowMs: null,
        burst: null,
        atOnce: between(9, 10, 11),
      }),
    ],
    traces: [
      ...makeFinding().traces,
      { atMs: [1000, 2000], level: [10, 11], refused: [false, true], allowed: 10, leftOut: 1200 },
    ],
    confidence: 'medium',
    reasons: ['foreign-traffic', 'burst-uncertain'],
    foreignPerSecond: between(0.5, 1, 1.8),
  })
  const section = limitSection({ finding, limit: learned })
  await expect(outlineOf(section)).toMatchFileSnapshot('../../golden/overview-limit.txt')
  const elements = elementsOf(parsePage(section).childNodes)
  const ids = elements.flatMap((one) => attribute(one, 'id') ?? [])
  expect(new Set(ids).size).toBe(ids.length)
  expect(elements.filter((one) => (attribute(one, 'class') ?? '') === 'dot hollow')).toHaveLength(2)
})

test('where the calls do not settle it, what the run went by comes first', () => {
  const finding = makeFinding({ confidence: 'low', reasons: ['few-refusals'], sustainedPerSecond: sharp(1) })
  const text = outlineOf(limitSection({ finding, limit: learned }))
  expect(text).toContain(
    'The run went by about 58.2 calls a minute (met 2 times, 3 calls refused). Its calls do not settle what the limit is: perhaps 60 calls a minute',
  )
})
