// What is due first comes first; of equals, what came first.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DueQueue } from '../../../src/runner/load/due-queue.ts'

test('it gives back in the order of a stable sort, whatever goes in and out between', () => {
  const steps = fc.array(fc.option(fc.nat(20), { freq: 3 }), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (all) => {
      const queue = new DueQueue<{ dueAt: number; name: number }>()
      let model: { dueAt: number; name: number }[] = []
      for (const [name, step] of all.entries()) {
        if (step === null) {
          expect(queue.pop()).toEqual(model[0])
          model = model.slice(1)
        } else {
          queue.push({ dueAt: step, name })
          model = [...model, { dueAt: step, name }].sort((a, b) => a.dueAt - b.dueAt)
        }
        expect([queue.size, queue.first]).toEqual([model.length, model[0]])
      }
    }),
  )
})
