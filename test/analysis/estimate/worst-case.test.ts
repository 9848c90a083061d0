// The worst case, against the real runner: no endpoint makes it count more, and some endpoint makes it count as much.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateParts } from '../../../src/analysis/estimate/calls.ts'
import { groupAlike, groupRepeats } from '../../../src/analysis/estimate/chain.ts'
import { worstOfGroup, type CallRules } from '../../../src/analysis/estimate/worst-case.ts'
import type { AttemptResult } from '../../../src/domain/attempt.ts'
import { openThread, type PlannedTurn, type ThreadState } from '../../../src/runner/thread-state.ts'
import { endure, type Adversary, type AdversaryCall } from '../../support/adversary.ts'
import { makeQuestion } from '../../support/questions.ts'

interface Turn {
  readonly mustPass: boolean
  readonly expects: boolean
}

/** Threads of such turns, each as often as it is asked; what is expected never comes. */
function threadsOf(shapes: readonly (readonly Turn[])[], repeats: number): ThreadState[] {
  let index = 0
  const threads = shapes.map((shape, order) =>
    shape.map(({ mustPass, expects }, place): PlannedTurn => {
      const more = { mustPass, ...(expects ? { expect: { contains: ['never said'] } } : {}) }
      return { index: index++, question: makeQuestion(`q${index}`, `t${order}`, place + 1, more) }
    }),
  )
  return Array.from({ length: repeats }, (_, before) =>
    threads.flatMap(([first, ...rest], order) =>
      first === undefined ? [] : [openThread(order, [first, ...rest], before + 1)],
    ),
  ).flat()
}

const reply = (conversationId: string, message = 'an answer'): AttemptResult => ({
  kind: 'reply',
  httpStatus: 200,
  reply: { conversationId, message, status: 'success', contextSource: 'KNOWLEDGE_BASE' },
})
const rejection = (httpStatus: number): AttemptResult => ({
  kind: 'rejection',
  httpStatus,
  error: { message: 'no' },
})
const own = ({ request, first, repeat, conversation }: AdversaryCall): string =>
  request.conversationId ?? `c-${first}-${repeat}-${conversation}`

let ids = 0
/** Everything that an endpoint can do to a call. */
const MISCHIEF: readonly ((call: AdversaryCall) => AttemptResult)[] = [
  (call) => reply(own(call)),
  (call) => reply(own(call), 'never said'),
  () => reply(`other-${(ids += 1)}`),
  () => rejection(503),
  () => rejection(429),
  () => rejection(400),
  () => ({ kind: 'timeout', message: 'no answer' }),
  () => ({ kind: 'timeout', httpStatus: 200, message: 'cut off' }),
  () => ({ kind: 'malformed', httpStatus: 200, reason: 'no JSON', excerpt: '' }),
  () => ({ kind: 'network', sent: true, code: 'ECONNRESET', message: 'reset' }),
  () => ({ kind: 'network', sent: false, code: 'ECONNREFUSED', message: 'refused' }),
]

const rulesArbitrary: fc.Arbitrary<CallRules> = fc.record({
  restartOnAmbiguous: fc.boolean(),
  rotatingIds: fc.boolean(),
})
const threadArbitrary = fc.array(fc.record({ mustPass: fc.boolean(), expects: fc.boolean() }), {
  minLength: 1,
  maxLength: 4,
})

test('whatever the endpoint does, no more is counted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(threadArbitrary, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 2 }),
      rulesArbitrary,
      fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
      fc.infiniteStream(fc.integer({ min: 0, max: MISCHIEF.length - 1 })),
      async (shapes, repeats, rules, maxCalls, mischief) => {
        const threads = threadsOf(shapes, repeats)
        const { calls } = estimateParts(groupRepeats(threads), rules, maxCalls ?? null).total
        const answer: Adversary = (call) => (MISCHIEF[mischief.next().value] ?? own)(call) as AttemptResult
        const limits = maxCalls === undefined ? {} : { maxCalls }
        const { counted, attempts } = await endure(threads, answer, { ...rules, ...limits })
        expect(counted).toBeLessThanOrEqual(calls.worst)
        expect(attempts).toBeLessThanOrEqual(calls.worstAttempts)
      },
    ),
    { numRuns: 80 },
  )
})

test('repeats that stand alike are counted as each of them would be', () => {
  fc.assert(
    fc.property(
      fc.array(threadArbitrary, { maxLength: 3 }),
      fc.integer({ min: 1, max: 5 }),
      rulesArbitrary,
      (shapes, repeats, rules) => {
        const alike = threadsOf(shapes, 1).map((thread) => groupAlike(thread, repeats))
        const each = groupRepeats(threadsOf(shapes, repeats))
        expect(estimateParts(alike, rules, null)).toEqual(estimateParts(each, rules, null))
      },
    ),
  )
})

describe('some endpoint makes it count as much', () => {
  test('the last answer of every thread is lost, with its repeats', async () => {
    await fc.assert(
      fc.asyncProperty(
        threadArbitrary,
        fc.integer({ min: 1, max: 3 }),
        rulesArbitrary,
        async (shape, repeats, rules) => {
          const [group] = groupRepeats(threadsOf([shape], repeats))
          const answer: Adversary = (call) => {
            const place = Number(call.request.message.replace('message of q', '')) - call.first
            return call.conversation === 1 && place === shape.length ? rejection(500) : reply(own(call))
          }
          const { counted } = await endure(threadsOf([shape], repeats), answer, rules)
          expect(counted).toBe(group === undefined ? 0 : worstOfGroup(group, rules))
        },
      ),
      { numRuns: 30 },
    )
  })

  test.each([
    { next: 0, resumed: false, counted: 6, without: 3 },
    { next: 1, resumed: false, counted: 5, without: 2 },
    { next: 1, resumed: true, counted: 7, without: 4 },
    { next: 2, resumed: true, counted: 7, without: 4 },
    { next: 3, resumed: false, counted: 0, without: 0 },
  ])('a thread of three turns that goes on: %j', async ({ next, resumed, counted, without }) => {
    for (const restartOnAmbiguous of [true, false]) {
      const turn = { mustPass: false, expects: false }
      const open = (): ThreadState[] =>
        threadsOf([[turn, turn, turn]], 1).map((thread) => ({
          ...thread,
          next,
          resumed,
          conversationId: next > 0 ? 'old' : undefined,
        }))
      const rules = { restartOnAmbiguous, rotatingIds: false }
      const [group] = groupRepeats(open())
      const expected = restartOnAmbiguous ? counted : without
      expect(group === undefined ? 0 : worstOfGroup(group, rules)).toBe(expected)
      let hasForgotten = false
      const answer: Adversary = (call) => {
        if (resumed && !hasForgotten) {
          hasForgotten = true
          return reply('forgotten')
        }
        const isLast = call.request.message === 'message of q3'
        return isLast ? rejection(500) : reply(own(call))
      }
      expect((await endure(open(), answer, rules)).counted).toBe(expected)
    }
  })

  test('with rotating ids nobody knows that a conversation was forgotten', () => {
    const [thread] = threadsOf([[{ mustPass: false, expects: false }]], 1)
    const group = thread && groupAlike({ ...thread, resumed: true }, 1)
    const rules = { restartOnAmbiguous: true, rotatingIds: true }
    expect(group && worstOfGroup(group, rules)).toBe(2)
  })
})
