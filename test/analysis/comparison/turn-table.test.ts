// Turns kept as numbers come back as they were.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeptKinds } from '../../../src/analysis/comparison/kept-kinds.ts'
import { createTurnTable } from '../../../src/analysis/comparison/turn-table.ts'
import type { TurnSummary } from '../../../src/analysis/comparison/turn-summary.ts'
import { CHANGE_KINDS } from '../../../src/domain/comparison/change.ts'
import { OUTCOMES } from '../../../src/domain/outcome.ts'

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined })
const milliseconds = maybe(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }))

test('of any run, in their order', () => {
  const question = fc.record({
    id: fc.string(),
    file: fc.nat(3),
    thread: fc.string(),
    turn: fc.integer({ min: 1, max: 1000 }),
    message: fc.string(),
    tags: fc.array(fc.string(), { maxLength: 3 }),
    mustPass: fc.boolean(),
  })
  const came = fc.record({
    index: fc.nat(4),
    repeat: fc.integer({ min: 1, max: 500 }),
    outcome: maybe(fc.constantFrom(...OUTCOMES)),
    contextLost: fc.boolean(),
    contextSource: maybe(fc.string()),
    grounded: maybe(fc.boolean()),
    passed: maybe(fc.boolean()),
    serviceMs: milliseconds,
    waitMs: milliseconds,
  })
  fc.assert(
    fc.property(
      fc.array(question, { minLength: 5, maxLength: 5 }),
      fc.array(came, { maxLength: 20 }),
      (questions, all) => {
        const turns = all.flatMap((one): TurnSummary[] => {
          const asked = questions[one.index]
          return asked === undefined ? [] : [{ ...asked, ...one }]
        })
        const table = createTurnTable()
        for (const turn of turns) table.add(turn)
        const kept = table.finish()
        expect([...kept]).toEqual(turns)
        expect([kept.length, kept.at(turns.length), kept.at(-1)]).toEqual([
          turns.length,
          undefined,
          undefined,
        ])
      },
    ),
  )
})

test('what became of a question, by the kinds of change', () => {
  const kinds = fc.record({
    kinds: fc.subarray([...CHANGE_KINDS]),
    flakyGrounding: fc.boolean(),
    flakyVerdict: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(kinds), (all) => {
      const kept = createKeptKinds()
      for (const one of all) kept.add(one)
      expect(all.map((_, place) => kept.at(place))).toEqual(all)
    }),
  )
})
