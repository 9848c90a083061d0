// The attempts of a journal one by one: with their ids and times, and as many of each class as the account has.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCallGatherer } from '../../../src/analysis/ledger/account-calls.ts'
import { createRunIndexer } from '../../../src/analysis/run-index.ts'
import type { AttemptResult } from '../../../src/domain/attempt.ts'
import type { JournalRecord } from '../../../src/domain/journal.ts'
import type { AccountCall } from '../../../src/domain/reconciliation.ts'
import { makeQuestion } from '../../support/questions.ts'

const options = { runId: 'run-1', timeoutMs: 1000, countRejected: false }
const reply = (conversationId: string): AttemptResult => ({
  kind: 'reply',
  httpStatus: 200,
  reply: { conversationId, message: 'm', status: 's', contextSource: 'c' },
})
const intent = (attempt: number, at: number, more: object = {}): JournalRecord => ({
  kind: 'intent',
  at,
  attempt,
  question: 0,
  repeat: 1,
  conversation: 1,
  conversationId: null,
  ...more,
})
const result = (attempt: number, at: number, came: AttemptResult): JournalRecord => ({
  kind: 'result',
  at,
  attempt,
  waitMs: 0,
  serviceMs: 80,
  result: came,
})
const questions: JournalRecord[] = [
  { kind: 'question', index: 0, question: makeQuestion('a1', 'a', 1) },
  { kind: 'question', index: 1, question: makeQuestion('a2', 'a', 2) },
  { kind: 'question', index: 2, question: makeQuestion('b1', 'b', 1, { endUserRef: 'ann' }) },
]

function gather(records: readonly JournalRecord[], begun: number): AccountCall[] {
  const gatherer = createCallGatherer(options)
  for (const record of records) gatherer.add(record)
  return gatherer.finish(begun)
}

test('each has its times, its ids, and whom it named', () => {
  const calls = gather(
    [
      ...questions,
      intent(1, 1000),
      result(1, 1100, reply('x')),
      intent(2, 1200, { question: 1, conversation: 2, conversationId: 'x' }),
      intent(3, 1300, { question: 2, repeat: 2 }),
      result(3, 1400, { kind: 'rejection', httpStatus: 429, error: { message: 'slow down' } }),
    ],
    4,
  )
  expect(calls).toEqual([
    expect.objectContaining({
      attempt: 1,
      usage: 'certain',
      from: 1000,
      until: 1100,
      returnedId: 'x',
      came: 'answered',
    }),
    expect.objectContaining({
      attempt: 2,
      usage: 'possible',
      from: 1200,
      until: 2200,
      sentId: 'x',
      came: 'no result recorded',
    }),
    expect.objectContaining({ attempt: 3, usage: 'notCounted', refs: ['ann'], repeat: 2, came: 'HTTP 429' }),
    expect.objectContaining({ attempt: undefined, usage: 'possible', from: 1000, until: 2400 }),
  ])
  // The thread's first question names the conversation, whichever of its turns is asked.
  expect(calls[1]?.refs).toContain('run-1-1-1-2')
})

const came = fc.constantFrom<AttemptResult>(
  reply('x'),
  { kind: 'timeout', message: 'late' },
  { kind: 'network', sent: false, code: 'ECONNREFUSED', message: 'refused' },
  { kind: 'rejection', httpStatus: 429, error: { message: 'slow down' } },
  { kind: 'rejection', httpStatus: 500, error: { message: 'broken' } },
)

test('there are as many of each class as the account has, whatever the journal has lost', () => {
  const attempts = fc.array(
    fc.record({
      came,
      question: fc.nat(2),
      hasIntent: fc.boolean(),
      hasResult: fc.boolean(),
      hasOutcome: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(attempts, (drawn) => {
      const records = drawn.flatMap(
        ({ came: what, question, hasIntent, hasResult, hasOutcome }, at): JournalRecord[] => [
          ...(hasIntent ? [intent(at + 1, at * 100, { question })] : []),
          ...(hasResult ? [result(at + 1, at * 100 + 90, what)] : []),
          ...(hasOutcome
            ? [
                {
                  kind: 'outcome',
                  at: at * 100 + 91,
                  question,
                  repeat: 1,
                  conversation: 1,
                  outcome: 'answered',
                  attempt: at + 1,
                  contextLost: false,
                } as const,
              ]
            : []),
        ],
      )
      const indexer = createRunIndexer<undefined>(false)
      for (const record of [...questions, ...records]) indexer.add(record, undefined)
      const index = indexer.finish()
      const calls = gather([...questions, ...records], index.attempts)
      for (const name of ['certain', 'possible', 'notCounted'] as const) {
        const ofSlots = [...index.slots].reduce(
          (sum, { usage }) => sum + usage[name],
          index.usageElsewhere[name],
        )
        expect(calls.filter(({ usage }) => usage === name).length).toBe(ofSlots)
      }
      expect(calls).toHaveLength(index.attempts)
    }),
  )
})

test('of a joined run names the references that its parts made up, beside its own', () => {
  const gatherer = createCallGatherer({ ...options, partIds: ['part-a', 'part-b'] })
  for (const record of [...questions, intent(1, 1000)]) gatherer.add(record)
  const [call] = gatherer.finish(1)
  for (const id of [options.runId, 'part-a', 'part-b']) expect(call?.refs).toContain(`${id}-1-1-1`)
})
