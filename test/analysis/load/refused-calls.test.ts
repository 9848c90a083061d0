// Which calls of a load test wait to be asked again, and until when: told by its records as they come.
import { expect, test } from 'vitest'
import { createLiveGatherer } from '../../../src/analysis/load/live-gatherer.ts'
import type { AttemptResult } from '../../../src/domain/attempt.ts'
import type { JournalRecord } from '../../../src/domain/journal.ts'
import { loadManifest, LOAD_START, makeLoad } from '../../support/load-journal.ts'
import { goodAnswer, rejection } from '../../support/load.ts'

const place = (question: number) => ({ question, repeat: 1, conversation: 1 })
const intent = (attempt: number, question: number, at = 0): JournalRecord => ({
  kind: 'intent',
  at: LOAD_START + at,
  attempt,
  ...place(question),
  conversationId: null,
})
const result = (attempt: number, value: AttemptResult, at = 10): JournalRecord => ({
  kind: 'result',
  at: LOAD_START + at,
  attempt,
  waitMs: 0,
  serviceMs: 10,
  result: value,
})
const outcome = (question: number, attempt: number): JournalRecord => ({
  kind: 'outcome',
  at: LOAD_START + 20,
  ...place(question),
  outcome: 'answered',
  attempt,
  contextLost: false,
})
const pace = (until: number | undefined): JournalRecord => ({
  kind: 'pace',
  at: LOAD_START,
  pace: null,
  cause: '429',
  ...(until === undefined ? {} : { pausedUntil: LOAD_START + until }),
})
const good = goodAnswer({ request: { message: '' }, number: 1, at: 0 })

function gather(retry429: boolean, records: readonly JournalRecord[]) {
  const gatherer = createLiveGatherer(loadManifest(makeLoad({ retry429 })))
  for (const record of records) gatherer.add(record)
  return (at: number) => gatherer.live(LOAD_START + at).toAskAgain
}
const refusedTwo = [1, 2, 3]
  .map((attempt) => intent(attempt, attempt))
  .concat([result(1, rejection(429)), result(2, rejection(429)), result(3, good), outcome(3, 3)])

test('all that were refused wait until the pause is over, and are told until each has gone again', () => {
  const at = gather(true, [...refusedTwo, pace(2000)])
  const pausedUntil = LOAD_START + 2000
  expect(at(1500)).toEqual({ calls: 2, pausedUntil })
  expect(at(2000)).toEqual({ calls: 2, pausedUntil: undefined })
  const gone = gather(true, [...refusedTwo, pace(2000), intent(4, 1, 2000)])
  expect(gone(2001)).toEqual({ calls: 1, pausedUntil: undefined })
  const again = [intent(4, 1, 2000), intent(5, 2, 2000), result(4, rejection(429), 2010), pace(3010)]
  expect(gather(true, [...refusedTwo, pace(2000), ...again])(2500)).toMatchObject({ calls: 1 })
})

test('nobody waits where none was refused, nor where refused calls end their thread', () => {
  expect(gather(true, [intent(1, 1), result(1, good), outcome(1, 1), pace(2000)])(500)).toBeUndefined()
  expect(gather(false, [...refusedTwo, pace(2000)])(500)).toBeUndefined()
})
