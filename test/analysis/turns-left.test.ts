// Protects the number of calls that finish a run: a conversation of unknown state is sent again from its start.
import { expect, test } from 'vitest'
import { createFold, turnsLeft } from '../../src/analysis/figures/fold.ts'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import { createTurnJoiner, type JournalRecord } from '../../src/domain/journal.ts'
import { callRecords, journalOf, makeQuestion, makeReply, makeTurn, START } from '../support/recorded.ts'

const first = makeQuestion('q1', 't', 1)
const questions = [first, makeQuestion('q2', 't', 2)]

test.each<[string, AttemptResult | undefined, boolean, number]>([
  ['whose next call was never sent', { kind: 'abandoned', sent: false }, false, 1],
  ['whose next call has no result', undefined, false, 2],
  ['whose next call was given up', { kind: 'abandoned', sent: true }, false, 2],
  // The call that finds it forgotten, and both again.
  ['that a new sandbox does not know', { kind: 'abandoned', sent: false }, true, 3],
])('of a conversation %s', (_, result, forgets, left) => {
  const place = { attempt: 2, question: 1, repeat: 1, conversation: 1, conversationId: 'c1' }
  const calls: JournalRecord[] = [
    ...callRecords(makeTurn({ index: 0, question: first, result: makeReply('MODEL') }), 1),
    { kind: 'intent', at: START, ...place },
  ]
  if (result !== undefined)
    calls.push({ kind: 'result', at: START, attempt: 2, waitMs: 0, serviceMs: 1, result })
  const fold = createFold()
  const join = createTurnJoiner()
  for (const [offset, record] of [...journalOf(questions, calls, {})].entries())
    fold.add(join(record), { journal: 0, offset, length: 0 })
  expect(turnsLeft(fold.finish(), forgets)).toBe(left)
})
