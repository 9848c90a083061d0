// The allowance in every report: the share used, what regular use costs, and nothing of it where none is known.
import { describe, expect, test } from 'vitest'
import type { Quota } from '../../src/domain/quota.ts'
import type { Summary } from '../../src/domain/summary.ts'
import { accountLines, tagRows } from '../../src/report/account.ts'
import { describeUse } from '../../src/report/quota-words.ts'
import { operationSection } from '../../src/report/page/overview/operations.ts'
import { outlineOf } from '../support/page.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeSummary } from '../support/summaries.ts'
import { makeTurn } from '../support/turns.ts'

const usage = { attempts: 3, certain: 2, possible: 1, notCounted: 0, min: 2, max: 3 }
const question = makeQuestion('a', 'a', 1, { tags: ['vpn'] })

function summaryOf(quota: Quota | null, more: Partial<Summary> = {}): Summary {
  const summary = makeSummary([makeTurn({ question, usage })], more)
  const shareOfQuota = quota === null ? null : summary.quota.max / quota.calls
  return {
    ...summary,
    run: { ...summary.run, quota },
    quota: { ...summary.quota, shareOfQuota },
    tags: Object.fromEntries(
      Object.entries(summary.tags).map(([tag, one]) => [
        tag,
        { ...one, quota: { ...one.quota, shareOfQuota } },
      ]),
    ),
  }
}

const linesOf = (summary: Summary): Record<string, string> =>
  Object.fromEntries(accountLines(summary).map(({ label, words }) => [label, words]))

const monthly = { calls: 20, period: 'month' } as const

describe('the account', () => {
  test('says the share, and what asking again and again costs, between its bounds', () => {
    const lines = linesOf(summaryOf(monthly))
    expect(lines['Quota']).toBe('2 to 3 calls counted, from 3 attempts; 10.0 % to 15.0 % of 20 calls a month')
    expect(lines['This set']).toBe('every night 60 to 92 calls a month (300.0 % to 460.0 %)')
  })

  test('forecasts nothing from half a run', () => {
    expect(linesOf(summaryOf(monthly, { state: 'incomplete' }))).not.toHaveProperty('This set')
  })

  test('has neither without an allowance', () => {
    const lines = linesOf(summaryOf(null))
    expect(lines['Quota']).toBe('2 to 3 calls counted, from 3 attempts')
    expect(lines).not.toHaveProperty('This set')
  })

  test('has a column by tag, with an allowance only', () => {
    expect(tagRows(summaryOf(monthly)).map((row) => row.at(-1))).toEqual(['of the quota', '15.0 %'])
    expect(tagRows(summaryOf(null)).map((row) => row.at(-1))).toEqual(['calls counted', '2–3'])
  })
})

test('the page shows the share with the account, and regular use as a table', () => {
  const text = outlineOf(operationSection(summaryOf(monthly)))
  expect(text).toContain('share of the quota | 10.0 % to 15.0 % | of an allowance of 20 calls a month')
  expect(text).toContain('What asking this set costs in a month')
  expect(text).toContain('every night | 60 to 92 calls | 300.0 % to 460.0 %')
  for (const without of [summaryOf(null), summaryOf(monthly, { state: 'interrupted' })])
    expect(outlineOf(operationSection(without))).not.toContain('What asking this set costs')
})

test.each([
  ['a few turns without an answer', { min: 3, max: 4 }, 35],
  ['one that may have been counted', { min: 4, max: 5 }, 35],
])('a failing night makes the set no cheaper than an estimate does: %s', (_, used, calls) => {
  expect(describeUse(used, 5, { calls: 50, period: 'week' })).toBe(
    `every night ${calls} calls a week (70.0 %); ` +
      'a call for each of the 5 turns at least, as turns without an answer may take none in a run',
  )
})

test('the page says so, too', () => {
  const nothing = { attempts: 0, certain: 0, possible: 0, notCounted: 0, min: 0, max: 0 }
  const summary = makeSummary([
    makeTurn({ question, usage: { ...nothing, attempts: 1, certain: 1, min: 1, max: 1 } }),
    makeTurn({ question, repeat: 2, outcome: 'skipped', result: undefined, usage: nothing }),
  ])
  const text = outlineOf(operationSection({ ...summary, run: { ...summary.run, quota: monthly } }))
  expect(text).toContain('every night | 61 calls')
  expect(text).toContain('Counted is a call for each of the 2 turns at least')
})
