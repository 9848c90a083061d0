// Protects load tests from several processes against a real sandbox: two shards that start together, merged,
// give the figures of the whole. Expected figures come from the raw lines of the shards' journals.
import { existsSync, readFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeFromCompressedBase64 } from 'hdr-histogram-js'
import { beforeAll, expect, test } from 'vitest'
import type { LoadReport } from '../../src/domain/load.ts'
import { load, type LoadResult, merge, report, type RunEvent, startSandbox } from '../../src/library/index.ts'
import { temporaryPaths } from '../support/temporary.ts'

const newPath = temporaryPaths()
const folder = newPath()
mkdirSync(folder)
const set = join(folder, 'set.csv')
writeFileSync(set, 'thread,id,message\nt,a,First?\nt,b,And then?\n,c,How do I set up the VPN?\n,d,Other?\n')
const RATE = 20
const SECONDS = 3

const parts: LoadResult[] = []
const events: RunEvent[] = []
let startAt = ''
let whole: LoadResult
let merged: LoadResult

const onlyLoad = (result: { readonly kind: string }): LoadResult => {
  expect(result.kind).toBe('load')
  return result as LoadResult
}

beforeAll(async () => {
  const sandbox = await startSandbox({
    port: 0,
    config: {
      latency: { kind: 'uniform', from: '5ms', to: '120ms' },
      faults: [{ kind: 'refusal', status: 429, when: { calls: [9, 90, 121] } }],
    },
  })
  const options = { datasets: [set], baseUrl: sandbox.url, apiKey: sandbox.apiKey, duration: `${SECONDS}s` }
  const offered = { ...options, arrivalRate: `${RATE}/s`, threshold: ['rate429<=50%'] }
  whole = onlyLoad(await load({ ...offered, out: join(folder, 'alone') }))
  startAt = new Date(Date.now() + 4000).toISOString()
  const shards = [1, 2].map(async (index) =>
    load({
      ...offered,
      startAt,
      shard: `${index}/2`,
      out: join(folder, `shard-${index}`),
      onEvent: (event) => events.push(event),
    }),
  )
  parts.push(...(await Promise.all(shards)).map(onlyLoad))
  merged = onlyLoad(await merge({ runs: parts.map((part) => part.folder), out: join(folder, 'whole') }))
  await sandbox.close()
}, 60_000)

interface Line {
  readonly kind: string
  readonly at: number
  readonly arrival?: number
  readonly dueAt?: number
  readonly question?: number
  readonly attempt?: number
  readonly outcome?: string
  readonly conversationId?: string | null
  readonly responseMs?: number
  readonly serviceMs?: number
  readonly lagMs?: number
  readonly waitMs?: number
  readonly result?: { readonly kind: string; readonly httpStatus?: number }
}

