// A load test as people and collectors read it: screen, live lines, Markdown, Prometheus; the page in full.
import { describe, expect, test } from 'vitest'
import type { LoadReport, LoadSnapshot } from '../../src/domain/load.ts'
import { renderLoadLine, renderLoadLive } from '../../src/report/load-live.ts'
import { renderLoadMarkdown } from '../../src/report/load-markdown.ts'
import { renderLoadPrometheus } from '../../src/report/load-prometheus.ts'
import { renderLoadScreen, renderLoadVerdict } from '../../src/report/load-screen.ts'
import { headlineSentence } from '../../src/report/load-words.ts'
import { renderLoadOverview } from '../../src/report/page/load/overview.ts'
import { outlineOf } from '../support/page.ts'
import * as examples from './example-loads.ts'

/** Each is made once. */
const [ramp, even, slow, nothing] = await Promise.all(
  [examples.rampIntoALimit, examples.evenRate, examples.slowGenerator, examples.nothingDue].map(
    async (example) => examples.exampleReport(example),
  ),
)
if (ramp === undefined || even === undefined || slow === undefined || nothing === undefined)
  throw new Error('four were made')

const EXAMPLES = [
  ['ramp', ramp],
  ['even-rate', even],
  ['slow-generator', slow],
  ['nothing-due', nothing],
] as const

describe.each(EXAMPLES)('%s', (name, report) => {
  test('on the screen', async () => {
    const text = `${renderLoadScreen(report)}\n\n${renderLoadVerdict(report)}\n`
    await expect(text).toMatchFileSnapshot(`golden/load-${name}.screen.txt`)
  })

  test('in the page', async () => {
    const text = outlineOf(renderLoadOverview(report))
    await expect(text).toMatchFileSnapshot(`golden/load-${name}.page.txt`)
  })
})

test('in Markdown', async () => {
  const text = renderLoadMarkdown(ramp)
  await expect(text).toMatchFileSnapshot('golden/load-ramp.markdown.txt')
})

test('the first sentence says what was offered, and what came of it', () => {
  expect(headlineSentence(even)).toBe('Offered 20 threads a second; p95 response time 910 ms.')
  expect(headlineSentence({ ...even, turns: { ...even.turns, answered: 0 } })).toContain(
    '; no turn was answered;',
  )
  expect(
    headlineSentence({
      ...nothing,
      offered: { threads: 0, rate: null },
      dropped: { threads: 0, rate: null },
    }),
  ).toBe('Offered 5 users, each in a loop; the test ended before a thread was due.')
})

test('waiting is named by its cause', () => {
  const waitMs = { ...even.waitMs, max: 900, p99: 800 }
  expect(renderLoadScreen({ ...even, waitMs })).toMatch(/waiting .* for room under --max-in-flight(?:\n|$)/)
})

describe('as it goes', () => {
  const snapshot: LoadSnapshot = {
    elapsedMs: 65_000,
    plannedMs: 3_600_000,
    offeredRate: 20,
    threadRate: 19.62,
    callRate: 27.4,
    inFlight: 12,
    p50: 420,
    p95: 1310,
    calls: 1804,
    refused: 36,
    dropped: 3,
    answered: 1750,
    errors: 1,
    coverage: 0.81,
  }

  test('says of what time its figures are: now, the last seconds, since the start; each in 80 columns', () => {
    expect(renderLoadLive(snapshot, 80)).toEqual([
      '1:05 of 1:00:00  offered 20/s  in flight 12',
      'last seconds: started 19.6/s  calls 27.4/s  p50 420 ms  p95 1.3 s',
      'so far: 429s 36 (2.0 %)  failed 1  dropped 3  answered 1,750  grounded 81.0 %',
    ])
    for (const line of renderLoadLive(snapshot, 40)) expect(line.length).toBeLessThanOrEqual(40)
  })

  test('takes one line elsewhere, and says what it does not know', () => {
    const none = { offeredRate: null, threadRate: null, callRate: null, p50: null, p95: null, coverage: null }
    expect(renderLoadLine({ ...snapshot, ...none })).toBe(
      '1:05 of 1:00:00, in flight 12; last seconds: started n/a/s, calls n/a/s, p50 n/a, ' +
        'p95 n/a; so far: 429s 36 (2.0 %), failed 1, dropped 3, answered 1,750, grounded n/a',
    )
  })

  test.each([
    [4000, 12, '0:04 of 0:04  in flight 12'],
    [33_000, 12, '0:04 + 0:29 waiting for 12 answers'],
    [33_000, 1, '0:04 + 0:29 waiting for 1 answer'],
    [4600, 0, '0:04 + 0:00 the last threads go on'],
    [3_700_000, 200, '0:04 + 1:01:36 waiting for 200 answers'],
  ])('after the planned time says how long it has waited since: %i ms', (elapsedMs, inFlight, said) => {
    const late = { ...snapshot, elapsedMs, plannedMs: 4000, offeredRate: null, inFlight }
    expect(renderLoadLive(late, 80)[0]).toBe(said)
  })
})

