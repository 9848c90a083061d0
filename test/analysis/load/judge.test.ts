// Protects the verdict and the warnings of a load test.
import { describe, expect, test } from 'vitest'
import { LOAD_METRICS } from '../../../src/analysis/judging/threshold.ts'
import type { LoadSettings, LoadReport } from '../../../src/domain/load.ts'
import { checkThresholds } from '../../../src/library/judging.ts'
import {
  loadManifest,
  makeLoad,
  reportOf,
  type CallResult,
  type SimulatedLoad,
} from '../../support/load-journal.ts'
import { makeManifest } from '../../support/recorded.ts'

/** 1,200 threads of one turn. */
const judged = (
  respond: SimulatedLoad['respond'],
  threshold: readonly string[] = [],
  more: Partial<SimulatedLoad> = {},
): LoadReport =>
  reportOf(loadManifest({}, { options: { ...makeManifest().options, threshold: [...threshold] } }), {
    threads: [1],
    ...more,
    respond,
  })

/** 10 of 100 calls end like this. */
const tenth =
  (call: CallResult | 'dropped'): SimulatedLoad['respond'] =>
  ({ number }) =>
    number % 10 === 0 ? call : { serviceMs: 100 }

test('calls that hung count in the times', () => {
  const thresholds = ['errors<=15%', 'response.p95<5s']
  expect(judged(tenth({ serviceMs: 10_000, fails: 'timeout' }), thresholds)).toMatchObject({
    exitCode: 1,
    reason: 'response.p95 is 10000.2 ms, required < 5000 ms',
  })
})

test('a test without an answer fails', () => {
  const { exitCode, reason } = judged(() => ({ serviceMs: 20, fails: 'rate_limited' }))
  expect([exitCode, reason]).toEqual([1, 'no question was answered'])
})

test('without an HTTP status nothing is said of the endpoint but that it is not reached', () => {
  const { exitCode, reason } = judged(() => ({ serviceMs: 1, fails: 'network_error' }))
  const text = 'no call of 1,200 got an HTTP status (EMFILE): the endpoint is unreachable or down'
  expect([exitCode, reason]).toEqual([4, text])
})

describe('thresholds', () => {
  test('name the figures of load.json, with the names of `run` where both have them', () => {
    const names = LOAD_METRICS.map(({ name }) => name)
    const times = ['response.p95', 'service.p95', 'latency.p95', 'wait.p95', 'lag.p99']
    const counts = ['dropped', 'dropped.rate', 'errors', 'rate429', 'coverage', 'grounded', 'quota.max']
    expect(names).toEqual(expect.arrayContaining([...times, ...counts, 'achieved.rate']))
    expect(new Set(names).size).toBe(names.length)
  })

  test.each([
    ['achieved.rate>=10%', /has the limit 10%/],
    ['achieved.rate>=10s', /has the limit 10s/],
    ['achieved.rate>=fast', /write it like 20\/s/],
    ['coverage[vpn]>=10%', /coverage is not counted by tag/],
  ])('%s is rejected', (expression, message) => {
    expect(() => checkThresholds([expression], 'load')).toThrow(message)
  })
})

const CLOSED = { model: { kind: 'closed', users: 1, durationMs: 60_000 } } as const
test.each<[string, SimulatedLoad['respond'], string[], Partial<LoadSettings>?]>([
  ['late calls', () => ({ serviceMs: 100, lagMs: 80 }), ['load-send-lag']],
  ['calls in time', () => ({ serviceMs: 100, lagMs: 49 }), []],
  ['dropped threads', tenth('dropped'), ['load-threads-dropped']],
  ['a closed loop, which hides stalls', () => ({ serviceMs: 100 }), ['load-closed-loop'], CLOSED],
])('warnings for %s', (_, respond, codes, load: Partial<LoadSettings> = {}) => {
  const made = reportOf(loadManifest(load), { load: makeLoad(load), threads: [1], respond })
  expect(made.warnings.map(({ code }) => code)).toEqual(codes)
})