/** Of both shards, as they stand in the files. */
const linesOf = (part: LoadResult): Line[] =>
  readFileSync(join(part.folder, 'journal.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
const lines = (): Line[] => parts.flatMap(linesOf)
const resultsIn = (all: readonly Line[], isMeant: (line: Line) => boolean) =>
  all.filter((line) => line.kind === 'result' && isMeant(line))
const isReply = ({ result }: Line): boolean => result?.kind === 'reply'

/** Of the smallest value that at least this share of the values do not exceed. */
const rankOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? NaN

const NAMES = ['serviceMs', 'responseMs', 'waitMs', 'sendLagMs'] as const
/** Three significant digits, of whole microseconds. */
const PRECISION = 0.001

test('percentiles are those of all samples, within the precision of a histogram', () => {
  const valuesOf = {
    serviceMs: resultsIn(lines(), isReply).map(({ serviceMs = NaN }) => serviceMs),
    responseMs: resultsIn(lines(), isReply).map(({ responseMs = NaN }) => responseMs),
    waitMs: resultsIn(lines(), () => true).map(({ waitMs = NaN }) => waitMs),
    sendLagMs: resultsIn(lines(), () => true).map(({ lagMs = NaN }) => lagMs),
  }
  expect(valuesOf.responseMs.length).toBeGreaterThan(60)
  for (const name of NAMES) {
    const [values, figures] = [valuesOf[name], merged.report[name]]
    expect(figures.count, name).toBe(values.length)
    for (const [share, figure] of [
      [0.5, figures.p50],
      [0.9, figures.p90],
      [0.95, figures.p95],
      [0.99, figures.p99],
    ] as const) {
      const exact = rankOf(values, share)
      expect(Math.abs((figure ?? NaN) - exact), `${name} ${share}`).toBeLessThanOrEqual(
        PRECISION * exact + 0.001,
      )
    }
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    expect(Math.abs((figures.mean ?? NaN) - mean)).toBeLessThan(0.001)
  }
})

test('the histograms of load.json are the sums of the shards’', () => {
  const read = (one: LoadReport, name: (typeof NAMES)[number]) =>
    decodeFromCompressedBase64(one.histograms[name], 64)
  for (const name of NAMES) {
    const [sum, other] = parts.map((part) => read(part.report, name))
    if (sum === undefined || other === undefined) throw new Error('two shards')
    sum.add(other)
    const all = read(merged.report, name)
    expect(all.totalCount).toBe(sum.totalCount)
    for (const percent of [1, 25, 50, 75, 90, 99, 100])
      expect(all.getValueAtPercentile(percent)).toBe(sum.getValueAtPercentile(percent))
  }
})

test('it offers what one process offers: as many conversations a second, with the same questions', () => {
  const { offered, load: plan } = merged.report
  expect(offered).toEqual({ threads: RATE * SECONDS, rate: RATE })
  expect(offered).toEqual(whole.report.offered)
  expect(plan).toEqual(whole.report.load)
  const firstTurns = (all: readonly Line[]) =>
    all
      .filter(
        ({ kind, conversationId }) => kind === 'dropped' || (kind === 'intent' && conversationId === null),
      )
      .map(({ arrival = -1, question }) => [arrival, question])
      .toSorted(([a = 0], [b = 0]) => a - b)
  expect(firstTurns(lines())).toEqual(firstTurns(linesOf(whole)))
})

test('counts, outcomes and bins over time add up', () => {
  const { achieved, turns, pacing, quota, overTime, errors } = merged.report
  const calls = resultsIn(lines(), () => true)
  const sum = (of: (one: LoadReport) => number): number => parts.reduce((so, part) => so + of(part.report), 0)
  expect(achieved.calls).toBe(calls.length)
  expect(turns.answered).toBe(resultsIn(lines(), isReply).length)
  expect(pacing.rateLimited).toBe(calls.filter(({ result }) => result?.httpStatus === 429).length)
  expect(pacing.rateLimited).toBe(2)
  expect([turns.total, turns.skipped]).toEqual([
    sum((one) => one.turns.total),
    sum((one) => one.turns.skipped),
  ])
  expect([quota.attempts, quota.certain]).toEqual([
    sum((one) => one.quota.attempts),
    sum((one) => one.quota.certain),
  ])
  expect(errors.errors).toBe(0)
  const bins = overTime?.bins ?? []
  expect(bins.reduce((so, { calls: ended }) => so + ended, 0)).toBe(calls.length)
  expect(bins.reduce((so, { started }) => so + started, 0)).toBe(RATE * SECONDS)
})

test('no shard is judged, thresholds judge the whole, and starts that lie together are not named', () => {
  for (const { verdict, exitCode, report: part } of parts)
    expect([verdict, exitCode, part.thresholds]).toEqual(['part', 0, []])
  expect([merged.verdict, merged.exitCode, merged.report.shard]).toEqual(['passed', 0, undefined])
  expect(merged.report.thresholds.map(({ expression }) => expression)).toEqual(['rate429<=50%'])
  expect(merged.report.warnings.filter(({ code }) => code === 'load-started-apart')).toEqual([])
})

test('both start at the common time, and their durations count from it', () => {
  const first = Date.parse(startAt)
  for (const part of parts) {
    const { startedAt } = part.report.run
    expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(first)
    expect(Math.min(...linesOf(part).flatMap(({ dueAt }) => dueAt ?? []))).toBeGreaterThanOrEqual(first)
  }
  const waits = events.flatMap((event) =>
    event.kind === 'progress' && event.progress.of === 'wait' ? [event] : [],
  )
  expect(waits.length).toBeGreaterThan(1)
  expect(
    waits.every(({ at, progress }) => progress.of === 'wait' && progress.startAt === first && at < first),
  ).toBe(true)
  for (const { at, ...event } of events)
    if (event.kind === 'progress' && event.progress.of === 'load')
      expect(event.progress.snapshot.elapsedMs).toBeLessThanOrEqual(at - first)
})

test('the folder holds every report of a load test, and report writes the same again', async () => {
  const at = (name: string): string => join(merged.folder, name)
  for (const name of [
    'run.json',
    'journal.ndjson',
    'journal.2.ndjson',
    'load.json',
    'load.prom',
    'report.html',
    'summary.md',
  ])
    expect(existsSync(at(name)), name).toBe(true)
  expect(readFileSync(at('load.prom'), 'utf8')).toContain('assist_harness_offered_conversations{')
  const before = readFileSync(at('load.json'), 'utf8')
  await report({ run: merged.folder })
  expect(readFileSync(at('load.json'), 'utf8')).toBe(before)
  for (const [index, part] of parts.entries())
    expect(readFileSync(at(index === 0 ? 'journal.ndjson' : 'journal.2.ndjson'))).toEqual(
      readFileSync(join(part.folder, 'journal.ndjson')),
    )
})

test('a threshold that cannot be read is rejected before anything is written', async () => {
  const out = join(folder, 'unread')
  const merging = merge({ runs: parts.map((part) => part.folder), out, threshold: ['passed>=90%'] })
  await expect(merging).rejects.toThrow("'passed', which is not a figure of load.json")
  expect(existsSync(out)).toBe(false)
})

test('a signal during the wait rejects, and leaves nothing', async () => {
  const stop = new AbortController()
  const out = join(folder, 'never')
  const waiting = load({
    datasets: [set],
    sandbox: true,
    users: 1,
    duration: '1s',
    startAt: new Date(Date.now() + 60_000).toISOString(),
    out,
    signal: stop.signal,
    onEvent: (event) => {
      if (event.kind === 'progress') stop.abort('SIGINT')
    },
  })
  await expect(waiting).rejects.toThrow('stopped before --start-at; nothing was sent')
  expect(existsSync(out)).toBe(false)
})