describe('for Prometheus', () => {
  // Exposition formats, text format 0.0.4: comment lines, then samples of the metric they announce.
  const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
  const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"`
  const VALUE = String.raw`(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)`
  const HELP = new RegExp(String.raw`^# HELP (${NAME}) (?:[^\\\n]|\\\\|\\n)*$`)
  const TYPE = new RegExp(`^# TYPE (${NAME}) (?:counter|gauge|histogram|summary|untyped)$`)
  const SAMPLE = new RegExp(String.raw`^(${NAME})(?:\{(?:${LABEL}(?:,${LABEL})*)?\})? ${VALUE}$`)

  function check(text: string): string[] {
    expect(text.endsWith('\n')).toBe(true)
    const lines = text.slice(0, -1).split('\n')
    const seen = new Set<string>()
    const samples = new Set<string>()
    let [metric, type] = ['', '']
    for (const line of lines) {
      if (line.startsWith('# HELP')) {
        metric = HELP.exec(line)?.[1] ?? `not HELP: ${line}`
        expect(seen, 'all lines of a metric stand together').not.toContain(metric)
        seen.add(metric)
      } else if (line.startsWith('#')) {
        expect(TYPE.exec(line)?.[1], line).toBe(metric)
        type = line.slice(line.lastIndexOf(' ') + 1)
      } else {
        const name = SAMPLE.exec(line)?.[1] ?? `not a sample: ${line}`
        const suffixes = type === 'summary' ? ['', '_sum', '_count'] : ['']
        expect(suffixes.map((suffix) => metric + suffix)).toContain(name)
        const series = line.slice(0, line.lastIndexOf(' '))
        expect(samples, 'each series once').not.toContain(series)
        samples.add(series)
      }
    }
    return lines
  }

  test.each(EXAMPLES)('%s keeps to the format', (_, report) => {
    const lines = check(renderLoadPrometheus(report))
    expect(lines.length).toBeGreaterThan(20)
  })

  test('figures are those of the report, in seconds', () => {
    const report = ramp
    const lines = check(renderLoadPrometheus(report))
    const valueOf = (series: string): number =>
      Number(
        lines
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')
          .at(-1),
      )
    const labels = 'target="staging",organization="acme"'
    expect(valueOf(`assist_load_response_seconds{${labels},quantile="0.95"}`)).toBeCloseTo(
      (report.responseMs.p95 ?? 0) / 1000,
      6,
    )
    expect(valueOf(`assist_load_response_seconds_count{${labels}}`)).toBe(report.responseMs.count)
    expect(valueOf(`assist_load_dropped_threads{${labels}}`)).toBe(18)
    expect(valueOf(`assist_load_turns{${labels},outcome="rate_limited"}`)).toBe(97)
  })

  test('values of the endpoint cannot break out of their labels', () => {
    const hostile = { 'a"} 1\nevil 2': 3, 'back\\slash\\': 4, '\ud800': 5, 'é🙂': 6 }
    const lines = check(renderLoadPrometheus({ ...even, contextSource: hostile }))
    expect(lines.filter((line) => line.startsWith('assist_load_answers{'))).toHaveLength(4)
    expect(lines.some((line) => line.startsWith('evil'))).toBe(false)
  })
})

const ESCAPE = '\u001b'

test('values of the endpoint are shown and do nothing, in any report', () => {
  const source = '<img src=x onerror=alert(1)>\u001b[31m|`\n::error::'
  const hostile: LoadReport = {
    ...even,
    contextSource: { [source]: 9 },
    warnings: [source],
    reason: source,
  }
  for (const text of [renderLoadOverview(hostile).toString(), renderLoadMarkdown(hostile)])
    for (const bad of ['<img', ESCAPE]) expect(text).not.toContain(bad)
  expect(renderLoadScreen(hostile)).not.toContain(ESCAPE)
  expect(renderLoadScreen(hostile)).not.toMatch(/^::/m)
  expect(renderLoadVerdict(hostile)).not.toContain(ESCAPE)
})
