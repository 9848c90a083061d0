// Protects `--metrics`: what a scrape shows while a run lasts, and that run.prom and load.prom hold the same names.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { load, run, type RunEvent } from '../../src/library/index.ts'
import { answerJson, type Behaviour, goodReply, openEndpoint } from '../support/endpoint.ts'
import { KEY_ENV, projectRoot } from '../support/program.ts'
import { temporaryPaths } from '../support/temporary.ts'

const pathOf = temporaryPaths()
const SOURCES = ['KNOWLEDGE_BASE', 'a "model"\\\n\0']

/** Values by name and labels, as `turns_total{outcome="answered"}`, without the labels of every sample. */
function samplesOf(text: string): Map<string, number> {
  const samples = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, name = '', labels = '', value] =
      /^assist_harness_(\w+)(?:\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)$/.exec(line) ?? []
    expect(name, line).not.toBe('')
    const own = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].filter(
      ([, label = '']) => !['target', 'organization', 'run'].includes(label),
    )
    samples.set(own.length === 0 ? name : `${name}{${own.map(([whole]) => whole).join()}}`, Number(value))
  }
  return samples
}

/** So many questions, and an endpoint for them whose answers come from two sources in turn. */
async function open(questions: number, behave: Behaviour = () => false) {
  const folder = pathOf()
  mkdirSync(folder)
  const set = join(folder, 'set.csv')
  const rows = Array.from({ length: questions }, (_, index) => `Question ${index}?\n`)
  writeFileSync(set, `message\n${rows.join('')}`)
  const endpoint = await openEndpoint((call) =>
    behave(call) === true
      ? true
      : answerJson(call, 200, { ...goodReply(call), contextSource: SOURCES[call.number % 2] }),
  )
  const apiKey = KEY_ENV.ASSIST_API_KEY
  return { endpoint, options: { datasets: [set], baseUrl: endpoint.url, apiKey, out: join(folder, 'run') } }
}

test('a scrape counts calls and answers, and shows a pause; run.prom holds the end under the same names', async () => {
  const { options } = await open(30, (call) => {
    if (call.number === 11) return answerJson(call, 429, {}, { 'retry-after': '1' })
    return call.number === 21 && answerJson(call, 500, {})
  })
  let url = ''
  const scrapes: Promise<string>[] = []
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'note') url ||= /http:\S+/.exec(event.text)?.[0] ?? ''
    if (event.kind === 'pace' && event.pausedUntil !== null)
      scrapes.push(fetch(url).then(async (answer) => answer.text()))
  }
  const { summary } = await run({
    ...options,
    concurrency: 1,
    rate: '50/s',
    maxCalls: 100,
    onAmbiguous: 'fail',
    metrics: '0',
    onEvent,
  })
  expect(scrapes.length).toBeGreaterThan(0)
  const during = samplesOf((await scrapes[0]) ?? '')
  expect(during.get('pause_seconds')).toBeGreaterThan(0)
  expect(during.get('calls_total{result="rate_limited"}')).toBe(1)
  expect(during.get('turns_left')).toBe(20)
  expect(during.get('budget_calls_left')).toBe(89)
  await expect(fetch(url)).rejects.toThrow('fetch failed')

  const text = readFileSync(join(options.out, 'run.prom'), 'utf8')
  const after = samplesOf(text)
  expect(text).not.toContain(KEY_ENV.ASSIST_API_KEY)
  expect(text).not.toContain('Question 1')
  const names = (some: Map<string, number>): string[] =>
    [...some.keys()].map((key) => key.split('{')[0] ?? '')
  expect(names(after)).toEqual(
    expect.arrayContaining(names(during).filter((name) => name !== 'budget_calls_left')),
  )
  expect(Object.fromEntries(after)).toMatchObject({
    'calls_total{result="answered"}': 29,
    'calls_total{result="rate_limited"}': 1,
    'calls_total{result="server_error"}': 1,
    'turns_total{outcome="answered"}': 29,
    'turns_total{outcome="server_error"}': 1,
    'answers_total{context_source="KNOWLEDGE_BASE"}': summary.coverage.grounded,
    [String.raw`answers_total{context_source="a \"model\"\\\n[U+0000]"}`]: 29 - summary.coverage.grounded,
    service_seconds_count: 29,
    calls_in_flight: 0,
    turns_left: 0,
    exit_code: summary.exitCode,
    quota_calls_max: summary.quota.max,
    coverage_ratio: summary.coverage.rate,
  })
})

test('load.prom has the figures of the test under the same names', async () => {
  const { options } = await open(5)
  const offered = { arrivalRate: '20/s', duration: '1s', metrics: '127.0.0.1:0' }
  const { report } = (await load({ ...options, ...offered })) as Extract<
    Awaited<ReturnType<typeof load>>,
    { kind: 'load' }
  >
  const samples = samplesOf(readFileSync(join(options.out, 'load.prom'), 'utf8'))
  expect(samples.get('turns_total{outcome="answered"}')).toBe(report.turns.answered)
  expect(samples.get('offered_conversations')).toBe(report.offered.threads)
  expect(samples.get('response_quantile_seconds{quantile="0.95"}')).toBeCloseTo(
    (report.responseMs.p95 ?? 0) / 1000,
  )
})

test('the files of several runs of a set can lie in one folder of the textfile collector', async () => {
  const { options } = await open(3)
  const texts: string[] = []
  for (const night of ['monday', 'tuesday', 'load']) {
    const folder = join(options.out, '..', night)
    if (night === 'load') await load({ ...options, arrivalRate: '20/s', duration: '100ms', out: folder })
    else await run({ ...options, out: folder })
    texts.push(readFileSync(join(folder, `${night === 'load' ? 'load' : 'run'}.prom`), 'utf8'))
  }
  const lines = texts.flatMap((text) => text.split('\n').filter((line) => line !== ''))
  const samples = lines.filter((line) => !line.startsWith('#')).map((line) => line.replace(/ \S+$/, ''))
  expect(new Set(samples).size).toBe(samples.length)
  expect(samples.filter((sample) => !sample.includes('run="'))).toEqual([])
  // The collector rejects a name with two descriptions or types.
  const described = new Set(lines.filter((line) => line.startsWith('#')))
  const names = [...described].map((line) => line.split(' ').slice(0, 3).join(' '))
  expect(new Set(names).size).toBe(names.length)
  expect(samples.find((sample) => sample.startsWith('assist_harness_info'))).toContain('run="monday"')
})

test('a port that is taken is said before the first call', async () => {
  const { endpoint, options } = await open(1)
  await expect(run({ ...options, metrics: new URL(endpoint.url).port })).rejects.toThrow(
    /metrics 127\.0\.0\.1:\d+ cannot be used: .*EADDRINUSE.*choose another/,
  )
  expect(endpoint.calls).toEqual([])
})

test('the dashboard asks for names that exist', () => {
  const dashboard = readFileSync(join(projectRoot, 'docs/grafana-dashboard.json'), 'utf8')
  const source = ['metrics.ts', 'metric-figures.ts'].map((name) =>
    readFileSync(join(projectRoot, 'src/report', name), 'utf8'),
  )
  const known = new Set(
    [...source.join('').matchAll(/(?:described\(|\[)'(\w+)'/g)].map(([, name = '']) => name),
  )
  const asked = [...dashboard.matchAll(/assist_harness_(\w+)/g)].map(([, name = '']) =>
    name.replace(/_(?:bucket|count|sum)$/, ''),
  )
  expect(asked.length).toBeGreaterThan(8)
  expect(asked.filter((name) => !known.has(name))).toEqual([])
})
