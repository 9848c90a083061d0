// Whatever the endpoint and the set say, the overview says just that, and nothing in it acts.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Summary, SummaryDetails } from '../../../../src/domain/summary.ts'
import type { SafeHtml } from '../../../../src/report/page/html.ts'
import { renderComparisonOverview } from '../../../../src/report/page/overview/comparison.ts'
import { questionLink } from '../../../../src/report/page/overview/links.ts'
import { renderRunOverview } from '../../../../src/report/page/overview/run.ts'
import { showActing } from '../../../../src/domain/text.ts'
import { shorten } from '../../../../src/report/visible.ts'
import { hostileText } from '../../../support/hostile.ts'
import { attribute, elementsOf, parsePage, textOf, type Element } from '../../../support/page.ts'
import { countTurns, makeCounts } from '../../../support/question-counts.ts'
import { makeQuestion } from '../../../support/questions.ts'
import { makeSummary } from '../../../support/summaries.ts'
import { makeReply, makeTurn } from '../../../support/turns.ts'
import { fourRuns } from '../../example-comparisons.ts'
import { hostileComparison } from '../../hostile-comparison.ts'
import { ordinaryNight } from './examples.ts'

const ELEMENTS = new Set(
  (
    'a b bdi code dd details div dl dt figcaption figure h2 h3 h4 li ol p section small span strong summary ul ' +
    'table caption thead tbody tr th td wbr svg title desc defs pattern g line rect circle path text'
  ).split(' '),
)
const ATTRIBUTES = new Set(
  (
    'class id dir href role aria-label aria-labelledby aria-hidden focusable tabindex scope start data-name ' +
    'x y x1 x2 y1 y2 cx cy r d width height fill viewBox preserveAspectRatio vector-effect patternUnits'
  ).split(' '),
)

/** As a parser of HTML hands texts on: acting signs shown, ends of lines made alike. */
const parsed = (text: string): string => showActing(text).replaceAll(/\r\n?/g, '\n')

function everythingHostile(
  texts: readonly string[],
  many: number,
): { summary: Summary; details: SummaryDetails } {
  const at = (place: number): string => texts[place % texts.length] ?? ''
  const list = <T>(make: (place: number) => T): T[] => Array.from({ length: many }, (_, place) => make(place))
  const turns = list((place) =>
    makeTurn({
      question: makeQuestion('q', `t${place}`, 1, { tags: [`${at(place)}${place}`] }),
      ...(place % 3 === 0
        ? {
            outcome: 'network_error' as const,
            result: { kind: 'network' as const, sent: true, code: at(place), message: at(place + 1) },
          }
        : { result: makeReply(at(place)) }),
    }),
  )
  const questions = list((place) => ({ id: at(place), message: at(place + 1), weight: 1, tags: [at(place)] }))
  const failures = list((place) => ({
    id: at(place),
    message: at(place + 1),
    sentences: [at(place), at(place + 2)],
  }))
  const change = (place: number): Summary['pacing']['changes'][number] => ({
    at: new Date(Date.UTC(2026, 10, 21, 12, 0, place)).toISOString(),
    pace: place,
    cause: at(place),
  })
  const made = makeSummary(turns, {
    verdict: 'failed',
    reason: at(0),
    thresholds: list((place) => ({
      expression: at(place),
      metric: at(place),
      value: place,
      passed: false,
      reason: at(place),
    })),
    mustPass: list((place) => ({
      id: at(place),
      reason: at(place),
      graded: true,
    })),
    reviews: { reviewed: 1, good: 1, acceptable: 0, poor: 0, changed: many, new: 0 },
    warnings: list(at),
    pacing: {
      rate429: 0,
      rateLimited: 0,
      finding: null,
      limit: null,
      changes: list(change),
      calls: null,
      changesLeftOut: many,
    },
  })
  const run = {
    ...made.run,
    target: at(1),
    organization: at(2),
    origin: at(3),
    id: at(4),
    groundedSources: [at(1)],
  }
  return {
    summary: { ...made, run },
    details: {
      counts: countTurns(turns, { failed: many, gaps: many, clustered: many, errors: many }),
      failures,
      wrong: failures,
      errors: list((place) => ({ id: at(place), message: at(place), what: at(place) })),
      gaps: list((place) => ({ name: at(place), weight: 1, questions })),
      flaky: [],
      awaited: list((place) => ({ id: at(place), message: at(place), before: undefined, note: at(place) })),
    },
  }
}

/** What turns the direction of what follows it, or hides in a text. Marks and joiners stay: scripts need them. */
const HIDDEN = /[\u200b\u202a-\u202e\u2066-\u2069\ufeff]|&#(x20|82)/

function expectHarmless(page: SafeHtml, elements: readonly Element[]): void {
  expect(page.toString()).not.toMatch(HIDDEN)
  expect(elements.map(({ tagName }) => tagName).filter((name) => !ELEMENTS.has(name))).toEqual([])
  // One expectation for all attributes of a page: each takes longer than what it looks at.
  const harmful = elements.flatMap(({ tagName, attrs }) =>
    attrs
      .filter(({ name, value }) => !ATTRIBUTES.has(name) || VALUES[name]?.test(value) === false)
      .map(({ name, value }) => `${tagName} ${name}="${value}"`),
  )
  expect(harmful).toEqual([])
}

