// Names to numbers without keeping the names: as a map would number them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NameIndex } from '../../src/columns/name-index.ts'

test('law: numbers names like a map, over its growth', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 }), (names) => {
      const index = new NameIndex()
      const map = new Map<string, number>()
      for (const name of names) {
        if (!map.has(name)) map.set(name, map.size)
        expect(index.add(name)).toBe(map.get(name))
        expect(index.size).toBe(map.size)
      }
    }),
  )
})

test('finds a hundred thousand names again', () => {
  const index = new NameIndex()
  for (let number = 0; number < 100_000; number += 1) index.add(`name ${number}`)
  expect(index.size).toBe(100_000)
  for (let number = 99_999; number >= 0; number -= 7) expect(index.add(`name ${number}`)).toBe(number)
  expect(index.size).toBe(100_000)
})
