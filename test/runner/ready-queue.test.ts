// The queue of threads: a heap that agrees with sorting.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReadyQueue } from '../../src/runner/run.ts'
import { makeThreads } from '../support/questions.ts'

test('gives what was refused first, then the most turns left, then the order of the set', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.boolean()), { minLength: 1 }),
      (shapes) => {
        const threads = makeThreads(...shapes.map(([length]) => length))
        threads.forEach((thread, place) => {
          thread.tries = shapes[place]?.[1] === true ? 1 : 0
        })
        const queue = new ReadyQueue(threads)
        const taken = threads.map(() => queue.pop())
        const sorted = [...threads].sort(
          (a, b) =>
            Number(b.tries > 0) - Number(a.tries > 0) || b.turns.length - a.turns.length || a.order - b.order,
        )
        expect(taken.map((thread) => thread?.order)).toEqual(sorted.map(({ order }) => order))
        expect(queue.pop()).toBeUndefined()
        expect(queue.size).toBe(0)
      },
    ),
  )
})
