// A load test as people and collectors read it: screen, live lines, Markdown, Prometheus; the page in full.
import { describe, expect, test } from 'vitest'
import type { LoadReport, LoadSnapshot } from '../../src/domain/load.ts'
import { message } from '../../src/domain/messages.ts'
import { headlineSentence } from '../../src/report/load-account.ts'
import { renderLoadLine, renderLoadLive } from '../../src/report/load-live.ts'
import { renderLoadMarkdown } from '../../src/report/load-markdown.ts'
import { renderLoadPrometheus } from '../../src/report/load-prometheus.ts'
import { renderLoadScreen, renderLoadVerdict } from '../../src/report/load-screen.ts'
import { renderLoadOverview } from '../../src/report/page/load/overview.ts'
import { outlineOf } from '../support/page.ts'
import * as examples from './example-loads.ts'

const [ramp, even, nothing] = [examples.rampIntoALimit, examples.evenRate, examples.nothingDue].map(
  (example) => examples.exampleReport(example),
) as [LoadReport, LoadReport, LoadReport]

test.each([
  ['ramp.screen', `${renderLoadScreen(ramp)}\n\n${renderLoadVerdict(ramp)}\n`],
  ['nothing-due.screen', `${renderLoadScreen(nothing)}\n\n${renderLoadVerdict(nothing)}\n`],
  ['ramp.markdown', renderLoadMarkdown(ramp)],
  // Of the tables over time a row a minute.
  ['ramp.page', outlineOf(renderLoadOverview(ramp)).replaceAll(/^\| 12:\d\d:(?!00).*\n/gm, '')],
])('%s', async (name, text) => {
  await expect(text).toMatchFileSnapshot(`golden/load-${name}.txt`)
})

test.each([
  [even, 'Offered 20 threads a second; p95 response time 910 ms.'],
  [nothing, 'Offered 5 users, each in a loop.'],
])('the first sentence says what was offered, and what came of it', (report, sentence) => {
  expect(headlineSentence(report)).toBe(sentence)
})

describe('as it goes', () => {
  const snapshot: LoadSnapshot = {
    elapsedMs: 65_000,
    plannedMs: 3_600_000,
    callRate: 27.4,
    inFlight: 12,
    calls: 1804,
    refused: 36,
    dropped: 3,
    answered: 1750,
    errors: 1,
    coverage: 0.81,
  }

  test('in two lines on a terminal, in one elsewhere', () => {
    expect(renderLoadLive(snapshot, 80)).toEqual([
      '1:05 of 1:00:00  in flight 12  calls 27.4/s',
      '429s 36/1,804  failed 1  dropped 3  answered 1,750  grounded 81.0 %',
    ])
    for (const line of renderLoadLive(snapshot, 40)) expect(line.length).toBeLessThanOrEqual(40)
    expect(renderLoadLine({ ...snapshot, callRate: null, coverage: null })).toBe(
      '1:05 of 1:00:00, in flight 12, calls n/a/s, 429s 36/1,804, failed 1, dropped 3, answered 1,750, grounded n/a',
    )
  })

  test.each([
    [4000, '0:04 of 0:04'],
    [33_000, '0:04 + 0:29'],
    [3_700_000, '0:04 + 1:01:36'],
  ])('after the planned time it says how long threads have gone on: %i ms', (elapsedMs, said) => {
    expect(renderLoadLive({ ...snapshot, elapsedMs, plannedMs: 4000 }, 80)[0]?.split('  ')[0]).toBe(said)
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

  test.each([ramp, even, nothing])('keeps to the format', (report) => {
    expect(check(renderLoadPrometheus(report)).length).toBeGreaterThan(20)
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
    warnings: [message('noted', { text: source })],
    reason: source,
  }
  for (const text of [renderLoadOverview(hostile).toString(), renderLoadMarkdown(hostile)])
    for (const bad of ['<img', ESCAPE]) expect(text).not.toContain(bad)
  expect(renderLoadScreen(hostile)).not.toContain(ESCAPE)
  expect(renderLoadScreen(hostile)).not.toMatch(/^::/m)
  expect(renderLoadVerdict(hostile)).not.toContain(ESCAPE)
})
