// How far a run is, from its records to the line on the screen: done, pace, coverage, 429s, errors, time left, and a pause.
import { describe, expect, test } from 'vitest'
import { describeRun } from '../../src/cli/progress.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import type { PaceEvent, RunProgress } from '../../src/library/events.ts'
import { createRunWork } from '../../src/library/run.ts'
import type { Session } from '../../src/library/session.ts'
import { makeThreads } from '../support/questions.ts'
import { makeManifest } from '../support/summaries.ts'
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

function progressAfter(records: readonly JournalRecord[], threads = makeThreads(2, 2)): RunProgress {
  const work = createRunWork({ manifest: makeManifest(), threads } as unknown as Session)
  for (const record of records) work.note(record)
  return work.progress(at) as RunProgress
}
const lineAfter = (records: readonly JournalRecord[], pace?: PaceEvent): string =>
  describeRun(progressAfter(records), pace, [], at)
const paced = (more: Partial<PaceEvent> = {}): PaceEvent => ({
  kind: 'pace',
  pace: 4,
  pausedUntil: null,
  cause: 'start',
  ...more,
})

describe('progress', () => {
  test('begins with nothing, and claims no coverage of nothing', () => {
    expect(lineAfter([])).toBe('░░░░░░░░░░░░ 0/4 · 429s 0 · errors 0')
  })

  test('writes thousands apart in all of its counts', () => {
    const records = Array.from({ length: 1200 }, (_, place_) =>
      answered(place_ + 1, place_, 'KNOWLEDGE_BASE'),
    ).flat()
    expect(describeRun(progressAfter(records, makeThreads(2000)), undefined, [], at)).toBe(
      '███████░░░░░ 1,200/2,000 · grounded 100.0 % · 429s 0 · errors 0',
    )
  })

  test('counts what is done, what was grounded, and the time that the rest will take', () => {
    const records = [...answered(1, 0, 'KNOWLEDGE_BASE'), ...answered(2, 1, 'MODEL')]
    const recent = [{ at, done: 0 }]
    expect(describeRun(progressAfter(records), paced(), recent, at + 10_000)).toBe(
      '██████░░░░░░ 2/4 · 4/s · grounded 50.0 % · 429s 0 · errors 0 · 10.0 s left',
    )
  })

  test('says until when it pauses, and guesses no time left meanwhile', () => {
    const result = { kind: 'rejection', httpStatus: 429, error: { message: 'slow down' } } as const
    const refusal: JournalRecord = { kind: 'result', at, attempt: 2, waitMs: 0, serviceMs: 5, result }
    const pause = paced({ pausedUntil: at + 43_000, cause: '429, Retry-After 43 s' })
    expect(lineAfter([...answered(1, 0, 'KNOWLEDGE_BASE'), refusal], pause)).toBe(
      '███░░░░░░░░░ 1/4 · paused until 12:00:43Z · grounded 100.0 % · 429s 1 · errors 0',
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
    expect(lineAfter([...answered(1, 0, 'MODEL'), ...answered(2, 2, 'KNOWLEDGE_BASE'), restart])).toBe(
      '███░░░░░░░░░ 1/4 · grounded 100.0 % · 429s 0 · errors 0',
    )
  })
})
