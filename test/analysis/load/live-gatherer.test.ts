// What a terminal shows of a load test counts what the whole gatherer counts of the same records.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLoadGatherer } from '../../../src/analysis/load/gather.ts'
import { createLiveGatherer } from '../../../src/analysis/load/live-gatherer.ts'
import type { AttemptResult } from '../../../src/domain/attempt.ts'
import type { LoadOptions } from '../../../src/domain/load.ts'
import { LOAD_START, loadManifest, makeLoad } from '../../support/load-journal.ts'
import { flat, goodAnswer, playLoad, rejection, type LoadCall } from '../../support/load.ts'
import { makeThreads } from '../../support/questions.ts'

const KINDS = [
  'good',
  'other source',
  'forgets',
  'refused',
  'fails',
  'malformed',
  'timeout',
  'unsent',
] as const

function answerOf(kind: (typeof KINDS)[number], call: LoadCall): AttemptResult {
  switch (kind) {
    case 'good':
      return goodAnswer(call)
    case 'other source':
    case 'forgets': {
      const good = goodAnswer(call)
      if (good.kind !== 'reply') return good
      const changed =
        kind === 'forgets' ? { conversationId: `new${call.number}` } : { contextSource: 'SOMETHING_ELSE' }
      return { ...good, reply: { ...good.reply, ...changed } }
    }
    case 'refused':
      return rejection(429)
    case 'fails':
      return rejection(503)
    case 'malformed':
      return { kind: 'malformed', httpStatus: 200, reason: 'the body is not JSON', excerpt: 'x' }
    case 'timeout':
      return { kind: 'timeout', message: 'no answer after 30.0 s' }
    case 'unsent':
      return { kind: 'network', sent: false, code: 'ECONNREFUSED', message: 'refused' }
  }
}

const script = fc.record({
  isClosed: fc.boolean(),
  maxInFlight: fc.integer({ min: 1, max: 20 }),
  thinkMs: fc.constantFrom(0, 300),
  serviceMs: fc.array(fc.integer({ min: 1, max: 2500 }), { minLength: 1, maxLength: 7 }),
  kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 11 }),
  lengths: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
  maxCalls: fc.integer({ min: 1, max: 120 }),
})

test('of any test, open or closed', async () => {
  await fc.assert(
    fc.asyncProperty(script, async (one) => {
      const load: LoadOptions = makeLoad({
        model: one.isClosed ? { kind: 'closed', users: 6, durationMs: 12_000 } : flat(8, 12),
        thinkTime: { kind: 'constant', ms: one.thinkMs },
        maxInFlight: one.maxInFlight,
      })
      const threads = makeThreads(...one.lengths)
      const { records } = await playLoad(threads, {
        load,
        rules: { maxCalls: one.maxCalls },
        serviceMs: ({ number }) => one.serviceMs[number % one.serviceMs.length] ?? 1,
        answer: (call) => answerOf(one.kinds[call.number % one.kinds.length] ?? 'good', call),
      })
      const manifest = loadManifest(load)
      const [whole, live] = [createLoadGatherer(manifest), createLiveGatherer(manifest)]
      for (const thread of threads)
        for (const turn of thread.turns) {
          whole.add({ kind: 'question', ...turn })
          live.add({ kind: 'question', ...turn })
        }
      for (const record of records) {
        whole.add(record)
        live.add(record)
      }
      const { achieved, dropped, errors, pacing, turns, coverage } = whole.figures()
      expect(live.live(LOAD_START)).toMatchObject({
        inFlight: 0,
        calls: achieved.calls,
        refused: pacing.rateLimited,
        dropped: dropped.threads,
        answered: turns.answered,
        errors: errors.errors,
        coverage: coverage.rate,
      })
    }),
    { numRuns: 60 },
  )
})
