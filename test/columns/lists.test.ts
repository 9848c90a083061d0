// Lists of numbers, counts and groups against plain arrays and maps.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CountList } from '../../src/columns/count-list.ts'
import { DurationList } from '../../src/columns/duration-list.ts'
import { Groups } from '../../src/columns/groups.ts'
import { NumberList } from '../../src/columns/number-list.ts'
import { numbersOf } from '../../src/columns/ranges.ts'
import { sequenceOf } from '../../src/columns/sequence.ts'

/** Near, around the ends of chunks, and far. */
const place = fc.oneof(fc.nat(200), fc.integer({ min: 16_300, max: 16_500 }), fc.nat(100_000))

describe('a list of numbers', () => {
  test.each([
    ['bytes', Uint8Array, fc.nat(255)],
    ['whole numbers', Uint32Array, fc.nat(2 ** 32 - 1)],
    ['any numbers', Float64Array, fc.double({ noNaN: true })],
  ] as const)('law: of %s holds what an array would', (_, kind, number) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(place, number), { maxLength: 50 }), (sets) => {
        const list = new NumberList(kind)
        const array: number[] = []
        for (const [at, value] of sets) {
          list.set(at, value)
          array[at] = value
        }
        expect(list.length).toBe(array.length)
        for (const [at] of sets)
          for (const near of [at - 1, at, at + 1]) expect(list.at(near)).toBe(array[near] ?? 0)
      }),
    )
  })

  test('grows by pushing, and gives all in one piece', () => {
    const list = new NumberList(Float64Array)
    const count = 40_000
    for (let number = 0; number < count; number += 1) list.push(number / 2)
    const expected = Float64Array.from({ length: count }, (_, number) => number / 2)
    expect(list.toFloats()).toEqual(expected)
    expect(Float64Array.from(list)).toEqual(expected)
  })

  test('has nothing before it begins and after it ends', () => {
    const list = new NumberList()
    expect([list.length, list.at(0), list.at(99_999), list.toFloats().length]).toEqual([0, 0, 0, 0])
  })
})

test('law: durations come back as they were, whatever they are', () => {
  const ms = fc.oneof(
    fc.nat(2 ** 32).map((whole) => whole / 1000),
    fc.double({ noNaN: true }),
    fc.constantFrom(0.1 + 0.2, (2 ** 32 - 1) / 1000, 2 ** 32 / 1000),
  )
  fc.assert(
    fc.property(fc.array(ms), (all) => {
      const list = new DurationList()
      for (const one of all) list.push(one)
      expect(list.length).toBe(all.length)
      const sorted = Float64Array.from(all, (one) => one + 0).sort()
      expect(Float64Array.from(list).sort()).toEqual(sorted)
      expect(list.copyTo(new Float64Array(all.length + 1)).sort()).toEqual(sorted)
      list.clear()
      expect([list.length, ...list]).toEqual([0])
    }),
  )
})

test('law: counts are kept whether small or large', () => {
  const change = fc.tuple(fc.nat(5), fc.integer({ min: -300, max: 600 }))
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const [list, array] = [new CountList(), [0, 0, 0, 0, 0, 0]]
      for (const [at, more] of changes) {
        const next = Math.max(0, (array[at] ?? 0) + more)
        list.add(at, next - (array[at] ?? 0))
        array[at] = next
      }
      expect(array.map((_, at) => list.at(at))).toEqual(array)
    }),
  )
})

test('law: groups have their members in the order of joining, each member its first group', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(30), fc.nat(6))), (joins) => {
      const groups = new Groups()
      const [members, groupOf] = [new Map<number, number[]>(), new Map<number, number>()]
      for (const [member, group] of joins) {
        groups.join(member, group)
        if (groupOf.has(member)) continue
        groupOf.set(member, group)
        members.set(group, [...(members.get(group) ?? []), member])
      }
      for (let group = 0; group <= 6; group += 1)
        expect([...groups.membersOf(group)]).toEqual(members.get(group) ?? [])
      for (let member = 0; member <= 30; member += 1) expect(groups.groupOf(member)).toBe(groupOf.get(member))
    }),
  )
})

test('ranges are their numbers, one after the other', () => {
  expect([
    ...numbersOf([
      [3, 5],
      [9, 9],
      [0, -1],
      [1, 2],
    ]),
  ]).toEqual([3, 4, 5, 9, 1, 2])
})

test('a sequence has nothing outside of its places, and makes each thing when it is asked for', () => {
  const made: number[] = []
  const squares = sequenceOf(4, (at) => {
    made.push(at)
    return at * at
  })
  expect([squares.at(-1), squares.at(4), squares.at(3)]).toEqual([undefined, undefined, 9])
  expect(made).toEqual([3])
  expect([...squares]).toEqual([0, 1, 4, 9])
})
