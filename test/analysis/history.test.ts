// Protects `history`: series, copies and shards, changes from run to run, and what it says of the gate's error.
import { expect, test } from 'vitest'
import { gateTrial, makeHistory, type TriedNight } from '../../src/analysis/comparing/history.ts'
import { describeRun } from '../../src/analysis/judging/summary.ts'
import type { ChangeKind } from '../../src/domain/changes.ts'
import type { Comparison } from '../../src/domain/comparison.ts'
import { type FoundRun, type History, recordedSummarySchema } from '../../src/domain/history.ts'
import type { Manifest } from '../../src/options/manifest.ts'
import { normalQuantile } from '../../src/stats/distributions.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { makeManifest, makeReply, makeSummary, makeTurn } from '../support/recorded.ts'
import { readRows } from '../support/rows.ts'

/** What differs from a complete run of 100 questions, 80 of them grounded and passed. */
interface RunInput {
  readonly id?: string
  readonly startedAt?: string
  readonly folder?: string
  readonly shard?: number
  readonly answered?: number
  readonly grounded?: number
  readonly passed?: number
  /** Calls counted, at least and at most. */
  readonly calls?: readonly [number, number]
  readonly digest?: string
  readonly set?: string
  readonly questions?: number
  readonly selection?: string
  readonly target?: { readonly name: string; readonly organization: string }
  readonly state?: 'complete' | 'incomplete'
}

/** `2026-01-01T02:00Z` and the same time on each following day. */
const startOnDay = (number: number): string => new Date(Date.UTC(2026, 0, 1 + number, 2)).toISOString()

/** One run each night, as `history` reads its summary. */
function foundRun(input: RunInput, number: number): FoundRun {
  const { folder = `n${number}`, startedAt = startOnDay(number), id = `run-${startedAt}`, shard } = input
  const { answered = 100, grounded = 80, passed = grounded, state = 'complete', selection, target } = input
  const { calls: [min, max] = [answered, answered], set = 'set.csv', questions = 100 } = input
  const turns = Array.from({ length: answered }, (_, place) =>
    makeTurn({ result: makeReply(place < grounded ? 'KNOWLEDGE_BASE' : 'MODEL') }),
  )
  const { run, expectations, quota, ...summary } = makeSummary(turns, { state })
  const of = target && { target: target.name, organization: target.organization }
  const datasets = [{ path: set, digest: input.digest ?? 'sha256:0', turns: questions }]
  const recorded = recordedSummarySchema.parse({
    ...summary,
    run: { ...run, ...of, ...(selection && { selection }), id, datasets, startedAt, endedAt: startedAt },
    expectations: { ...expectations, rate: answered === 0 ? null : passed / answered, passed },
    quota: { ...quota, attempts: max, min, max },
  })
  return { folder, ...recorded, ...(shard && { shard: { index: shard, of: 3 } }) }
}
const make = (nights: readonly RunInput[]): History =>
  makeHistory({ runs: nights.map(foundRun), leftOut: [] }, '0')

test.each(readRows<[string, RunInput, RunInput, string[]]>(new URL('series.ndjson', import.meta.url)))(
  'series of two runs with %s',
  (_, some, other, names) => {
    const { series } = make([some, other])
    expect(series.map(({ name, runs }) => `${name}: ${runs.length}`)).toEqual(names)
  },
)

test.each<[string, Partial<Manifest['options']>, string | undefined]>([
  ['whole sets', { seed: 7 }, undefined],
  ['tags in either order', { tag: ['vpn', 'mfa'] }, '--tag mfa --tag vpn'],
  ['a pattern', { grep: 'pass|mfa' }, '--grep pass|mfa'],
  ['a sample', { sample: 20, seed: 3 }, '--sample 20 --seed 3'],
])('a summary names the selected part of the set: %s', (_, options, selection) => {
  const manifest = makeManifest({ options: { ...makeManifest().options, ...options } })
  expect(describeRun(manifest, { sessions: 1, lastAt: undefined }).selection).toBe(selection)
})

test('runs are sorted by their start, whatever the names of their folders', () => {
  const nights = [2, 0, 1].map((number) => ({ startedAt: startOnDay(number), folder: `z${9 - number}` }))
  const [series] = make(nights).series
  expect(series?.runs.map(({ run }) => run.startedAt)).toEqual([0, 1, 2].map((number) => startOnDay(number)))
  expect(make(nights.toReversed())).toEqual(make(nights))
})

test('a sharded run counts as its merged run, and of copies the one with the most calls counts', () => {
  const { series, leftOut } = make([
    { id: 's1', folder: 'shard1', shard: 1, calls: [10, 10] },
    { id: 's2', folder: 'shard2', shard: 2, calls: [10, 10] },
    { id: 'm', folder: 'a', calls: [5, 5] },
    { id: 'm', folder: 'c', calls: [20, 20] },
    { id: 'm', folder: 'b', calls: [20, 20] },
  ])
  expect(series.flatMap(({ runs }) => runs.map(({ folder }) => folder))).toEqual(['b'])
  expect(leftOut.map(({ folder, reason }) => [folder, reason.text])).toEqual([
    ['a', 'A copy of the run in b, which counts in its place.'],
    ['c', 'A copy of the run in b, which counts in its place.'],
    ['shard1', 'Shard 1 of 3: the merged run counts in its place.'],
    ['shard2', 'Shard 2 of 3: the merged run counts in its place.'],
  ])
})

