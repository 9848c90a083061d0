// Attempts of several journals under the numbers of one: none twice, none lost, each journal's in its own order.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JournalRecord } from '../../src/domain/journal.ts'
import { createAttemptNumbers } from '../../src/journal/renumber.ts'

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

/** For each event the journal it comes from, and how many attempts before it that journal has lost. */
const events = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 })), {
  maxLength: 80,
})

test('every attempt has a number of its own, what is lost before it has one, too', () => {
  fc.assert(
    fc.property(events, (all) => {
      const numbers = createAttemptNumbers()
      const journals = [0, 1, 2, 3].map(() => ({
        renumber: numbers.forJournal(),
        last: 0,
        given: [] as number[],
      }))
      for (const [place, lost] of all) {
        const journal = journals[place]
        if (journal === undefined) throw new Error('there are four journals')
        journal.last += lost + 1
        const number = numberOf(journal.renumber(intent(journal.last)))
        // Whatever comes of the attempt carries its number.
        expect(numberOf(journal.renumber(intent(journal.last)))).toBe(number)
        expect(number).toBe(numbers.given())
        journal.given.push(number)
      }
      expect(numbers.given()).toBe(journals.reduce((sum, { last }) => sum + last, 0))
      const given = journals.flatMap((journal) => journal.given)
      expect(new Set(given).size).toBe(given.length)
      for (const journal of journals) expect(journal.given).toEqual(journal.given.toSorted((a, b) => a - b))
    }),
  )
})

test('a result whose intent is lost is found again under the number that was kept for it', () => {
  const renumber = createAttemptNumbers().forJournal()
  expect([2, 1, 3].map((attempt) => numberOf(renumber(intent(attempt))))).toEqual([2, 1, 3])
})

test('what carries no attempt stays as it is', () => {
  const renumber = createAttemptNumbers().forJournal()
  const skipped: JournalRecord = {
    kind: 'outcome',
    at: 1,
    question: 2,
    repeat: 1,
    conversation: 1,
    outcome: 'skipped',
    contextLost: false,
  }
  expect(renumber(skipped)).toBe(skipped)
})
