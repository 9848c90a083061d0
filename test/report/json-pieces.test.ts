// JSON in pieces: together what `JSON.stringify` makes of the value, whatever it is.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonPieces } from '../../src/report/json-pieces.ts'

test('the pieces are the JSON of the value', () => {
  const value = fc.jsonValue({ maxDepth: 5 })
  fc.assert(
    fc.property(value, fc.string(), (one, name) => {
      const whole = { [name]: one, list: [one, [one], { one, absent: undefined }], absent: undefined }
      expect([...jsonPieces(one)].join('')).toBe(JSON.stringify(one, null, 2))
      expect([...jsonPieces(whole)].join('')).toBe(JSON.stringify(whole, null, 2))
    }),
    { numRuns: 500 },
  )
})

test('a long list is never held as one text', () => {
  const list = {
    changes: Array.from({ length: 20_000 }, (_, place) => ({ id: `q${place}`, tags: ['a\nb'] })),
  }
  const pieces = [...jsonPieces(list)]
  expect(pieces.join('')).toBe(JSON.stringify(list, null, 2))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000)
})
