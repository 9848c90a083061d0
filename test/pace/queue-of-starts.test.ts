// Who waits for leave leaves in the order of coming, however many come, go and give up meanwhile.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { QueueOfStarts, type Start } from '../../src/pace/queue-of-starts.ts'

const starter = (): Start => () => undefined

it('is a list in the order of coming, for any coming, going and giving up', () => {
  const deed = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('push' as const), count: fc.integer({ min: 1, max: 700 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('take' as const), count: fc.integer({ min: 1, max: 700 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('remove' as const),
        place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
  )
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 30 }), (deeds) => {
      const queue = new QueueOfStarts()
      let model: Start[] = []
      for (const one of deeds) {
        if (one.kind === 'push')
          for (let count = 0; count < one.count; count += 1) {
            const start = starter()
            queue.push(start)
            model.push(start)
          }
        else if (one.kind === 'take')
          for (let count = 0; count < one.count && model.length > 0; count += 1) {
            expect(queue.peek()).toBe(model.shift())
            queue.drop()
          }
        else if (one.kind === 'remove') {
          const gone = model[Math.floor(one.place * model.length)]
          expect(queue.remove(gone ?? starter())).toBe(gone !== undefined)
          model = model.filter((start) => start !== gone)
        } else {
          expect(queue.clear()).toEqual(model)
          model = []
        }
        expect(queue.peek()).toBe(model[0])
      }
      expect(queue.clear()).toEqual(model)
    }),
  )
})

it('knows nobody twice who has left', () => {
  const queue = new QueueOfStarts()
  const [one, other] = [starter(), starter()]
  queue.push(one)
  queue.push(other)
  expect(queue.peek()).toBe(one)
  queue.drop()
  expect(queue.remove(one)).toBe(false)
  expect(queue.remove(other)).toBe(true)
  expect(queue.remove(other)).toBe(false)
  expect(queue.peek()).toBeUndefined()
})
