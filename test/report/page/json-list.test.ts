// A list put together as bytes: the JSON of the list, again and again, whatever stands in it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createJsonList } from '../../../src/report/page/json-list.ts'
import { anySign } from '../../support/any-sign.ts'

test('the bytes are the JSON of the list', () => {
  const values = fc.array(
    fc.oneof(fc.jsonValue(), fc.string({ unit: anySign, minLength: 0, maxLength: 40_000 })),
  )
  fc.assert(
    fc.property(values, values, (some, others) => {
      const list = createJsonList()
      for (const given of [some, others]) {
        for (const value of given) list.add(value)
        expect(list.length()).toBe(given.length)
        expect(Buffer.from(list.take()).toString()).toBe(JSON.stringify(given))
      }
    }),
  )
})
