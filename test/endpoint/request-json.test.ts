// A request put together by hand: it says what JSON says of it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestJson } from '../../src/endpoint/request-json.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  // Lone halves of surrogate pairs, control signs, what JSON escapes and what it does not.
  fc.string({
    unit: fc.constantFrom('"', '\\', '/', '\n', '\u0000', '\u007f', '\u2028', '\ud800', '\udc00', 'ü', 'a'),
  }),
)

test('a request is written as JSON writes it', () => {
  const request = fc.record(
    { message: text, conversationId: text, endUserRef: text },
    { requiredKeys: ['message'] },
  )
  fc.assert(
    fc.property(request, (one) => {
      expect(requestJson(one)).toBe(JSON.stringify(one))
    }),
    { numRuns: 2000 },
  )
})
