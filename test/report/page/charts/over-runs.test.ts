// Charts from run to run: which runs a line joins, bands and dots, and scales that do not begin at nothing.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { figuresOverRuns, type OverRuns } from '../../../../src/report/page/charts/over-runs.ts'
import { axisBetween } from '../../../../src/report/page/charts/scales.ts'
import { attribute, elementsOf, parsePage } from '../../../support/page.ts'

const draw = (values: readonly (number | null)[], joins: OverRuns['joins']) => {
  const chart = figuresOverRuns(
    'id',
    { label: 'Coverage', description: '' },
    {
      points: values.map((value, place) => ({
        place: place / values.length,
        value,
        low: value === null ? null : value - 0.1,
        high: value === null ? null : value + 0.1,
      })),
      joins,
      marks: [],
      ticks: [],
      format: String,
      from: 'least',
    },
  )
  const elements = elementsOf(parsePage(chart).childNodes)
  const classed = (name: string) =>
    elements.filter((one) => attribute(one, 'class')?.split(' ').includes(name))
  const lines = classed('line').map((one) => attribute(one, 'd') ?? '')
  return {
    lines: lines.map((line) => (line.match(/[ML]/g) ?? []).length),
    bands: classed('band').length,
    bounds: classed('bound').length,
    dots: classed('full').length,
    hollow: classed('hollow').length,
  }
}

const B = 'begins'
const J = 'joined'
const A = 'apart'

test.each<[string, (number | null)[], OverRuns['joins'], ReturnType<typeof draw>]>([
  ['one line', [0.5, 0.6, 0.7], [B, J, J], { lines: [3], bands: 1, bounds: 0, dots: 3, hollow: 0 }],
  [
    'it passes a run that is apart',
    [0.5, 0.1, 0.7],
    [B, A, J],
    { lines: [2], bands: 1, bounds: 0, dots: 2, hollow: 1 },
  ],
  [
    'it breaks where it begins anew',
    [0.5, 0.6, 0.7, 0.7],
    [B, J, B, J],
    { lines: [2, 2], bands: 2, bounds: 0, dots: 4, hollow: 0 },
  ],
  [
    'it breaks at what is missing',
    [0.5, 0.5, null, 0.7, 0.7],
    [B, J, J, J, J],
    { lines: [2, 2], bands: 2, bounds: 0, dots: 4, hollow: 0 },
  ],
  [
    'what is missing beside it breaks nothing',
    [0.5, null, 0.7],
    [B, A, J],
    { lines: [2], bands: 1, bounds: 0, dots: 2, hollow: 0 },
  ],
])('%s', (_, values, joins, drawn) => {
  expect(draw(values, joins)).toEqual(drawn)
})

test('a lone run has its dot and its interval, among however many', () => {
  const many = Array.from({ length: 100 }, () => 0.5)
  const joins = many.map((_, run) => (run === 50 || run === 51 || run === 0 ? B : J))
  expect(draw(many, joins)).toMatchObject({ bands: 2, bounds: 1, dots: 1 })
})

describe('a scale of shares', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })

  test('holds both ends, lies within 0 and 1, and spans a fifth at least', () => {
    fc.assert(
      fc.property(share, share, (one, other) => {
        const [least, most] = [Math.min(one, other), Math.max(one, other)]
        const axis = axisBetween(least, most, 4, String)
        for (const value of [least, most]) {
          expect(axis.place(value)).toBeGreaterThanOrEqual(-1e-9)
          expect(axis.place(value)).toBeLessThanOrEqual(1 + 1e-9)
        }
        const values = axis.ticks.map(({ label }) => Number(label))
        for (const value of values) {
          expect(value).toBeGreaterThanOrEqual(-1e-9)
          expect(value).toBeLessThanOrEqual(1 + 1e-9)
        }
        // What the whole height stands for.
        expect(1 / (axis.place(1) - axis.place(0))).toBeGreaterThanOrEqual(0.2 - 1e-9)
      }),
    )
  })
})
