// The reply's shape: the fields of the contract are accepted, what else there is stands in `extra`.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { interpretAnswer, replySchema } from '../../src/endpoint/reply.ts'
import { anySign } from '../support/any-sign.ts'

const NAMES = ['conversationId', 'message', 'status', 'contextSource'] as const
const text = fc.string({ unit: anySign, maxLength: 20 })
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  fc.constantFrom('__proto__', 'constructor', 'toString', 'extra', 'error'),
  text,
)
const value = fc.oneof({ weight: 8, arbitrary: text }, fc.jsonValue({ maxDepth: 2 }))
/** JSON text with any fields in any order, some of them twice, and white space now and then. */
const anyText = fc
  .array(fc.tuple(name, value, fc.constantFrom('', '', '', ' ', '\n')), { maxLength: 8 })
  .map(
    (fields) =>
      `{${fields.map(([one, it, gap]) => `${JSON.stringify(one)}:${gap}${JSON.stringify(it)}`).join(',')}}`,
  )
const reply = fc.record({ conversationId: text, message: text, status: text, contextSource: text })
const whole = fc
  .tuple(reply, fc.dictionary(name, value, { maxKeys: 3 }))
  .map(([own, others]) => JSON.stringify({ ...others, ...own }))
const anything = fc.oneof(anyText, whole, fc.json({ maxDepth: 2 }))

describe('the shape of a reply', () => {
  test('gives the fields that the schema gives; what else there is stands in `extra`', () => {
    fc.assert(
      fc.property(anything, (body) => {
        const parsed = replySchema.safeParse(JSON.parse(body))
        const result = interpretAnswer(200, {}, body)
        expect(result.kind).toBe(parsed.success ? 'reply' : 'malformed')
        if (!parsed.success || result.kind !== 'reply') return
        const { extra = {}, ...own } = result.reply
        const { conversationId, message, status, contextSource, ...others } = parsed.data
        expect(own).toEqual({ conversationId, message, status, contextSource })
        expect(Object.keys(extra).filter((one) => one !== '__proto__')).toEqual(Object.keys(others))
      }),
      { numRuns: 1000 },
    )
  })
})
