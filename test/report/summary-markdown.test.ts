// `summary.md`: reads as a comment on a pull request, fits into one, and nothing in it acts.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SummaryDetails } from '../../src/domain/summary.ts'
import { renderSummaryMarkdown } from '../../src/report/summary-markdown.ts'
import { hostileText } from '../support/hostile.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeCounts } from '../support/question-counts.ts'
import { makeSummary, noDetails } from '../support/summaries.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

const turns = [
  makeTurn({ question: makeQuestion('a', 'a', 1, { tags: ['access'] }) }),
  makeTurn({
    question: makeQuestion('b', 'b', 1, { tags: ['access'] }),
    result: makeReply('GENERAL_KNOWLEDGE'),
  }),
]
const summary = makeSummary(turns, {
  expectations: { rate: 9 / 16, passed: 9, failed: 7, none: 0, notGraded: 2 },
  thresholds: [
    { expression: 'coverage>=0.8', metric: 'coverage', value: 0.512345, passed: false, reason: 'below 0.8' },
    { expression: 'latency.p95<3s', metric: 'latency.p95', value: 1200, passed: true, reason: '' },
    {
      expression: 'passed[vpn]>=1',
      metric: 'passed',
      value: null,
      passed: false,
      reason: 'nothing to judge',
    },
  ],
})
const headings = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('#'))

const details: SummaryDetails = {
  ...noDetails,
  counts: makeCounts({ failed: 7, flaky: 1, gaps: 4, clustered: 4 }),
  failures: Array.from({ length: 7 }, (_, place) => ({
    id: `q${place}`,
    message: `Question ${place}?`,
    sentences: ['the answer does not contain "VPN"', 'it took 3.1 s, more than 3 s'],
  })),
  gaps: [
    {
      name: 'parking, badge',
      weight: 4,
      questions: ['p1', 'p2', 'p3', 'p4'].map((id) => ({ id, message: `About ${id}`, weight: 1, tags: [] })),
    },
  ],
  flaky: [
    {
      id: 'f1',
      asked: 3,
      answered: 3,
      passRate: 2 / 3,
      groundingRate: 1,
      passFlaky: true,
      groundFlaky: false,
      answersDiffer: true,
      agreement: 0.7,
    },
  ],
}

describe('the summary', () => {
  test('begins with the verdict, in words', () => {
    expect(renderSummaryMarkdown(summary, noDetails).split('\n')[0]).toBe(
      '## Passed: every turn was answered',
    )
    const failed = { ...summary, verdict: 'failed', reason: '2 of 9 <b>turns</b>' } as const
    expect(renderSummaryMarkdown(failed, noDetails).split('\n')[0]).toBe(
      '## Failed: 2 of 9 &lt;b&gt;turns&lt;/b&gt;',
    )
  })

  test('shows the figures first, coverage with its interval', () => {
    const [, , , , header, , first] = renderSummaryMarkdown(summary, noDetails).split('\n')
    expect(header).toBe('| figure | this run |')
    expect(first).toBe(
      '| **Coverage** | 50.0 %: 1 of 2 answers came from the knowledge base (95 % interval 9.5 % to 90.5 %); few questions, so the rate says little |',
    )
  })

  test('leaves out what the run does not have', () => {
    expect(headings(renderSummaryMarkdown(makeSummary([makeTurn()]), noDetails))).toEqual([
      '## Passed: every turn was answered',
    ])
  })

  test.each([
    [{}, '2 not graded (an error, or no context) |'],
    [{ notAsked: 3 }, '2 not graded (an error, or no context), 3 not asked |'],
    [{ notGraded: 0, notAsked: 3 }, '9 of 16 questions with expectations passed, 3 not asked |'],
    [
      { rate: null, passed: 0, failed: 0, notGraded: 0, notAsked: 3 },
      'n/a: nothing was graded, 3 not asked |',
    ],
  ])('tells questions that were not asked from those that could not be graded: %j', (some, words) => {
    const expectations = { ...summary.expectations, ...some }
    expect(renderSummaryMarkdown({ ...summary, expectations }, details)).toContain(words)
  })

  test('shows everything that the run has', () => {
    const text = renderSummaryMarkdown(summary, details)
    expect(headings(text)).toEqual([
      '## Passed: every turn was answered',
      '### Thresholds',
      '### Failed expectations (7)',
      '### Gaps in the knowledge base (1)',
      '### Flaky questions (1)',
      '### By tag',
    ])
    expect(text).toContain(
      '| **Expectations** | 56.3 %: 9 of 16 questions with expectations passed, 2 not graded (an error, or no context) |',
    )
    const stopped = { ...summary, turns: { ...summary.turns, notAsked: 2 } }
    expect(renderSummaryMarkdown(stopped, details)).toContain(
      '2 not graded (not asked, an error, or no context)',
    )
    expect(text).toContain('| coverage&gt;=0.8 | 0.5123 | **failed** | below 0.8 |')
    expect(text).toContain('| latency.p95&lt;3s | 1200 | passed |  |')
    expect(text).toContain(String.raw`| passed\[vpn\]&gt;=1 | n/a | **failed** | nothing to judge |`)
    expect(text).toContain(
      '- **parking, badge** (4 questions)\n  - p1: About p1\n  - p2: About p2\n  - p3: About p3\n  - and 1 more\n',
    )
    expect(text).toContain(
      '- **f1** passed 66.7 %, from the knowledge base 100.0 %, its answers agree by 70.0 % (asked 3 times, 3 answered)',
    )
  })

  test('folds away what is long, so that GitHub reads the Markdown in it', () => {
    const text = renderSummaryMarkdown(summary, details)
    expect(text).toContain('\n\n<details>\n<summary>2 more</summary>\n\n- **q5** Question 5?\n  - the answer')
    expect(text.match(/<details>/g)).toHaveLength(1)
    expect(text.match(/<\/details>/g)).toHaveLength(1)
  })

  test('says how many there are when not all are listed', () => {
    const text = renderSummaryMarkdown(summary, { ...details, counts: makeCounts({ failed: 100 }) })
    expect(text).toContain('### Failed expectations (100)')
    expect(text).toContain('<summary>95 more</summary>')
    expect(text).toContain('- and 93 more: see results.csv')
  })
})

