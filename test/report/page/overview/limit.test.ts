// The section on the limit: there only where the calls tell of it, and the same in its picture as in its words.
import { expect, test } from 'vitest'
import { limitSection } from '../../../../src/report/page/overview/limit.ts'
import { learned, between, makeFinding, makeTier, sharp } from '../../../support/limit-findings.ts'
import { attribute, elementsOf, outlineOf, parsePage } from '../../../support/page.ts'

test('nothing where nothing was found', () => {
  expect(limitSection({ finding: null, limit: learned }).toString()).toBe('')
})

test('the rule, its picture, other kinds, and why', async () => {
  const [trace] = makeFinding().traces
  if (trace === undefined) throw new Error('no trace')
  const finding = makeFinding({
    tiers: [makeTier({ burst: between(58, 60, 61) })],
    traces: [{ ...trace, leftOut: 1200 }],
    confidence: 'medium',
    reasons: ['burst-uncertain'],
  })
  const section = limitSection({ finding, limit: learned })
  await expect(outlineOf(section)).toMatchFileSnapshot('../../golden/overview-limit.txt')
  const elements = elementsOf(parsePage(section).childNodes)
  const ids = elements.flatMap((one) => attribute(one, 'id') ?? [])
  expect(new Set(ids).size).toBe(ids.length)
  expect(elements.filter((one) => (attribute(one, 'class') ?? '') === 'dot hollow')).toHaveLength(1)
})

test('where the calls do not settle it, what the run went by comes first', () => {
  const finding = makeFinding({ confidence: 'low', reasons: ['few-refusals'], sustainedPerSecond: sharp(1) })
  const text = outlineOf(limitSection({ finding, limit: learned }))
  expect(text).toContain(
    'The run went by about 58.2 calls a minute (met 2 times, 3 calls refused). Its calls do not settle what the limit is: perhaps 60 calls a minute',
  )
})
