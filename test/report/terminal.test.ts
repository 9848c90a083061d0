// Protects the screen's 80 columns: what does not fit is left out or cut where it hurts least, never a figure.
import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { doubtfulList, matchBlocks, misfitList } from '../../src/report/article-blocks.ts'
import type { Block, Document, Figure } from '../../src/report/document.ts'
import { shorten } from '../../src/report/escape.ts'
import { runDocument, type RunReport } from '../../src/report/run-document.ts'
import { renderTerminal } from '../../src/report/terminal.ts'

const documentOf = (...blocks: Block[]): Document => ({
  title: ['set.csv'],
  facts: '',
  at: null,
  verdict: { tone: 'good', word: 'Done', reason: '' },
  sections: [{ id: 'overview', title: 'Overview', blocks }],
})
const linesOf = (...blocks: Block[]): string[] => renderTerminal(documentOf(...blocks))

test('articles are named by title, and an unsupported value is said once', () => {
  const question = { id: 'q', message: 'How late may I swap?' }
  const misfit = { ...question, source: 'rota', article: 'gone' }
  const summary = { articles: { misfits: { count: 1, items: [misfit] } } }
  const instead = { article: 'rota', title: 'Duty rota', section: '', url: null, text: '72 hours' }
  const fact = { text: '48 hours', sentence: 'Up to 48 hours before.', instead, at: null }
  const details = {
    articles: [{ article: 'rota', title: 'Duty rota' }],
    doubtful: { count: 1, items: [{ ...question, facts: [fact] }] },
  }
  const [first, second] = [summary, details] as unknown as Parameters<typeof misfitList>
  expect(linesOf(misfitList(first, second), doubtfulList(second))).toEqual(
    expect.arrayContaining([
      '  How late may I swap?  likely from Duty rota, nearer to gone',
      '  48 hours · How late may I swap?  Up to 48 hours before. · Duty rota says 72 h…',
    ]),
  )
})

describe('a figure with its interval', () => {
  const change = { value: '↑ +1.7 points', tone: 'good' } as const
  const figure = (label: string, of: string): Figure => ({
    label,
    value: '77.5 %',
    of,
    bar: { rate: 0.775 },
    change,
    note: '69.2–84.1 %',
  })

  test('has a bar where there is room for one', () => {
    const lines = linesOf({ kind: 'figures', figures: [figure('Grounded', '93/120')] })
    expect(lines.join('\n')).toMatch(/Grounded +77\.5 % +93\/120 +█+░+ +↑ \+1\.7 points +69\.2–84\.1 %$/m)
  })

  test('is never cut: where there is no room, the bar is left out', () => {
    const figures = [figure('Grounded', '93/120'), figure('Grounded demand', '48,180/62,172')]
    const lines = linesOf({ kind: 'figures', figures })
    expect(lines.join('\n')).toMatch(
      /Grounded demand +77\.5 % +48,180\/62,172 +↑ \+1\.7 points +69\.2–84\.1 %$/m,
    )
    expect(lines.join('\n')).not.toContain('█')
  })
})

describe('the heading of a list', () => {
  const items = Array.from({ length: 12 }, (_, index) => ({ text: `Article ${index}` }))

  test('keeps its count: its words are cut', () => {
    const title = 'Articles that none of all the many questions of this long set of questions ever reaches'
    expect(linesOf({ kind: 'list', title, items })).toContain(`  ${shorten(title, 73)} (12)`)
  })

  test('of validate with articles fits beside its counts', () => {
    const heading = linesOf(
      ...matchBlocks({
        read: 63,
        counts: { 'not-used': 1075, 'no-article': 103, unclear: 1042 },
        without: [{ message: 'Where?', line: 2, file: 'set.csv', nearest: null }],
        unreached: items.map(({ text }) => ({ id: text, title: text })),
      } as never),
    ).join('\n')
    expect(heading).toContain('Questions that no article seems to answer (103 of 2,220; 1,042 unclear)')
    expect(heading).toContain('Articles no question reaches (12)')
  })
})