describe('a run with more than a comment takes', () => {
  const long = '<'.repeat(300)
  const names = Array.from({ length: 300 }, (_, place) => `${long}${place}`)
  const tagged = names.map((tag) =>
    makeTurn({ question: makeQuestion('q', 't', 1, { tags: [tag] }), outcome: 'timeout', result: undefined }),
  )
  const text = renderSummaryMarkdown(
    makeSummary(tagged, {
      warnings: names,
      thresholds: names.map((expression) => ({
        expression,
        metric: long,
        value: 1,
        passed: true,
        reason: long,
      })),
    }),
    {
      ...noDetails,
      counts: makeCounts({ failed: 300, errors: 300, gaps: 300, clustered: 300 }),
      failures: names.map((id) => ({ id, message: id, sentences: [id] })),
      errors: names.map((id) => ({ id, message: id, what: id })),
      gaps: names.map((name) => ({ name, weight: 1, questions: [] })),
    },
  )

  test('keeps within it, and says where the rest stands', () => {
    expect(text.length).toBeLessThanOrEqual(60_000)
    expect(text.length).toBeGreaterThan(40_000)
    expect(text.includes('More than fits here stands in summary.json and results.csv.')).toBe(true)
  })
})

describe('text from elsewhere', () => {
  const hostile = hostileText(100)

  test('neither breaks out nor makes the comment too long', () => {
    fc.assert(
      fc.property(
        fc.array(hostile, { minLength: 8, maxLength: 8 }),
        fc.integer({ min: 1, max: 300 }),
        (texts, many) => {
          const at = (place: number): string => texts[place % texts.length] ?? ''
          const list = <T>(make: (place: number) => T): T[] =>
            Array.from({ length: many }, (_, place) => make(place))
          const tagged = list((place) =>
            makeTurn({
              question: makeQuestion('q', 't', 1, { tags: [`${at(place)}${place}`] }),
              result: makeReply(at(place)),
            }),
          )
          const text = renderSummaryMarkdown(
            makeSummary(tagged, {
              warnings: list(at),
              thresholds: list((place) => ({
                expression: at(place),
                metric: at(place),
                value: place,
                passed: false,
                reason: at(place),
              })),
            }),
            {
              ...noDetails,
              failures: list((place) => ({ id: at(place), message: at(place), sentences: list(at) })),
              errors: list((place) => ({ id: at(place), message: at(place + 1), what: at(place + 2) })),
              gaps: list((place) => ({
                name: at(place),
                weight: 1,
                questions: list((one) => ({ id: at(one), message: at(one), weight: 1, tags: [] })),
              })),
            },
          )
          expect(text.length).toBeLessThanOrEqual(60_000)
          // What is left of tags is ours, whole, and on lines of its own.
          const elements = text.match(/<[^>]*>/g) ?? []
          const ours = ['<details>', '</details>', '<summary>', '</summary>', '<sub>', '</sub>']
          expect(elements.filter((one) => !ours.includes(one))).toEqual([])
          const count = (one: string): number => elements.filter((element) => element === one).length
          expect(count('<details>')).toBe(count('</details>'))
          expect(text).not.toMatch(/@|&#64;(?!&#8203;)|(?<!&)#\d|https?:|www\./)
          // oxlint-disable-next-line no-control-regex
          expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
          for (const row of text.split('\n').filter((line) => line.startsWith('|')))
            expect([2, 4, 8]).toContain(row.replaceAll(/\\./g, '').split('|').length - 2)
          expect(
            headings(text).filter(
              (line) =>
                !/^(## (Passed|Failed|Incomplete): .*|### (Thresholds|By tag|[A-Z][a-z ]+ \(\d+\)))$/.test(
                  line,
                ),
            ),
          ).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  })
})
