// Protects the numbering of attempts in merged journals: no number twice, none lost, each journal in its own
// order.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JournalRecord } from '../../src/domain/journal.ts'
import { createRenumbering } from '../../src/journal/read.ts'

const session = (number: number): JournalRecord => ({
  kind: 'session',
  at: 0,
  session: number,
  harnessVersion: '0',
})
const intent = (attempt: number): JournalRecord => ({
  kind: 'intent',
  at: 0,
  attempt,
  question: 0,
  repeat: 1,
  conversation: 1,
  conversationId: null,
})
const numberOf = (record: JournalRecord): number => ('attempt' in record ? (record.attempt ?? 0) : 0)

/** For each shard: attempts in each session, and lines lost at its end. */
const shards = fc.array(
  fc.record({ sessions: fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }), lost: fc.nat(3) }),
  { minLength: 1, maxLength: 4 },
)

test('numbers continue over shards, lost lines keep numbers, and a resume of the merged run keeps its own', () => {
  fc.assert(
    fc.property(shards, (all) => {
      const renumber = createRenumbering()
      const [given, expected]: [number[], number[]] = [[], []]
      let [total, sessionsInAll] = [0, 0]
      for (const { sessions, lost } of all) {
        let own = 0
        for (const [place, attempts] of sessions.entries()) {
          renumber.number(session(place + 1))
          sessionsInAll += 1
          for (let count = 0; count < attempts; count += 1) {
            given.push(numberOf(renumber.number(intent((own += 1)))))
            expected.push(total + own)
          }
        }
        for (let count = 0; count < lost; count += 1) renumber.reserve()
        total += own + lost
      }
      renumber.number(session(sessionsInAll + 1))
      given.push(numberOf(renumber.number(intent(total + 1))))
      expect(given).toEqual([...expected, total + 1])
    }),
  )
})

test('records without an attempt are unchanged', () => {
  const { number } = createRenumbering()
  const pace: JournalRecord = { kind: 'pace', at: 1, pace: 2, cause: 'start' }
  expect(number(pace)).toBe(pace)
})
