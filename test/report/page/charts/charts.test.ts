// Charts say what their figures say: lengths, places, patterns and words, and stay within their frame.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { barWithInterval } from '../../../../src/report/page/charts/bars.ts'
import { histogram } from '../../../../src/report/page/charts/histogram.ts'
import { lineOverTime } from '../../../../src/report/page/charts/line.ts'
import { axisFromZero, pathThrough } from '../../../../src/report/page/charts/scales.ts'
import { stackedShare, type Part } from '../../../../src/report/page/charts/stacked.ts'
import { axisOfRun } from '../../../../src/report/page/overview/time-of-run.ts'
import { html, type SafeHtml } from '../../../../src/report/page/html.ts'
import { attribute, elementsOf, parsePage, textOf, type Element } from '../../../support/page.ts'

const elements = (page: SafeHtml): Element[] => elementsOf(parsePage(page).childNodes)
const ofClass = (page: SafeHtml, name: string): Element[] =>
  elements(page).filter((one) => (attribute(one, 'class') ?? '').split(' ').includes(name))
const number = (element: Element | undefined, name: string): number =>
  Number.parseFloat(element === undefined ? 'NaN' : (attribute(element, name) ?? 'NaN'))

describe('a bar with its interval', () => {
  test('is as long as its share, and its interval lies where it says', () => {
    const bar = barWithInterval({ share: 0.84, low: 0.78, high: 0.88, few: false })
    expect(ofClass(bar, 'share').map((one) => attribute(one, 'width'))).toEqual(['84%'])
    const [line] = elements(bar).filter((one) => one.tagName === 'line')
    expect([number(line, 'x1'), number(line, 'x2')]).toEqual([78, 88])
  })

  test('is only outlined where the share says little, and is none where there is no share', () => {
    expect(ofClass(barWithInterval({ share: 0.5, low: 0.1, high: 0.9, few: true }), 'few')).toHaveLength(1)
    const none = barWithInterval({ share: null, low: null, high: null, few: false })
    expect([...ofClass(none, 'share'), ...elements(none).filter((one) => one.tagName === 'line')]).toEqual([])
  })
})

describe('parts of a whole', () => {
  const part = (count: number, kind: Part['kind']): Part => ({ label: html`x`, count, words: '', kind })

  test('fill it, one beside the other', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 7 }), (counts) => {
        const bar = stackedShare(
          'id',
          counts.map((count) => part(count, 'other')),
          'label',
        )
        const drawn = ofClass(bar, 'part').slice(0, counts.length)
        let before = 0
        for (const one of drawn) {
          expect(number(one, 'x')).toBeCloseTo(before, 1)
          before = number(one, 'x') + number(one, 'width')
        }
        expect(before).toBeCloseTo(100, 0)
      }),
    )
  })

  test('differ in their patterns, so that they can be told apart without colours', () => {
    const parts = [part(5, 'kb'), part(4, 'kb'), part(3, 'other'), part(2, 'other'), part(1, 'rest')]
    const drawn = ofClass(stackedShare('id', parts, 'label'), 'part').slice(0, parts.length)
    const looks = drawn.map((one) => `${attribute(one, 'fill') ?? ''} ${attribute(one, 'class') ?? ''}`)
    expect(new Set(looks).size).toBe(parts.length)
    const ids = elements(stackedShare('id', parts, 'label')).flatMap((one) => attribute(one, 'id') ?? [])
    for (const one of drawn) {
      const pattern = /^url\(#(.*)\)$/.exec(attribute(one, 'fill') ?? '')?.[1]
      if (pattern !== undefined) expect(ids).toContain(pattern)
    }
  })
})