describe('a number is never cut', () => {
  const long = 'How do I hand in the form of the northern subsidiary before the end of the month?'

  test('behind a long text: the text is', () => {
    const items = [{ text: [{ untrusted: long }, ' · passed 66.7 % · grounded 33.3 %'] }]
    const screen = linesOf({ kind: 'list', title: 'Flaky questions', items }).join('\n')
    expect(screen).toMatch(/^ {2}How do I hand in the form .*… · passed 66\.7 % · grounded 33\.3 %$/m)
  })

  test('in the note of a figure: the note goes on in the next line', () => {
    const note = '1,234/12,345 got 429 · limit 5/s · 1.5 % of the quota'
    const lines = linesOf({ kind: 'figures', figures: [{ label: 'Calls counted', value: '12,345', note }] })
    expect(lines.slice(3, 5)).toEqual([
      '  Calls counted  12,345     1,234/12,345 got 429 · limit 5/s · 1.5 % of the',
      '                            quota',
    ])
  })

  test('beside columns of words, which are cut, or in a table that is too wide, which has fewer columns', () => {
    const numbers = Array.from({ length: 5 }, () => '246,912 to 370,368')
    const table = (cells: string[]) =>
      linesOf({ kind: 'table', title: 'Totals', columns: cells.map(() => ''), rows: [{ cells }] }).join('\n')
    expect(table([long, ...numbers.slice(3)])).toMatch(/^ {2}How do I h.*…(?: {2}246,912 to 370,368){2}$/m)
    expect(table([long, ...numbers])).toMatch(/^ {2}How do I h.*…(?: {2}246,912 to 370,368){3}$/m)
  })

  test.each([
    ['took 12,345 ms', 8, 'took …'],
    ['took 12,345 ms', 12, 'took …'],
    ['in 1966, they say', 6, 'in …'],
  ])('%j in %i columns is %j', (text, columns, expected) => {
    expect(shorten(text, columns)).toBe(expected)
  })
})

test('what is left of a list stands where the caller says', () => {
  const items = Array.from({ length: 12 }, (_, index) => ({ text: `Question ${index}` }))
  const document = documentOf({ kind: 'list', title: 'Joined', items })
  expect(renderTerminal(document, { footer: ['drafted.csv'], rest: 'with --json' }).join('\n')).toMatch(
    /more with --json$/m,
  )
})

