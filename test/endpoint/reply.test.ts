// The reply's shape, checked by hand: it takes and refuses what the schema does, and knows its own JSON.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { interpretAnswer, replySchema } from '../../src/endpoint/reply.ts'
import { isJsonOf, isReply } from '../../src/endpoint/reply-shape.ts'
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
  test('is what the schema says it is, of anything', () => {
    fc.assert(
      fc.property(anything, (body) => {
        const json: unknown = JSON.parse(body)
        expect(isReply(json)).toBe(replySchema.safeParse(json).success)
      }),
      { numRuns: 2000 },
    )
  })

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

describe('the JSON of a reply', () => {
  const order = fc.shuffledSubarray([...NAMES], { minLength: 4 })

  test('is known by its length, in any order of its fields', () => {
    fc.assert(
      fc.property(reply, order, (one, names) => {
        const body = `{${names.map((field) => `${JSON.stringify(field)}:${JSON.stringify(one[field])}`).join(',')}}`
        expect(isJsonOf(body, one)).toBe(!/\\u/.test(body))
      }),
      { numRuns: 1000 },
    )
  })

  test('is never said to be what could not stand in the journal as it is', () => {
    fc.assert(
      fc.property(anything, (body) => {
        const json: unknown = JSON.parse(body)
        if (!isReply(json) || Object.keys(json).length !== 4) return
        const { conversationId, message, status, contextSource } = json
        const one = { conversationId, message, status, contextSource }
        if (!isJsonOf(body, one)) return
        const sorted = (all: string): string => all.split('').sort().join('')
        expect(sorted(body)).toBe(sorted(JSON.stringify(one)))
      }),
      { numRuns: 2000 },
    )
  })

  const good = { conversationId: 'c', message: 'm', status: 'success', contextSource: 'KB' }
  test.each([
    ['a field twice', `{"message":"the first",${JSON.stringify(good).slice(1)}`],
    ['white space', JSON.stringify(good).replace(',', ', ')],
    ['a line break', JSON.stringify(good).replace(',', ',\n')],
    ['an escape that hides a letter', JSON.stringify(good).replace('"m"', String.raw`"\u006d"`)],
    ['an escaped slash', JSON.stringify({ ...good, message: '/' }).replace('/', String.raw`\/`)],
  ])('is not taken with %s', (_, body) => {
    expect(isJsonOf(body, JSON.parse(body) as typeof good)).toBe(false)
  })
})