test('a change is against the complete run before, and missing figures have none', () => {
  const nights: RunInput[] = [
    { grounded: 80, passed: 70, calls: [90, 100] },
    { grounded: 10, state: 'incomplete' },
    { grounded: 82, passed: 66, calls: [100, 130] },
    { answered: 0, grounded: 0, passed: 0 },
  ]
  const [series] = make(nights).series
  const [first, incomplete, second, empty] = series?.runs.map(({ groundedChange }) => groundedChange) ?? []
  expect([first, incomplete, empty]).toEqual([null, null, null])
  expect(second).toBeCloseTo(0.02, 12)
  expect(series?.runs[3]).toMatchObject({
    coverage: { rate: null, low: null, high: null },
    expectations: { rate: null },
    latencyMs: { p95: null },
  })
})

test('runs with other questions than the run before are marked: another digest, or another number of questions', () => {
  const [series] = make([{}, {}, { digest: 'sha256:1' }, { digest: 'sha256:1', questions: 50 }]).series
  expect(series?.runs.map(({ questionsChanged }) => questionsChanged)).toEqual([false, false, true, true])
})

interface Night {
  readonly fails?: boolean
  readonly drops?: readonly [grounding: number | null, verdicts: number | null]
  readonly flipped?: readonly string[]
  readonly kind?: ChangeKind
}

function night({
  fails = false,
  drops: [grounding, verdicts] = [null, null],
  flipped = [],
  kind = 'groundingLost',
}: Night): TriedNight {
  const candidate = {
    grounding: { detectableDrop: grounding },
    verdicts: { detectableDrop: verdicts },
    changes: flipped.map((id) => ({ id, message: `${id}?`, kinds: [kind] })),
  }
  const compared = { verdict: fails ? 'failed' : 'passed', reason: 'lost 3 points', candidates: [candidate] }
  // Nothing else of a comparison is read.
  return { folder: 'n', compared: compared as unknown as Comparison, areArticlesKnown: true }
}

const runsWith = (expression: string, values: readonly (number | null)[]): FoundRun[] =>
  values.map((value) => ({ thresholds: [{ expression, value }] }) as unknown as FoundRun)

/** Two neighbouring pairs share a night: one is worse than the night before by so much that the gate fails. */
function historyOf(rate: number, nights: number, random: () => number): TriedNight[] {
  const draw = (): number => normalQuantile(Math.min(1 - 1e-9, Math.max(1e-9, random())))
  const bound = Math.SQRT2 * normalQuantile(rate)
  let before = draw()
  return Array.from({ length: nights - 1 }, () => {
    const now = draw()
    const fails = now - before < bound
    before = now
    return night({ fails })
  })
}

test.each([0.01, 0.03, 0.05, 0.1, 0.2])(
  'the interval holds a true rate of %s in 93 of 100 histories of 30 nights',
  (rate) => {
    const random = seededRandom(Math.round(rate * 1000))
    const held = Array.from({ length: 400 }, () => {
      const { low = 1, high = 0 } = gateTrial(historyOf(rate, 30, random), 0, []).rate ?? {}
      return low <= rate && rate <= high
    }).filter(Boolean).length
    expect(held / 400).toBeGreaterThanOrEqual(0.93)
  },
)

test('one of 38 nights is 0 to 13 %', () => {
  const nights = Array.from({ length: 38 }, (_, index) => night({ fails: index === 20 }))
  const { rate, failed } = gateTrial(nights, 2, [])
  expect(failed).toEqual([{ folder: 'n', reason: 'lost 3 points' }])
  expect([rate?.low, rate?.high].map((share = 0) => Math.round(100 * share))).toEqual([0, 13])
})

test('a night fails by an expectation that newly fails, unless a threshold replaces that rule', () => {
  const nights = [night({ flipped: ['a'], kind: 'passToFail' }), night({ flipped: ['b'] })]
  const failing = [{ folder: 'n', reason: 'failed expectations: 1' }]
  expect(gateTrial(nights, 0, runsWith('coverage>=60%', [0.9])).failed).toEqual(failing)
  expect(gateTrial(nights, 0, runsWith('passed>=60%', [0.9])).failed).toEqual([])
})

test('the smallest loss is that of the median night, by the rule that sees less', () => {
  const drops = [[0.2, 0.1] as const, [null, 0.05] as const, [null, null] as const]
  const nights = drops.map((each) => night({ drops: each }))
  expect(gateTrial(nights, 0, []).detectableDrop).toBe(0.1)
  expect(gateTrial([night({})], 0, []).detectableDrop).toBeNull()
})

test('questions are listed by how often they flip', () => {
  const nights = [night({ flipped: ['a', 'b'] }), night({ flipped: ['b'] }), night({})]
  expect(gateTrial(nights, 0, []).flips).toEqual([
    { id: 'b', message: 'b?', times: 2 },
    { id: 'a', message: 'a?', times: 1 },
  ])
})

const around = (value: number, spread: number): number[] =>
  Array.from({ length: 10 }, (_, index) => value + (spread * index) / 9)

test.each([
  ['coverage>=60%', around(0.943, 0.03), 'coverage>=94%'],
  // A night at the suggested value must not fail.
  ['coverage>60%', around(0.9, 0.03), 'coverage>89%'],
  ['errors<90%', around(0, 0), 'errors<1%'],
  ['misfits<50', around(7, 0), 'misfits<8'],
  ['coverage>=92%', around(0.943, 0.03), undefined],
  ['errors<=20%', around(0.011, 0.01), 'errors<=3%'],
  ['latency.p95<60s', around(1830, 400), 'latency.p95<2300 ms'],
  ['coverage[billing]>=10%', around(0.5, 0.05), 'coverage[billing]>=50%'],
  ['coverage>=60%', around(0.943, 0.03).slice(0, 7), undefined],
  ['coverage>=60%', around(0.943, 0.03).map(() => null), undefined],
  ['status.success!=3', around(50, 5), undefined],
])('%s on such values: %s', (expression, values, tight) => {
  expect(gateTrial([], 0, runsWith(expression, values)).loose[0]?.tight).toBe(tight)
})
