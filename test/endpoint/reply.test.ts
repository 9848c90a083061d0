// Protects how a complete HTTP answer is read: the contract's fields make a reply, anything else is reported
// with its fault.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpretAnswer } from '../../src/endpoint/result.ts'

const good = { conversationId: 'c', message: '', status: 'odd', contextSource: 'WEB' }
const error = (fields: object): string => JSON.stringify({ error: fields })
const deep = (levels: number): unknown => (levels === 0 ? 'end' : { a: deep(levels - 1) })

const said = (pattern: RegExp) => expect.stringMatching(pattern) as string

test.each<[number, string, object]>([
  [200, JSON.stringify(good), { kind: 'reply', reply: good }],
  [299, `\uFEFF${JSON.stringify(good)}`, { kind: 'reply', reply: good }],
  [201, JSON.stringify({ ...good, more: 1 }), { kind: 'reply', reply: { ...good, extra: { more: 1 } } }],
  [
    200,
    JSON.stringify({ ...good, more: deep(60) }),
    { reply: { extra: { more: 'nested more than 50 levels deep; left out' } } },
  ],
  [200, '<html>', { kind: 'malformed', reason: 'the body is not JSON', excerpt: '<html>' }],
  [200, '', { kind: 'malformed', reason: 'the body is not JSON' }],
  [200, '[]', { kind: 'malformed', reason: said(/^not the contract's shape \(/) }],
  [
    200,
    JSON.stringify({ ...good, message: 7 }),
    { kind: 'malformed', reason: said(/^not the contract's shape \(message: /) },
  ],
  [
    200,
    error({ code: 'E1', message: 'no quota' }),
    { kind: 'malformed', code: 'E1', reason: said(/; it says: no quota$/) },
  ],
  [
    400,
    error({ code: 'BAD', message: 'too long', details: [1] }),
    { kind: 'rejection', httpStatus: 400, error: { code: 'BAD', message: 'too long', details: [1] } },
  ],
  [429, error({ code: 429 }), { kind: 'rejection', error: { code: '429', message: 'HTTP 429' } }],
  [404, JSON.stringify(good), { error: { message: said(/^HTTP 404 without /) } }],
  [500, '', { error: { message: 'HTTP 500 without the documented error object or any body' } }],
  [502, 'Bad\n gateway', { error: { message: said(/: Bad gateway$/) } }],
  [307, '', { error: { message: 'HTTP 307, a redirect to /login: not followed' } }],
])('%i %s', (httpStatus, body, expected) => {
  expect(interpretAnswer(httpStatus, { location: '/login' }, body)).toMatchObject({ httpStatus, ...expected })
})

test('any body is a reply with four texts, or malformed', () => {
  const text = fc.oneof({ weight: 8, arbitrary: fc.string() }, fc.jsonValue({ maxDepth: 2 }))
  const body = fc.record({ conversationId: text, message: text, status: text, contextSource: text })
  fc.assert(
    fc.property(body, fc.dictionary(fc.string(), fc.jsonValue()), (fields, others) => {
      const { kind } = interpretAnswer(200, {}, JSON.stringify({ ...others, ...fields }))
      const isReply = Object.values(fields).every((value) => typeof value === 'string')
      expect(kind).toBe(isReply ? 'reply' : 'malformed')
    }),
  )
})
