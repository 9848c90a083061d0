// Protects estimates: figures computed by hand, and a worst case that the real runner never exceeds.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateRun, type EstimateRules, paceOfRun } from '../../src/analysis/figures/estimate.ts'
import { createFold } from '../../src/analysis/figures/fold.ts'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import type { Estimate } from '../../src/domain/estimate.ts'
import type { JournalEvent } from '../../src/domain/journal.ts'
import { openThread, type PlannedTurn, type ThreadState } from '../../src/runner/thread.ts'
import { usageClassOf } from '../../src/analysis/figures/account.ts'
import { playRun, type Call, type RunScript } from '../support/play.ts'
import { makeQuestion, makeReply, network, rejection, timeout } from '../support/recorded.ts'

const rules: EstimateRules = {
  confirm: 0,
  restartOnAmbiguous: true,
  maxCalls: null,
  quota: { calls: 100, period: 'month' },
  pace: { kind: 'paced', perSecond: 2 },
  concurrency: 64,
}

/** Threads of the given sizes, each in its own file, with expectations that are never met. */
function threadsOf(sizes: readonly number[], repeats = 1): ThreadState[] {
  let index = 0
  const threads = sizes.map((size, file) =>
    Array.from({ length: size }, (_, place): PlannedTurn => {
      const more = { file, mustPass: place % 2 === 0, expect: { contains: ['never said'] } }
      return { index: index++, question: makeQuestion(`q${index}`, `t${file}`, place + 1, more) }
    }),
  )
  return Array.from({ length: repeats }, (_, before) =>
    threads.flatMap(([first, ...rest], order) =>
      first === undefined ? [] : [openThread(order, [first, ...rest], before + 1)],
    ),
  ).flat()
}

const estimateOf = (sizes: readonly number[], more: Partial<EstimateRules> = {}, repeat = 1): Estimate =>
  estimateRun(
    { threads: threadsOf(sizes), repeat, files: sizes.map((_, file) => ({ path: `${file}.csv` })) },
    { ...rules, ...more },
  )

const UNKNOWN = { kind: 'unknown', startPerSecond: 1 } as const
const RECORDED = { kind: 'recorded', run: 'night', perSecond: 4, seen: { how: 'refused' } } as const
test.each<[string, readonly number[], Partial<EstimateRules>, number]>([
  ['the longest thread', [2, 1], {}, 6000],
  // 40 gaps of half a second, and 39.
  ['the pace', Array(41).fill(1), {}, 20_000],
  ['the pace', Array(40).fill(1), {}, 19_500],
  ['calls in flight', Array(40).fill(1), { concurrency: 2 }, 60_000],
  // Two gaps of a second, then the longest thread.
  ['the starting pace while the limit is not known', [2, 1], { pace: UNKNOWN }, 8000],
  ['calls in flight, of an unknown limit', Array(40).fill(1), { pace: UNKNOWN, concurrency: 2 }, 63_000],
  ['an earlier run', Array(41).fill(1), { pace: RECORDED, answerTime: { run: 'night', ms: 500 } }, 10_000],
  ['the answers of an earlier run', [4], { pace: RECORDED, answerTime: { run: 'night', ms: 500 } }, 2000],
  ['a budget', [2, 1], { maxCalls: 1 }, 3000],
  ['nothing in an empty set', [], {}, 0],
])('the time depends on %s', (_, sizes, more, ms) => {
  expect(estimateOf(sizes, more).time).toMatchObject({
    ms,
    bound: more.pace?.kind === 'unknown' ? 'about' : 'at least',
  })
})

interface AdversaryCall extends Pick<Call, 'request'> {
  /** Number of the thread's first question, from 0; its repeat, and the conversation within that repeat, both from 1. */
  readonly first: number
  readonly repeat: number
  readonly conversation: number
}
type Adversary = (call: AdversaryCall) => AttemptResult

/** Runs a whole session against such an endpoint. Returns how many attempts count, certain or possible. */
async function countUsage(threads: readonly ThreadState[], answer: Adversary, script: RunScript) {
  const reply = ({ request }: Call): AttemptResult => {
    const [, first = 0, repeat = 0, conversation = 0] = (request.endUserRef ?? '').split('-').map(Number)
    return answer({ request, first: first - 1, repeat, conversation })
  }
  const { of } = await playRun(threads, reply, { ...script, concurrency: 4, giveUpAfterMs: Infinity })
  return of('result').filter(({ result }) => usageClassOf(result) !== 'notCounted').length
}

