// The heaviest gaps, kept as they come, are those that sorting all of them would keep.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GapItem } from '../../../src/analysis/gaps/cluster-gaps.ts'
import { createHeaviest } from '../../../src/analysis/gaps/heaviest.ts'

test('law: as many as are kept, heaviest first where there are more, in the order of their coming otherwise', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 4 })), fc.integer({ min: 1, max: 8 }), (weights, most) => {
      const items = weights.map((weight, place): GapItem => ({
        id: `q${place}`,
        message: 'm',
        tags: [],
        weight,
      }))
      const heaviest = createHeaviest(most)
      for (const item of items) heaviest.add(item)
      const expected =
        items.length <= most ? items : items.toSorted((a, b) => b.weight - a.weight).slice(0, most)
      const found = heaviest.finish()
      expect(found.count).toBe(items.length)
      expect(new Set(found.heaviest)).toEqual(new Set(expected))
    }),
  )
})
