// Usage by month: what it is made of, where months begin, and the allowance that it is held against.
import { expect, test } from 'vitest'
import { monthlyUse } from '../../../src/analysis/history/months.ts'
import type { Quota } from '../../../src/domain/quota.ts'
import { recordedLoad, recordedNight } from '../../support/recorded-nights.ts'

const used = (startedAt: string, min: number, max: number, quota?: Quota) =>
  ({ startedAt, calls: [min, max], ...(quota === undefined ? {} : { quota }) }) as const

test('runs and load tests of a month add up in the order of their starts', () => {
  const runs = [
    recordedNight(used('2026-10-31T23:59:59.999Z', 10, 12)),
    recordedNight(used('2026-11-20T00:00:00.000Z', 40, 44)),
    recordedNight(used('2026-11-01T00:00:00.000Z', 20, 20)),
  ]
  const { months, soFar } = monthlyUse(runs, [recordedLoad(used('2026-11-10T00:00:00.000Z', 300, 310))])
  expect(months).toEqual([
    { organization: 'acme', month: '2026-10', min: 10, max: 12, runs: 1, loads: 0, quota: null, share: null },
    {
      organization: 'acme',
      month: '2026-11',
      min: 360,
      max: 374,
      runs: 2,
      loads: 1,
      quota: null,
      share: null,
    },
  ])
  expect(soFar.get('run-2026-11-01T00:00:00.000Z')).toEqual({ min: 20, max: 20, share: null })
  expect(soFar.get('run-2026-11-20T00:00:00.000Z')).toEqual({ min: 360, max: 374, share: null })
})

test.each<[Quota, number]>([
  [{ calls: 1000, period: 'month' }, 0.1],
  [{ calls: 100, period: 'day' }, 1 / 30.4375],
  [{ calls: 100, period: 'week' }, 7 / 30.4375],
])('100 calls of %j', (quota, share) => {
  const { months, soFar } = monthlyUse([recordedNight(used('2026-11-01T00:00:00.000Z', 90, 100, quota))], [])
  expect(months[0]?.share).toBeCloseTo(share, 12)
  expect([...soFar.values()][0]?.share).toBeCloseTo(share, 12)
})

test('a month is held against the latest allowance on record, a run against its own', () => {
  const { months, soFar } = monthlyUse(
    [
      recordedNight(used('2026-11-01T00:00:00.000Z', 100, 100, { calls: 1000, period: 'month' })),
      recordedNight(used('2026-11-02T00:00:00.000Z', 100, 100, { calls: 2000, period: 'month' })),
      recordedNight(used('2026-11-03T00:00:00.000Z', 100, 100)),
    ],
    [],
  )
  expect(months).toMatchObject([{ share: 0.15, quota: { calls: 2000 } }])
  expect([...soFar.values()].map(({ share }) => share)).toEqual([0.1, 0.1, null])
})

test('sandboxes are one desk, and organizations are kept apart', () => {
  const at = (organization: string, sandbox: boolean) =>
    recordedNight({
      startedAt: '2026-11-01T00:00:00.000Z',
      id: organization,
      target: { organization, sandbox },
    })
  const { months } = monthlyUse([at('s1', true), at('s2', true), at('b', false), at('a', false)], [])
  expect(months.map(({ organization, runs }) => [organization, runs])).toEqual([
    ['a', 1],
    ['b', 1],
    ['sandbox', 2],
  ])
})
