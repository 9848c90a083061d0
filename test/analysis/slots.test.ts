// Turns as columns, against an object a turn.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keepInMemory } from '../../src/analysis/keeping.ts'
import { newSlot, Slots, type Slot } from '../../src/analysis/slots.ts'
import { OUTCOMES } from '../../src/domain/outcome.ts'
import { packPlaces } from '../../src/journal/packed-places.ts'

const index = fc.nat(6)
const repeat = fc.integer({ min: 1, max: 3 })
type Change = (slots: Slots<number>, slot: number, known: Slot<number>) => Slot<number>

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.integer({ min: 1, max: 400 }).map((conversation): Change => (slots, slot, known) => {
    slots.setConversation(slot, conversation)
    return { ...known, conversation }
  }),
  fc.integer({ min: 2, max: 9 }).map((conversation): Change => (slots, slot, known) => {
    slots.restart(slot, conversation)
    const { index: number, repeat: time, usage, rateLimited } = known
    return { ...newSlot(number, time), usage, rateLimited, conversation }
  }),
  fc
    .tuple(fc.constantFrom(...OUTCOMES), fc.boolean())
    .map(([outcome, contextLost]): Change => (slots, slot, known) => {
      slots.end(slot, outcome, contextLost)
      return { ...known, outcome, contextLost }
    }),
  fc
    .tuple(fc.integer({ min: 1, max: 2 ** 31 }), fc.nat(), fc.nat(1000))
    .map(([attempt, place, wait]): Change => (slots, slot, known) => {
      slots.settle(slot, attempt, place, wait / 8)
      return { ...known, last: { attempt, place }, waitMs: known.waitMs + wait / 8 }
    }),
  fc.boolean().map((dangling): Change => (slots, slot, known) => {
    slots.setDangling(slot, dangling)
    return { ...known, dangling }
  }),
  fc
    .tuple(fc.constantFrom('certain', 'possible', 'notCounted'), fc.integer({ min: 1, max: 200 }))
    .map(([kind, more]): Change => (slots, slot, known) => {
      slots.addUsage(slot, kind, more)
      slots.addRateLimited(slot)
      const usage = { ...known.usage, [kind]: known.usage[kind] + more }
      return { ...known, usage, rateLimited: known.rateLimited + 1 }
    }),
)

test('law: a slot is what was said of it, whatever is said of others', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(index, repeat, change), { maxLength: 60 }),
      fc.boolean(),
      (changes, isFew) => {
        const slots = new Slots<number>(keepInMemory<number>().places)
        if (isFew) slots.declareFew(2)
        const known = new Map<number, Slot<number>>()
        for (const [number, time, act] of changes) {
          const slot = slots.make(number, time)
          known.set(slot, act(slots, slot, known.get(slot) ?? newSlot(number, time)))
        }
        expect([...slots.all()]).toEqual([...known.values()])
        for (const one of known.values()) expect(slots.read(one.index, one.repeat)).toEqual(one)
      },
    ),
  )
})

test('law: the order of the set is that of its ranges, each question as often as it is asked', () => {
  const ranges = fc.array(
    fc.tuple(fc.nat(20), fc.nat(4)).map(([from, more]): [number, number] => [from, from + more]),
  )
  fc.assert(
    fc.property(
      ranges,
      fc.integer({ min: 1, max: 3 }),
      fc.infiniteStream(fc.nat()),
      (some, repeats, looks) => {
        const inOrder = new Slots<number>(keepInMemory<number>().places).inOrder({ ranges: some, repeats })
        const expected = some.flatMap(([first, last]) =>
          Array.from({ length: (last - first + 1) * repeats }, (_, place) => [
            first + Math.floor(place / repeats),
            (place % repeats) + 1,
          ]),
        )
        const told = (slot: Slot<number> | undefined): number[] =>
          slot === undefined ? [] : [slot.index, slot.repeat]
        expect(Array.from(inOrder, told)).toEqual(expected)
        const look = (looks.next().value ?? 0) % (expected.length + 1)
        expect(told(inOrder.at(look))).toEqual(expected[look] ?? [])
      },
    ),
  )
})

test('places are kept beyond four gigabytes', () => {
  const places = packPlaces()
  places.set(3, { offset: 2 ** 40 + 5, length: 700 })
  expect(places.at(3)).toEqual({ offset: 2 ** 40 + 5, length: 700 })
  expect(places.at(2).length).toBe(0)
})