/** What may stand in an attribute that could lead somewhere. */
const VALUES: Readonly<Record<string, RegExp>> = {
  href: /^(#(q=|filter=(list|tag|source|outcome):|overview-)|report-\d+-[\w.%~!*'()-]*\.html$)/,
  fill: /^(none|url\(#overview-[a-z-]+\))$/,
}

function expectAccessible(elements: readonly Element[]): void {
  const all = elements.flatMap((element) => attribute(element, 'id') ?? [])
  const ids = new Set(all)
  expect(ids.size).toBe(all.length)
  const unnamed: string[] = []
  for (const element of elements) {
    const named = (attribute(element, 'aria-labelledby') ?? '').split(' ').filter((id) => id !== '')
    const target = attribute(element, 'href')
    if (target?.startsWith('#overview-') === true) named.push(target.slice(1))
    unnamed.push(...named.filter((id) => !ids.has(id)))
  }
  expect(unnamed).toEqual([])
  let level = 1
  for (const { tagName } of elements.filter((one) => /^h\d$/.test(one.tagName))) {
    expect(Number(tagName.slice(1))).toBeLessThanOrEqual(level + 1)
    level = Number(tagName.slice(1))
  }
  const inner = (element: Element, name: string): Element[] =>
    elementsOf(element.childNodes).filter(({ tagName }) => tagName === name)
  for (const one of elements.filter(({ tagName }) => tagName === 'table')) {
    expect(inner(one, 'caption').map(textOf).join('').trim()).not.toBe('')
    expect(inner(one, 'th').every((cell) => ['col', 'row'].includes(attribute(cell, 'scope') ?? ''))).toBe(
      true,
    )
  }
  for (const one of elements.filter(({ tagName }) => tagName === 'svg')) {
    const isPicture = attribute(one, 'role') === 'img'
    const label = attribute(one, 'aria-label') ?? inner(one, 'title').map(textOf).join('')
    if (isPicture) expect(label.trim()).not.toBe('')
  }
}

function expectSound(page: SafeHtml): void {
  const elements = elementsOf(parsePage(page).childNodes)
  expectHarmless(page, elements)
  expectAccessible(elements)
}

describe('texts from elsewhere', () => {
  const texts = fc.array(hostileText(80), { minLength: 5, maxLength: 8 })

  test('do nothing in the overview of a run, however many', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (given, many) => {
        const { summary, details } = everythingHostile(given, many)
        const page = renderRunOverview(summary, details)
        expectSound(page)
      }),
      { numRuns: 40 },
    )
  })

  test('do nothing in the overview of a comparison, with any number of candidates', () => {
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 7 }),
        (given, many, candidates) => {
          const { comparison, details } = hostileComparison(given, many, candidates)
          const page = renderComparisonOverview(comparison, details)
          expectSound(page)
        },
      ),
      { numRuns: 25 },
    )
  })

  test('stand in the page as they came', () => {
    fc.assert(
      fc.property(hostileText(60), hostileText(200), (id, message) => {
        fc.pre(message.trim() !== '')
        const [link] = elementsOf(parsePage(questionLink(id, message)).childNodes)
        expect(link === undefined ? undefined : textOf(link)).toBe(parsed(shorten(message, 240)))
        const address = link === undefined ? '' : (attribute(link, 'href') ?? '')
        expect(decodeURIComponent(address.slice('#q='.length))).toBe(id.toWellFormed())
      }),
      { numRuns: 500 },
    )
  })

  test('of gaps and failures are found whole in the page', () => {
    fc.assert(
      fc.property(hostileText(80), hostileText(80), (message, words) => {
        fc.pre(message.trim() !== '')
        const details: SummaryDetails = {
          counts: makeCounts({ judged: 1, failed: 1, gaps: 1, clustered: 1 }),
          failures: [{ id: 'a', message, sentences: [words] }],
          wrong: [],
          errors: [],
          gaps: [{ name: words, weight: 1, questions: [{ id: 'g', message, weight: 1, tags: [] }] }],
          flaky: [],
          awaited: [],
        }
        const elements = elementsOf(
          parsePage(renderRunOverview(makeSummary([makeTurn()]), details)).childNodes,
        )
        const textsOf = (name: string, attr: string): string[] =>
          elements.filter((one) => one.tagName === name && attribute(one, 'dir') === attr).map(textOf)
        expect(textsOf('a', 'auto').filter((one) => one === parsed(message))).toHaveLength(2)
        expect(textsOf('b', 'auto')).toEqual([parsed(words)])
        expect(textsOf('li', 'auto')).toContain(parsed(words))
      }),
      { numRuns: 200 },
    )
  })
})

describe('an ordinary overview', () => {
  test('keeps the same laws', () => {
    const run = renderRunOverview(ordinaryNight.summary, ordinaryNight.details, ordinaryNight.extras)
    const comparison = renderComparisonOverview(fourRuns.comparison, fourRuns.details)
    for (const page of [run, comparison]) {
      expectSound(page)
    }
  })
})
