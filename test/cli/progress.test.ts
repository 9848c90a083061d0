// How far a run is, folded from its records: done, pace, coverage, 429s, errors, time left, and the closed gate.
import { describe, expect, test } from 'vitest'
import { createProgress } from '../../src/cli/progress.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import { makeThreads } from '../support/questions.ts'
import { makeReply } from '../support/turns.ts'

const at = Date.UTC(2026, 10, 20, 12, 0, 0)
const place = { repeat: 1, conversation: 1 }

/** An attempt of the question, and the outcome that its answer gives. */
function answered(attempt: number, question: number, contextSource: string): JournalRecord[] {
  return [
    { kind: 'intent', at, attempt, question, ...place, conversationId: null },
    { kind: 'result', at, attempt, waitMs: 0, serviceMs: 5, result: makeReply(contextSource) },
    { kind: 'outcome', at, question, ...place, outcome: 'answered', attempt, contextLost: false },
  ]
}

function describeAfter(records: readonly JournalRecord[], now = at): string {
  const progress = createProgress(makeThreads(2, 2), ['KNOWLEDGE_BASE'])
  for (const record of records) progress.note(record)
  return progress.describe(now)
}

describe('progress', () => {
  test('begins with nothing, and claims no coverage of nothing', () => {
    expect(describeAfter([])).toBe('0/4 turns, 429s 0/0, errors 0')
  })

  test('writes thousands apart in all of its counts', () => {
    const progress = createProgress(makeThreads(2000), ['KNOWLEDGE_BASE'])
    for (let attempt = 1; attempt <= 1200; attempt += 1)
      for (const record of answered(attempt, attempt - 1, 'KNOWLEDGE_BASE')) progress.note(record)
    expect(progress.describe(at)).toBe('1,200/2,000 turns, coverage 100.0 %, 429s 0/1,200, errors 0')
  })

  test('counts what is done, what was grounded, and the time that the rest will take', () => {
    const progress = createProgress(makeThreads(2, 2), ['KNOWLEDGE_BASE'])
    progress.note({ kind: 'pace', at, pace: 4, cause: 'start' })
    progress.describe(at)
    for (const record of [...answered(1, 0, 'KNOWLEDGE_BASE'), ...answered(2, 1, 'MODEL')])
      progress.note(record)
    expect(progress.describe(at + 10_000)).toBe(
      '2/4 turns, pace 4/s, coverage 50.0 %, 429s 0/2, errors 0, 10.0 s left',
    )
  })

  test('says for how long the gate is closed and why, and guesses no time left meanwhile', () => {
    const refusal: JournalRecord = {
      kind: 'result',
      at,
      attempt: 2,
      waitMs: 0,
      serviceMs: 5,
      result: { kind: 'rejection', httpStatus: 429, error: { message: 'slow down' } },
    }
    const closed: JournalRecord = {
      kind: 'pace',
      at,
      pace: 4,
      pausedUntil: at + 43_000,
      cause: '429, Retry-After 43 s',
    }
    expect(describeAfter([...answered(1, 0, 'KNOWLEDGE_BASE'), refusal, closed])).toBe(
      '1/4 turns, closed 43.0 s, next probe 12:00:43Z (429, Retry-After 43 s), coverage 100.0 %, 429s 1/1, errors 0',
    )
  })

  test('takes back what a restarted thread had reached', () => {
    const restart: JournalRecord = {
      kind: 'restart',
      at,
      question: 0,
      repeat: 1,
      conversation: 2,
      cause: 'timeout',
    }
    expect(describeAfter([...answered(1, 0, 'MODEL'), ...answered(2, 2, 'KNOWLEDGE_BASE'), restart])).toBe(
      '1/4 turns, coverage 100.0 %, 429s 0/2, errors 0',
    )
  })
})