describe('a run with everything at once', () => {
  const many = <T>(count: number, of: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => of(index))
  /** Names and texts of any length, in narrow and wide letters. */
  const anyName = fc.constantFrom(
    'vpn',
    'How do I set up the VPN?',
    'benefits-and-payroll-of-the-northern-subsidiary',
    'Which of all the forms do I need to hand in before the end of August if I moved to another country, and to whom?',
    '会議室の予約方法を教えてください。二階の部屋は何時まで使えますか。予約は必要ですか。',
  )
  const anyRun = fc.record({
    names: fc.array(anyName, { minLength: 1, maxLength: 5 }),
    /** Of everything. */
    count: fc.constantFrom(1, 12, 1234, 123_456),
    notes: fc.nat(4),
    reason: fc.constantFrom(
      'errors: 12',
      many(9, (index) => `coverage[tag ${index}] is 33.33%, required >= 80%`).join('; '),
    ),
    hasArticles: fc.boolean(),
    isWeighted: fc.boolean(),
    hasBaseline: fc.boolean(),
    hasErrors: fc.boolean(),
    footer: fc.constantFrom(['report.html'], ['reports/nightly/report.html', 'reports/nightly/results.xlsx']),
  })

  function reportOf(run: typeof anyRun extends fc.Arbitrary<infer T> ? T : never): RunReport {
    const { names, count, notes, reason, hasArticles, isWeighted, hasBaseline, hasErrors } = run
    const name = (index: number): string => names[index % names.length] ?? ''
    const question = (index: number) => ({ id: `q-${index}`, message: name(index) })
    const share = { rate: 0.6123, grounded: count, answered: 2 * count, low: 0.5012, high: 0.7123 }
    const coverage = { ...share, cluster: null, ...(isWeighted && { weighted: share }) }
    const latency = { p50: 1234, p90: 4321, p95: 12_345, p99: 65_432, max: 99_999, mean: 2345, count }
    const figures = {
      turns: { total: 2 * count, answered: 2 * count, notSent: 0, contextLost: 1 },
      coverage,
      errors: hasErrors
        ? {
            rate: 0.01,
            errors: count,
            sent: 2 * count,
            byOutcome: { server_error: count, timeout: 12, rate_limited: 7 },
          }
        : { rate: 0, errors: 0, sent: 2 * count, byOutcome: {} },
      expectations: { rate: 0.5, passed: count, failed: count, none: 0, notGraded: 3 },
      latencyMs: latency,
      failureLatencyMs: latency,
      waitMs: latency,
      quota: {
        attempts: 3 * count,
        certain: count,
        possible: 1,
        notCounted: 2,
        min: 2 * count,
        max: 3 * count,
        shareOfQuota: 0.0154,
      },
    }
    const failures = {
      items: many(5, (index) => ({
        question: question(index),
        kind: 'failed',
        sentences: [`took ${count} ms, allowed 1 ms`, 'was MODEL'],
        rank: 'other',
      })),
      failed: count,
      errored: hasErrors ? count : 0,
      known: 1,
    }
    const change = {
      ...question(1),
      kinds: ['factsChanged'],
      baseline: { source: 'A', failures: [] },
      candidate: { source: 'A', failures: [] },
      factsLost: [{ kind: 'number', text: '20 minutes' }],
      factsGained: [{ kind: 'number', text: '30 minutes' }],
    }
    const moved = { baseline: 0.5, candidate: 0.6, difference: { estimate: -0.1234, low: -0.2, high: -0.01 } }
    const summary = {
      run: {
        datasets: [{ path: `${name(0)}.csv` }, { path: 'b.csv' }],
        target: name(1),
        origin: 'https://desk.example.com',
        startedAt: '2026-01-01T00:00:00Z',
        endedAt: '2026-01-01T01:00:00Z',
        sessions: 1,
        groundedSources: ['KB'],
        quota: { calls: 1000, period: 'month' },
      },
      verdict: 'failed',
      reason,
      ...figures,
      pacing: {
        rate429: 0.1,
        rateLimited: count,
        limit: { kind: 'token-bucket', ratePerSecond: 5, burst: 20 },
        changes: [],
        calls: null,
      },
      tags: Object.fromEntries(many(9, (index) => [`${name(index)} ${'abcdefghi'[index]}`, figures])),
      gates: [
        { name: 'errors', passed: false, reason: { text: 'errors: 12' } },
        { name: 'status', passed: false, reason: { text: 'x' } },
      ],
      flaky: many(3, (index) => ({
        ...question(index),
        answered: 3,
        passRate: 0.6666,
        groundingRate: 0.3333,
      })),
      confirmations: many(3, (index) => ({
        ...question(index),
        answers: 3,
        failed: 2,
        ungrounded: 0,
        confirmed: index > 0,
      })),
      contextSource: {},
      status: {},
      reviews: { good: count, acceptable: 1, poor: 2, changed: 3, new: 4 },
      warnings: many(notes, (index) => ({
        text: `Questions answered without the context of their conversation: ${count + index}. ${'They are left out of coverage and expectations. '.repeat(index)}`,
      })),
      ...(hasArticles && {
        articles: {
          causes: { 'not-used': count, 'no-article': count, unclear: count },
          line: { tried: 626, decided: 0.36, wrong: 0.13, by: 'shipped' },
          read: 52,
          unreached: 3,
          sources: count,
          decided: 0,
          contradictions: [],
          misfits: {
            count,
            items: many(5, (index) => ({ ...question(index), source: name(index), article: name(2) })),
          },
        },
        unsupported: { answers: count, checked: 2 * count, elsewhere: 3 },
      }),
    }
    const cause = (index: number) => (['not-used', 'no-article', 'unclear'] as const)[index % 3]
    const details = {
      threads: count,
      gaps: {
        count: 3 * count,
        items: many(5, (index) => ({
          name: name(index),
          weight: 12.5,
          questions: many(index + 1, question),
          ...(hasArticles && { cause: cause(index), article: { article: 'a', title: name(index) } }),
        })),
      },
      awaited: [{ ...question(1), before: 'good', note: 'n' }],
      doubtful: hasArticles
        ? {
            count,
            items: many(5, (index) => ({
              ...question(index),
              facts: [
                {
                  kind: 'unsupported',
                  text: '20 minutes',
                  sentence: name(3),
                  instead: { text: '30 minutes', title: name(2), section: '' },
                  at: null,
                },
              ],
            })),
          }
        : { count: 0, items: [] },
      articles: null,
    }
    const baseline = {
      name: name(2),
      summary,
      candidate: summary,
      compared: {
        counts: { factsChanged: count, passToFail: count, groundingLost: count },
        changes: [change, change, change],
        overlap: { edited: count },
        grounding: moved,
        verdicts: moved,
        latency: { p50: moved, p95: moved },
        availability: moved,
        quota: {
          baseline: { min: 1, max: 1, shareOfQuota: null },
          candidate: { min: 1, max: 1, shareOfQuota: null },
        },
        notes: [],
        edited: [],
        added: [],
        removed: [],
      },
    }
    return {
      summary,
      details,
      failures,
      ...(hasBaseline && { baseline }),
      resume: null,
    } as unknown as RunReport
  }

  test('fits 80 columns and 30 lines; grounded, gaps, facts and the quota stand on it, and no number is cut', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const lines = renderTerminal(runDocument(reportOf(run)), { footer: run.footer })
        const screen = lines.join('\n')
        expect(lines.length, screen).toBeLessThanOrEqual(30)
        for (const line of lines) expect(stringWidth(line), screen).toBeLessThanOrEqual(80)
        expect(screen).toMatch(/^ {2}Grounded +61\.2 %/m)
        expect(screen).toMatch(/1\.5 %\s+of\s+the\s+quota/)
        expect(screen).toMatch(/Gaps( by topic)? \([\d,]+ question/)
        if (run.hasArticles) expect(screen).toMatch(/Unsupported facts \([\d,]+\)\n {2}20 minutes/)
        expect(screen).not.toMatch(/\d…/)
      }),
      { numRuns: 30 },
    )
  })
})
