// Protects the verdict and the warnings of a load test, and what its progress and its end say of its calls.
import { expect, test } from 'vitest'
import { createLoadCounts } from '../../../src/analysis/load/counts.ts'
import { createLoadFold } from '../../../src/analysis/load/fold.ts'
import { createRefusals, refusedText } from '../../../src/analysis/load/judge.ts'
import { LOAD_METRICS } from '../../../src/analysis/judging/threshold.ts'
import type { AttemptResult } from '../../../src/domain/attempt.ts'
import { checkThresholds } from '../../../src/library/judging.ts'
import { flat, loadEvents, loadManifest, type LoadScript, WALL_START } from '../../support/play.ts'
import { makeReply, makeThreads, rejection } from '../../support/recorded.ts'
import { readRows } from '../../support/rows.ts'

test('thresholds name the figures of load.json, with the names of `run` where both have them', () => {
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
  ['coverage[vpn]>=10%', /names coverage, which is not counted by tag/],
])('%s is rejected', (expression, message) => {
  expect(() => checkThresholds([expression], 'load')).toThrow(message)
})

const CLOSED = { model: { kind: 'closed', users: 1, durationMs: 1000 } } as const
/** The machine stands still for so long now and then. */
const freezing = (ms: number): LoadScript => ({
  load: {},
  onRecord: (record, clock) => {
    if (record.kind === 'intent') clock.jump(ms)
  },
})

test.each<[string, LoadScript, reason: string, warnings: string[]]>([
  ['answers in time', freezing(49), 'no threshold was given', []],
  ['late calls', freezing(80), 'no threshold was given', ['load-send-lag']],
  ['no answer', { load: {}, answer: () => rejection(429) }, 'no question was answered', ['not-counted']],
  ['a closed loop, which hides stalls', { load: CLOSED }, 'no threshold was given', ['load-closed-loop']],
  [
    'dropped threads',
    { load: { maxInFlight: 1 }, ms: () => 110 },
    '50.0 % of the conversations were dropped; no threshold was given',
    ['load-threads-dropped'],
  ],
])('a test with %s', async (_, script, reason, warnings) => {
  const folded = createLoadFold(loadManifest(script.load), () => [])
  for (const event of await loadEvents(makeThreads(1), script)) folded.add(event)
  const made = folded.finish()
  expect([made.reason, made.warnings.map(({ code }) => code)]).toEqual([reason, warnings])
})

test('the rate of calls of its progress covers the last seconds', async () => {
  const load = { model: flat(20, 60) }
  const live = createLoadCounts(loadManifest(load))
  live.add({ kind: 'pace', at: WALL_START, pace: null, cause: 'start' })
  const events = await loadEvents(makeThreads(1), { load, ms: () => 100 })
  expect(live.snapshot(WALL_START)).toMatchObject({ elapsedMs: 0, plannedMs: 60_000, callRate: null })
  // Read every second; from the sixtieth on, nothing comes.
  for (let second = 1; second <= 70; second += 1) {
    const [from, to] = [WALL_START + 1000 * (second - 1), WALL_START + 1000 * second]
    for (const event of events)
      if (event.kind !== 'question' && event.at > from && event.at <= to) live.add(event)
    const { elapsedMs, callRate } = live.snapshot(to)
    expect(elapsedMs).toBe(1000 * second)
    if (second > 1 && second < 60) expect(Math.abs((callRate ?? 0) - 20)).toBeLessThanOrEqual(2)
    if (second > 66) expect(callRate).toBe(0)
  }
})

const answer = makeReply('KNOWLEDGE_BASE')
const refused = (httpStatus: number, code: string): AttemptResult => ({
  kind: 'rejection',
  httpStatus,
  error: { code, message: 'Refused.' },
})
const [quota, rate] = [refused(429, 'insufficient_quota'), refused(429, 'RATE_LIMITED')]

function refusalsOf(results: readonly AttemptResult[]) {
  const refusals = createRefusals()
  // Answers arrive last, in whichever order the calls were sent.
  const calls = results.map((result, index) => ({ result, attempt: index + 1 }))
  const late = calls.toSorted((a, b) => Number(a.result.kind === 'reply') - Number(b.result.kind === 'reply'))
  for (const call of late) refusals.add({ kind: 'result', at: 0, waitMs: 0, serviceMs: 1, ...call })
  return refusals.finish()
}

const CALLS = { answer, quota, rate, invalid: refused(400, 'VALIDATION'), bare: rejection(429) }
type Refused = [what: string, calls: (keyof typeof CALLS)[], text: string | null]
test.each(readRows<Refused>(new URL('refusals.ndjson', import.meta.url)))(
  'of a quota that is used up, it says with %s',
  (_, calls, text) => {
    expect(refusalsOf(calls.map((call) => CALLS[call])).quota?.text ?? null).toBe(text)
  },
)

test('codes of refusals are named with their number', () => {
  expect(refusedText(refusalsOf([rate, rate, quota, answer]))).toBe(
    'Calls refused: 2 with 429 RATE_LIMITED, 1 with 429 insufficient_quota.',
  )
})
