// Protects the figures of a load test, computed from journals with known results.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLoadFold } from '../../../src/analysis/load/fold.ts'
import type { JournalEvent } from '../../../src/domain/journal.ts'
import {
  type LoadModel,
  type LoadSettings,
  type LoadReport,
  loadReportSchema,
} from '../../../src/domain/load.ts'
import type { Stop } from '../../../src/domain/stop.ts'
import {
  loadManifest,
  loadRecords,
  makeLoad,
  reportOf as reportFrom,
  type SimulatedLoad,
} from '../../support/load-journal.ts'
import { START } from '../../support/recorded.ts'

const open = (seconds: number, from: number, to = from): LoadModel => ({
  kind: 'open',
  stages: [{ durationMs: seconds * 1000, from, to }],
})

function reportOf(
  respond: SimulatedLoad['respond'],
  load: Partial<LoadSettings> = {},
  threads: readonly number[] = [1, 1, 1, 1, 1],
): LoadReport {
  const options = makeLoad(load)
  return reportFrom(loadManifest(options), { load: options, threads, respond })
}

function fold(simulated: SimulatedLoad, isRead: (record: JournalEvent) => boolean, ended?: Stop): LoadReport {
  const folded = createLoadFold(loadManifest(simulated.load ?? {}), () => [])
  for (const record of loadRecords(simulated)) if (isRead(record)) folded.add(record)
  return folded.finish([], ended)
}

const binsOf = ({ overTime }: LoadReport) => overTime?.bins ?? []
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

test('the report of a load test interrupted before its first thread matches the schema', () => {
  const load = makeLoad({ model: { kind: 'closed', users: 5, durationMs: 60_000 } })
  const stop = { kind: 'interrupted', signal: 'SIGINT' } as const
  const made = reportFrom(loadManifest(load), { load, threads: [], respond: () => 'dropped', stop })
  const read: unknown = JSON.parse(JSON.stringify(made))
  expect(loadReportSchema.parse(read)).toEqual(made)
})

describe('counts', () => {
  test('over time add up to the totals, whatever the results', () => {
    const kinds = fc.array(fc.constantFrom('kb', 'other', 'drop', '429', 'fail', 'hang'), {
      minLength: 5,
      maxLength: 12,
    })
    fc.assert(
      fc.property(kinds, fc.integer({ min: 1, max: 3 }), (sequence, turns) => {
        const respond: SimulatedLoad['respond'] = ({ number, turn }) => {
          const kind = sequence[(number + turn) % sequence.length]
          if (kind === 'drop' && turn === 1) return 'dropped'
          if (kind === '429') return { serviceMs: 20, fails: 'rate_limited' }
          if (kind === 'hang') return { serviceMs: 900, fails: 'timeout' }
          if (kind === 'fail') return { serviceMs: 20, fails: 'server_error' }
          return { serviceMs: 50, source: kind === 'kb' ? 'KNOWLEDGE_BASE' : 'MODEL' }
        }
        const made = reportOf(respond, { model: open(4, 2, 12) }, [turns, 1, 2])
        const total = (name: 'started' | 'dropped' | 'calls' | 'refused' | 'answered' | 'errors'): number =>
          sum(binsOf(made).map((bin) => bin[name]))
        expect(made.offered.threads).toBe(made.achieved.threads + made.dropped.threads)
        expect(made.responseMs.count).toBe(made.turns.answered + made.turns.timeout)
        expect(made.serviceMs.count).toBe(made.turns.answered)
        expect([total('started'), total('dropped')]).toEqual([made.achieved.threads, made.dropped.threads])
        expect([total('calls'), total('refused')]).toEqual([made.achieved.calls, made.pacing.rateLimited])
        expect([total('answered'), total('errors')]).toEqual([made.turns.answered, made.errors.errors])
        expect(sum(binsOf(made).flatMap((bin) => Object.values(bin.contextSource)))).toBe(made.turns.answered)
        expect(made.quota.attempts).toBe(made.achieved.calls)
        const { total: all, answered, rate_limited, skipped } = made.turns
        expect(all).toBe(answered + rate_limited + skipped + made.errors.errors)
      }),
      { numRuns: 15 },
    )
  })

  test('of an hour fit into the bins of a chart', () => {
    const made = reportOf(() => ({ serviceMs: 100 }), { model: open(3600, 0.2) })
    expect(made.overTime?.binMs).toBe(32_000)
    expect(binsOf(made)).toHaveLength(113)
    expect(sum(binsOf(made).map(({ answered }) => answered))).toBe(720)
  })
})

