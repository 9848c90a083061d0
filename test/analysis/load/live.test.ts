// Protects the live progress of a load test: it shows the same counts as the report of the same records.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLoadFold } from '../../../src/analysis/load/fold.ts'
import { createLiveCounts } from '../../../src/analysis/load/live.ts'
import type { AttemptResult } from '../../../src/domain/attempt.ts'
import { LOAD_START, loadManifest, loadRecords, makeLoad } from '../../support/load-journal.ts'
import { flat, goodAnswer, network, playLoad, rejection, timeout, type Call } from '../../support/play.ts'
import { makeThreads } from '../../support/questions.ts'

function changed(call: Call, fields: Readonly<Record<string, string>>): AttemptResult {
  const good = goodAnswer(call)
  return good.kind === 'reply' ? { ...good, reply: { ...good.reply, ...fields } } : good
}

const ANSWERS: readonly ((call: Call) => AttemptResult)[] = [
  goodAnswer,
  (call) => changed(call, { contextSource: 'SOMETHING_ELSE' }),
  // The endpoint loses the conversation.
  (call) => changed(call, { conversationId: `new${call.number}` }),
  () => rejection(429),
  () => rejection(503),
  () => ({ kind: 'malformed', httpStatus: 200, reason: 'the body is not JSON', excerpt: 'x' }),
  () => timeout,
  () => network(false),
  () => ({ kind: 'network', sent: false, code: 'EMFILE', message: 'connect EMFILE' }),
]

const script = fc.record({
  isClosed: fc.boolean(),
  maxInFlight: fc.integer({ min: 1, max: 20 }),
  thinkMs: fc.constantFrom(0, 300),
  serviceMs: fc.array(fc.integer({ min: 1, max: 2500 }), { minLength: 1, maxLength: 7 }),
  answers: fc.array(fc.constantFrom(...ANSWERS), { minLength: 1, maxLength: 11 }),
  lengths: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
  maxCalls: fc.integer({ min: 1, max: 120 }),
})

test('the counts equal those of the report, in the open and the closed model', async () => {
  await fc.assert(
    fc.asyncProperty(script, async (one) => {
      const load = makeLoad({
        model: one.isClosed ? { kind: 'closed', users: 6, durationMs: 12_000 } : flat(8, 12),
        thinkTime: { kind: 'constant', ms: one.thinkMs },
        maxInFlight: one.maxInFlight,
      })
      const threads = makeThreads(...one.lengths)
      const { records } = await playLoad(threads, {
        load,
        rules: { maxCalls: one.maxCalls },
        ms: ({ number }) => one.serviceMs[number % one.serviceMs.length] ?? 1,
        answer: (call) => (one.answers[call.number % one.answers.length] ?? goodAnswer)(call),
      })
      const [whole, live] = [createLoadFold(loadManifest(load)), createLiveCounts(loadManifest(load))]
      for (const { turns } of threads) for (const turn of turns) whole.add({ kind: 'question', ...turn })
      for (const record of records) {
        whole.add(record)
        live.add(record)
      }
      const { achieved, dropped, errors, pacing, turns, coverage } = whole.finish()
      expect(live.snapshot(LOAD_START)).toMatchObject({
        inFlight: 0,
        calls: achieved.calls,
        refused: pacing.rateLimited,
        dropped: dropped.threads,
        answered: turns.answered,
        errors: errors.errors,
        coverage: coverage.rate,
      })
    }),
    { numRuns: 30 },
  )
})

test('the rate of calls covers the last seconds', () => {
  const live = createLiveCounts(loadManifest())
  live.add({ kind: 'pace', at: LOAD_START, pace: null, cause: 'start' })
  const records = loadRecords({ respond: () => ({ serviceMs: 100 }) })
  expect(live.snapshot(LOAD_START)).toMatchObject({ elapsedMs: 0, plannedMs: 60_000, callRate: null })
  // 20 per second for a minute, read every second; then nothing.
  for (let second = 1; second <= 70; second += 1) {
    const [from, to] = [LOAD_START + 1000 * (second - 1), LOAD_START + 1000 * second]
    for (const record of records)
      if (record.kind !== 'question' && record.at > from && record.at <= to) live.add(record)
    const { elapsedMs, callRate } = live.snapshot(to)
    expect(elapsedMs).toBe(1000 * second)
    if (second > 1 && second < 60) expect(Math.abs((callRate ?? 0) - 20)).toBeLessThanOrEqual(2)
    if (second > 66) expect(callRate).toBe(0)
  }
})