const replyOf = (conversationId: string, message = 'an answer'): AttemptResult =>
  makeReply('KNOWLEDGE_BASE', message, conversationId)
const own = ({ request, first, repeat, conversation }: AdversaryCall): string =>
  request.conversationId ?? `c-${first}-${repeat}-${conversation}`

let ids = 0
/** Every kind of result that a call can have. */
const FAULTS: readonly ((call: AdversaryCall) => AttemptResult)[] = [
  (call) => replyOf(own(call)),
  (call) => replyOf(own(call), 'never said'),
  () => replyOf(`other-${(ids += 1)}`),
  () => rejection(503),
  () => rejection(429),
  () => rejection(400),
  () => timeout,
  () => ({ ...timeout, httpStatus: 200 }),
  () => ({ kind: 'malformed', httpStatus: 200, reason: 'no JSON', excerpt: '' }),
  () => network(true),
  () => network(false),
]
const world = {
  sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
  repeats: fc.integer({ min: 1, max: 2 }),
  restartOnAmbiguous: fc.boolean(),
  rotatingIds: fc.boolean(),
}

test('whatever the endpoint does, no more calls count than the worst case', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ ...world, maxCalls: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }) }),
      fc.infiniteStream(fc.nat(FAULTS.length - 1)),
      async ({ sizes, repeats, maxCalls, ...how }, faults) => {
        const { worst } = estimateOf(sizes, { ...how, maxCalls: maxCalls ?? null }, repeats).calls
        const answer: Adversary = (call) => (FAULTS[faults.next().value] ?? own)(call) as AttemptResult
        const limits = maxCalls === undefined ? {} : { maxCalls }
        const counted = await countUsage(threadsOf(sizes, repeats), answer, { ...how, ...limits })
        expect(counted).toBeLessThanOrEqual(worst)
      },
    ),
    { numRuns: 150 },
  )
})

test('an endpoint that loses the last answer of every thread reaches the worst case', async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(world), async ({ sizes, repeats, ...how }) => {
      const lastOfThread = new Set(threadsOf(sizes).map(({ turns }) => turns.at(-1)?.question.message))
      const answer: Adversary = (call) =>
        call.conversation === 1 && lastOfThread.has(call.request.message)
          ? rejection(500)
          : replyOf(own(call))
      const counted = await countUsage(threadsOf(sizes, repeats), answer, how)
      expect(counted).toBe(estimateOf(sizes, how, repeats).calls.worst)
    }),
    { numRuns: 40 },
  )
})

test('the pace of a run of days is its last one', () => {
  const fold = createFold()
  const add = (event: JournalEvent): void => fold.add(event, { journal: 0, offset: 0, length: 0 })
  for (let at = 1; at <= 12_000; at += 1) add({ kind: 'pace', at, pace: at, cause: 'accepted' })
  add({ kind: 'result', at: 1, attempt: 1, waitMs: 0, serviceMs: 1, result: rejection(429) })
  expect(paceOfRun(fold.finish())).toEqual({ perSecond: 12_000, seen: { how: 'refused' } })
})

test('the pace after a 429 is no faster than calls were accepted: it may be that of a burst', () => {
  const fold = createFold()
  const add = (event: JournalEvent): void => fold.add(event, { journal: 0, offset: 0, length: 0 })
  const ended = { kind: 'result', waitMs: 0, serviceMs: 1 } as const
  add({ kind: 'session', at: 0, session: 1, harnessVersion: '0.4.0' })
  for (let attempt = 1; attempt <= 50; attempt += 1)
    add({ ...ended, at: attempt, attempt, result: replyOf('c') })
  add({ ...ended, at: 100, attempt: 51, result: rejection(429) })
  add({ kind: 'pace', at: 40_000, pace: 64, cause: 'set to the accepted rate' })
  for (let attempt = 52; attempt <= 101; attempt += 1)
    add({ ...ended, at: 50_000, attempt, result: replyOf('c') })
  expect(paceOfRun(fold.finish())).toEqual({ perSecond: 2, seen: { how: 'refused' } })
})
