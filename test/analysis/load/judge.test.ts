// Protects the verdict and the warnings of a load test.
import { describe, expect, test } from 'vitest'
import { LOAD_METRICS } from '../../../src/domain/metric.ts'
import type { LoadSettings, LoadReport } from '../../../src/domain/load.ts'
import { checkThresholds } from '../../../src/library/judging.ts'
import {
  loadManifest,
  makeLoad,
  reportOf,
  type CallResult,
  type SimulatedLoad,
} from '../../support/load-journal.ts'
import { manifest } from '../../support/summaries.ts'

/** 1,200 threads of one turn. */
const judged = (
  respond: SimulatedLoad['respond'],
  threshold: readonly string[] = [],
  more: Partial<SimulatedLoad> = {},
): LoadReport =>
  reportOf(loadManifest({}, { options: { ...manifest.options, threshold: [...threshold] } }), {
    threads: [1],
    ...more,
    respond,
  })

/** That many dropped, refused and failed calls of each hundred. */
const mixed =
  (
    dropped: number,
    refused: number,
    failed: number,
    good: CallResult = { serviceMs: 100 },
  ): SimulatedLoad['respond'] =>
  ({ number }) => {
    const place = number % 100
    if (place < dropped) return 'dropped'
    if (place < dropped + refused) return { serviceMs: 20, fails: 'rate_limited' }
    return place < dropped + refused + failed ? { serviceMs: 20, fails: 'server_error' } : good
  }

type Judged = readonly [
  what: string,
  respond: SimulatedLoad['respond'],
  thresholds: readonly string[],
  exitCode: number,
  reason: string,
]
const GATED = ['errors<=15%', 'response.p50<5s']
/** 10 of 100 calls end like this. */
const tenth =
  (call: CallResult): SimulatedLoad['respond'] =>
  ({ number }) =>
    number % 10 === 0 ? call : { serviceMs: 100 }

describe('the verdict', () => {
  test.each<Judged>([
    ['one unanswered of a hundred is not shown', mixed(0, 1, 0), [], 0, 'no threshold was given'],
    ['failures fail it', mixed(0, 0, 10), [], 1, 'errors: 120'],
    [
      'a gate replaces that rule',
      mixed(0, 0, 10),
      ['errors<=10%'],
      0,
      '10.0 % of the questions were not answered (server error 120); every gate passed',
    ],
    ['a gate on rates passes', mixed(0, 0, 0), ['achieved.rate>=1200/min'], 0, 'every gate passed'],
    ['no answer fails it', mixed(0, 100, 0), [], 1, 'no question was answered'],
    [
      'dropped conversations are named',
      mixed(26, 0, 0),
      GATED,
      0,
      '26.0 % of the conversations were dropped; every gate passed',
    ],
    [
      'dropped conversations are named beside a failure',
      mixed(1, 0, 10),
      [],
      1,
      '1.0 % of the conversations were dropped; errors: 120',
    ],
    [
      'calls that hung are named',
      tenth({ serviceMs: 10_000, fails: 'timeout' }),
      GATED,
      0,
      '10.0 % of the questions were not answered (timeout 120); every gate passed',
    ],
    [
      'calls that hung count in the times',
      tenth({ serviceMs: 10_000, fails: 'timeout' }),
      ['errors<=15%', 'response.p95<5s'],
      1,
      'response.p95 is 10000.2 ms, required < 5000 ms',
    ],
    [
      'calls that this machine could not send are no errors of the endpoint',
      tenth({ serviceMs: 1, fails: 'network_error' }),
      [],
      0,
      '120 calls were not sent: this machine ran out of file descriptors; 10.0 % of the questions were not answered (not sent 120); no threshold was given',
    ],
  ])('%s', (_, respond, thresholds, exitCode, reason) => {
    const verdict = exitCode === 1 ? 'failed' : thresholds.length > 0 ? 'passed' : 'done'
    expect(judged(respond, thresholds)).toMatchObject({ verdict, exitCode, reason })
  })
})

test('no call could be sent: the test is incomplete, and the endpoint is not blamed', () => {
  const { exitCode, errors, reason } = judged(() => ({ serviceMs: 1, fails: 'network_error' }))
  expect({ exitCode, errors: errors.errors, reason }).toEqual({
    exitCode: 4,
    errors: 0,
    reason: 'no call was sent; 1,200 calls were not sent: this machine ran out of file descriptors',
  })
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
  ['late calls', mixed(0, 0, 0, { serviceMs: 100, lagMs: 80 }), ['load-send-lag']],
  ['calls in time', mixed(0, 0, 0, { serviceMs: 100, lagMs: 49 }), []],
  ['dropped threads', mixed(5, 0, 0), ['load-threads-dropped']],
  [
    'calls that could not be sent',
    tenth({ serviceMs: 1, fails: 'network_error' }),
    ['load-machine', 'not-counted'],
  ],
  ['a closed loop, which hides stalls', mixed(0, 0, 0), ['load-closed-loop'], CLOSED],
])('warnings for %s', (_, respond, codes, load: Partial<LoadSettings> = {}) => {
  const made = reportOf(loadManifest(load), { load: makeLoad(load), threads: [1], respond })
  expect(made.warnings.map(({ code }) => code)).toEqual(codes)
})