describe('an axis', () => {
  test('begins at nothing and holds the most', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e9, noNaN: true }), (most) => {
        const axis = axisFromZero(most, 4, String)
        expect(axis.place(0)).toBe(0)
        expect(axis.place(most)).toBeGreaterThan(0)
        expect(axis.place(most)).toBeLessThanOrEqual(1.000001)
        expect(axis.ticks.length).toBeGreaterThan(1)
      }),
    )
  })

  test('of times has its ticks within the run, even where it took no time', () => {
    const starts = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) })
    const lengths = fc.oneof(fc.nat(5000), fc.nat(600_000), fc.nat(86_400_000 * 40))
    fc.assert(
      fc.property(starts, lengths, (start, length) => {
        const { ticks } = axisOfRun(start, start + length)
        expect(ticks.length).toBeGreaterThan(0)
        expect(ticks.length).toBeLessThanOrEqual(3)
        expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length)
        for (const [tick, { place }] of ticks.entries()) {
          expect(place >= 0 && place <= 1).toBe(true)
          expect(place - (ticks[tick - 1]?.place ?? -1)).toBeGreaterThanOrEqual(0.3)
        }
      }),
      { numRuns: 500 },
    )
    const start = Date.UTC(2026, 10, 21, 18, 28, 23, 100)
    const labels = (length: number): string[] =>
      axisOfRun(start, start + length).ticks.map(({ label }) => label)
    expect(labels(1700)).toEqual(['18:28:23.500', '18:28:24.500'])
    expect(labels(400)).toEqual(['18:28:23.100', '18:28:23.300', '18:28:23.500'])
    expect(labels(2700)).toEqual(['18:28:24', '18:28:25'])
  })
})

test('a line breaks where there is no value, and steps where a value holds', () => {
  const points = [
    { x: 0, y: 10 },
    { x: 5, y: 20 },
    { x: 6, y: null },
    { x: 8, y: 5 },
    { x: 9, y: 6 },
  ]
  expect(pathThrough(points, 'step')).toBe('M0,10L5,10L5,20M8,5L9,5L9,6')
  expect(pathThrough(points, 'straight')).toBe('M0,10L5,20M8,5L9,6')
})

test('columns of a histogram are as high as their counts, and percentiles lie in their bins', () => {
  const bins = [
    { from: 0, to: 10, count: 4 },
    { from: 10, to: 20, count: 2 },
    { from: 20, to: 40, count: 0 },
    { from: 40, to: 100, count: 1 },
  ]
  const chart = histogram('id', bins, {
    label: 'l',
    description: 'd',
    format: String,
    marks: [
      { value: 5, label: 'half' },
      { value: 70, label: 'most' },
    ],
  })
  const [first, second, third] = ofClass(chart, 'column').map((one) => number(one, 'height'))
  expect(first).toBeCloseTo(2 * (second ?? 0), 0)
  expect(third).toBe(0)
  const marks = elements(chart).filter(
    (one) =>
      one.tagName === 'line' && number(one, 'y2') > 100 && attribute(one, 'x1') === attribute(one, 'x2'),
  )
  expect(marks.map((one) => attribute(one, 'x1'))).toEqual(expect.arrayContaining(['12.5%', '87.5%']))
})

test('a line chart marks what is worth a look with a hollow dot, and says what it shows', () => {
  const chart = lineOverTime(
    'id',
    { label: 'Pace', description: 'It fell once.' },
    {
      points: [
        { place: 0, value: 8, dot: 'full' },
        { place: 0.5, value: 4, dot: 'hollow' },
        { place: 1, value: null, dot: 'full' },
      ],
      kind: 'step',
      ticks: [{ place: 0, label: '12:00' }],
      format: String,
      labelWidth: 0,
      pauses: [{ from: 0.4, to: 3, label: '429' }],
      reference: { value: 5, label: 'limit' },
    },
  )
  expect(ofClass(chart, 'dot')).toHaveLength(2)
  expect(ofClass(chart, 'hollow').map((one) => attribute(one, 'cx'))).toEqual(['50%'])
  expect(ofClass(chart, 'pause').map((one) => [attribute(one, 'x'), attribute(one, 'width')])).toEqual([
    ['40%', '60%'],
  ])
  expect(
    elements(chart)
      .filter((one) => ['title', 'desc'].includes(one.tagName))
      .map(textOf),
  ).toEqual(['Pace', 'It fell once.'])
})