test('a second in which no call starts or ends shows the calls in flight', () => {
  const bins = binsOf(reportOf(() => ({ serviceMs: 8000, lagMs: 0 }), { model: open(5, 1) }))
  expect(bins.map(({ inFlight }) => inFlight)).toEqual([1, 2, 3, 4, 5, 5, 5, 5, 5, 4, 3, 2, 1])
  expect(bins.map(({ answered }) => answered)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
})

describe('the rate', () => {
  test.each<[string, LoadModel, number, number]>([
    ['its first conversation', open(60, 5), 0, 5],
    ['its first conversation, of a rate that rises', open(60, 0, 6), 0, 1 / Math.sqrt(20)],
    ['its last conversation', open(2, 5), 1900, 5],
  ])('of a test that ended after %s is that of the timetable', (_, model, lastMs, rate) => {
    const { offered, achieved } = fold(
      { load: makeLoad({ model }), threads: [1], respond: () => ({ serviceMs: 20 }) },
      (record) => record.kind === 'question' || record.at <= START + lastMs + 42,
      { kind: 'interrupted', signal: 'SIGINT' },
    )
    expect(offered.rate).toBeCloseTo(rate, 9)
    expect(achieved.rate).toBeCloseTo(rate, 9)
  })

  test('of a whole test is that of the timetable, though its threads are whole numbers', () => {
    const { offered, achieved } = reportOf(() => ({ serviceMs: 20 }), { model: open(4, 0.4) })
    expect([offered, achieved.threads, achieved.rate]).toEqual([{ threads: 2, rate: 0.4 }, 2, 0.4])
  })

  test('of an interrupted test covers the time until the interrupt, not the wait for calls in flight', () => {
    const load = makeLoad({ model: open(60, 4) })
    const { offered } = fold(
      { load, threads: [1], respond: () => ({ serviceMs: 5000 }) },
      (record) => record.kind === 'question' || record.at < START + (record.kind === 'intent' ? 3000 : 8000),
      { kind: 'interrupted', signal: 'SIGINT' },
    )
    expect(offered).toEqual({ threads: 12, rate: 4 })
  })
})

describe('an incomplete journal', () => {
  const records = loadRecords({ respond: () => ({ serviceMs: 100 }) })
  const firstIntent = records.findIndex(({ kind }) => kind === 'intent')

  test('counts turns without outcome of started threads', () => {
    const { turns, warnings } = fold(
      { load: makeLoad({ model: open(10, 1) }), threads: [3], respond: () => ({ serviceMs: 3000 }) },
      (record) => record.kind === 'question' || record.at <= START + 10_500,
      { kind: 'done' },
    )
    // Ten threads of three turns, due at 0 to 9 s: 2 have ended, 3 have two answers, 3 have one, 2 have none.
    expect(turns).toMatchObject({ total: 30, answered: 15, notSent: 15 })
    expect(warnings.map(({ code }) => code)).toContain('turns-without-outcome')
  })

  test('counts an intent without a result as possible', () => {
    const folded = createLoadFold(loadManifest(), () => [])
    for (const record of records.slice(0, firstIntent + 1)) folded.add(record)
    folded.addLostIntent()
    expect(folded.finish()).toMatchObject({
      verdict: 'incomplete',
      exitCode: 4,
      state: 'interrupted',
      turns: { total: 1, notSent: 1 },
      quota: { attempts: 2, certain: 0, possible: 2 },
    })
  })
})
