// Which runs make a series, in which order, with which marks; what is counted once, and what is passed over.
import { describe, expect, test } from 'vitest'
import { makeHistory } from '../../../src/analysis/history/make-history.ts'
import type { RecordedRun } from '../../../src/analysis/history/recorded-run.ts'
import type { History } from '../../../src/domain/history.ts'
import { nightOf, type Night } from '../../support/nights.ts'
import { recordedNight } from '../../support/recorded-nights.ts'

const make = (runs: readonly RecordedRun[], wishes: { since?: string; targets?: string[] } = {}): History =>
  makeHistory(
    { runs, loads: [], leftOut: [] },
    { harnessVersion: '0', since: wishes.since, targets: wishes.targets },
  )

const night = (number: number, more: Partial<Night> = {}): Night => ({ startedAt: nightOf(number), ...more })
const namesOf = ({ series }: History): string[] => series.map(({ name, runs }) => `${name}: ${runs.length}`)

test('runs stand by their start, whatever their folders are called', () => {
  const runs = [2, 0, 1].map((number) => recordedNight(night(number), { folder: `z${9 - number}` }))
  const [series] = make(runs).series
  expect(series?.runs.map(({ startedAt }) => startedAt)).toEqual([0, 1, 2].map((number) => nightOf(number)))
  expect(make([...runs].reverse())).toEqual(make(runs))
})

describe('one series or two', () => {
  const chosen = (tags: string[], seed = 0): Partial<Night> => ({
    options: { tag: tags, seed },
  })
  const desk = (key: string, more: object = {}): Partial<Night> => ({
    target: { organization: `https://desk.example.com ${key}`, keyFingerprint: key, ...more },
  })
  test.each<[string, Partial<Night>, Partial<Night>, number]>([
    ['the same', {}, {}, 1],
    ['an edited set', { digest: 'sha256:1' }, { digest: 'sha256:2' }, 1],
    ['another set', { set: 'a.csv' }, { set: 'b.csv' }, 2],
    ['another target', { target: { name: 'a' } }, { target: { name: 'b' } }, 2],
    ['another organization', { target: { organization: 'a' } }, { target: { organization: 'b' } }, 2],
    ['a named organization that moved', { target: { baseUrl: 'https://a.example' } }, {}, 1],
    ['a key renewed, where nobody named the organization', desk('00000001'), desk('00000002'), 1],
    [
      'another address, where nobody named the organization',
      desk('1'),
      desk('1', { baseUrl: 'https://b.example' }),
      2,
    ],
    [
      'sandboxes of two ports',
      { target: { sandbox: true, baseUrl: 'http://127.0.0.1:1', organization: 'x' } },
      { target: { sandbox: true, baseUrl: 'http://127.0.0.1:2', organization: 'y' } },
      1,
    ],
    ['a sandbox and a desk', { target: { sandbox: true } }, {}, 2],
    ['other tags', chosen(['a']), chosen(['b']), 2],
    ['another seed that draws nothing', chosen(['a'], 1), chosen(['a'], 2), 1],
    ['other repeats', { options: { repeat: 1 } }, { options: { repeat: 3 } }, 2],
    ['another budget', {}, { options: { maxCalls: 5 } }, 1],
  ])('%s', (_, some, other, count) => {
    const history = make([recordedNight(night(0, some)), recordedNight(night(1, other))])
    expect(history.series).toHaveLength(count)
    expect(new Set(history.series.map(({ name }) => name)).size).toBe(count)
  })

  test('shards of a set', () => {
    const runs = [
      recordedNight(night(0), { shard: '1/2' }),
      recordedNight(night(1), { shard: '2/2' }),
      recordedNight(night(3)),
    ]
    expect(namesOf(make(runs))).toEqual([
      'set.csv of staging: 1',
      'set.csv of staging, shard 1/2: 1',
      'set.csv of staging, shard 2/2: 1',
    ])
  })

  test('the parts of a joined run stand in it, and a copy counts once', () => {
    const runs = [
      recordedNight(night(0, { id: 'p1' }), { shard: '1/2' }),
      recordedNight(night(0, { id: 'p2' }), { shard: '2/2' }),
      recordedNight(night(0, { id: 'whole' }), { folder: 'whole', parts: ['p1', 'p2'] }),
      recordedNight(night(0, { id: 'whole' }), { folder: 'whole-copy', parts: ['p1', 'p2'] }),
    ]
    const history = make(runs)
    expect(namesOf(history)).toEqual(['set.csv of staging: 1'])
    expect(history.leftOut).toEqual([
      { folder: 'p1', kind: 'part', reason: 'shard 1/2 of whole, which has its figures' },
      { folder: 'p2', kind: 'part', reason: 'shard 2/2 of whole, which has its figures' },
      { folder: 'whole-copy', kind: 'copy', reason: 'a copy of whole: it has the same run id' },
    ])
    expect(history.months).toMatchObject([{ max: 100, runs: 1 }])
  })
})

test.each<[string, Partial<Night>, Partial<Night>, boolean, string[]]>([
  ['nothing', {}, {}, false, []],
  ['the questions', {}, { digest: 'sha256:1' }, true, []],
  [
    'what counts as grounded',
    {},
    { groundedSources: ['KNOWLEDGE_BASE', 'FAQ'] },
    false,
    ['grounded sources'],
  ],
  ['its order alone', { groundedSources: ['A', 'B'] }, { groundedSources: ['B', 'A'] }, false, []],
  ['the timeout', {}, { options: { timeout: 9000 } }, false, ['timeout']],
  ['the pace alone', {}, { options: { rate: '5/s' } }, false, []],
])('changed: %s', (_, before, after, questions, settings) => {
  const [series] = make([recordedNight(night(0, before)), recordedNight(night(1, after))]).series
  expect(series?.runs[0]?.changes).toEqual({ questions: false, settings: [] })
  expect(series?.runs[1]?.changes.questions).toBe(questions)
  expect(series?.runs[1]?.changes.settings.map(({ setting }) => setting)).toEqual(settings)
})

test('a figure without a denominator stays missing', () => {
  const [series] = make([recordedNight(night(0, { answered: 0, grounded: 0, passed: 0 }))]).series
  const [run] = series?.runs ?? []
  const none = { rate: null, low: null, high: null, effective: null }
  expect(run).toMatchObject({ coverage: none, passed: none, errors: { rate: null }, flaky: null })
  expect(series?.story).toEqual([])
})

test('repeats of a question are no further questions', () => {
  const of = (repeat: number): number | null | undefined => {
    const [series] = make([recordedNight(night(0, { options: { repeat } }))]).series
    return series?.runs[0]?.passed.effective
  }
  expect(of(1)).toBe(100)
  expect(of(4)).toBe(25)
})

test('a run whose process died in a later sitting is not complete', () => {
  const [series] = make([recordedNight(night(0, { manifest: { state: 'running' } }))]).series
  expect(series?.runs[0]?.state).toBe('interrupted')
})

test('--since and --target pass over, and say how many', () => {
  const runs = [0, 1, 2].flatMap((number) =>
    ['a', 'b'].map((name) => recordedNight(night(number, { target: { name }, id: `${name}${number}` }))),
  )
  const history = make(runs, { since: nightOf(1), targets: ['a'] })
  expect(history.series.map((one) => [one.target, one.runs.length])).toEqual([['a', 2]])
  expect(history.notAskedFor).toEqual({ earlier: 1, otherTargets: 3 })
  // The allowance is the organization's: what others used of it counts.
  expect(history.months).toMatchObject([{ max: 600, runs: 6 }])
})
