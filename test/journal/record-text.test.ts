// Lines put together by hand: they say what JSON says of the record, and read back as it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JournalRecord } from '../../src/domain/journal.ts'
import { OUTCOMES } from '../../src/domain/outcome.ts'
import { createSecret } from '../../src/domain/secret.ts'
import { createSumLines } from '../../src/journal/line-bytes.ts'
import { decodeLine, encodeAll, encodeRecord, encodeText } from '../../src/journal/line.ts'
import { numberText } from '../../src/journal/number-text.ts'
import { recordText } from '../../src/journal/record-text.ts'
import { anySign } from '../support/any-sign.ts'

const count = fc.integer({ min: 1, max: 10_000_000 })
/** Whole, of three decimals, or any. */
const time = fc
  .tuple(fc.double({ min: 0, max: 4e12, noNaN: true }), fc.constantFrom(1, 1000, 0))
  .map(([ms, parts]) => (parts === 0 ? ms : Math.round(ms * parts) / parts))
const text = fc.string({ unit: anySign, maxLength: 40 })
const reply = fc.record({ conversationId: text, message: text, status: text, contextSource: text })
const place = { at: time, question: count, repeat: count, conversation: count }

const intent = fc.record(
  {
    kind: fc.constant('intent' as const),
    ...place,
    attempt: count,
    conversationId: fc.option(text),
    arrival: count,
    dueAt: time,
  },
  { requiredKeys: ['kind', 'at', 'attempt', 'question', 'repeat', 'conversation', 'conversationId'] },
)
const outcome = fc.record(
  {
    kind: fc.constant('outcome' as const),
    ...place,
    outcome: fc.constantFrom(...OUTCOMES),
    attempt: count,
    contextLost: fc.boolean(),
  },
  { requiredKeys: ['kind', 'at', 'question', 'repeat', 'conversation', 'outcome', 'contextLost'] },
)
const answer = fc.record(
  {
    kind: fc.constant('reply' as const),
    httpStatus: fc.constantFrom(200, 201),
    reply,
    headers: fc.dictionary(fc.constantFrom('x-request-id', 'ratelimit'), text),
  },
  { requiredKeys: ['kind', 'httpStatus', 'reply'] },
)
const failure = fc.record({ kind: fc.constant('timeout' as const), message: text })
const result = fc.record(
  {
    kind: fc.constant('result' as const),
    at: time,
    attempt: count,
    waitMs: time,
    lagMs: time,
    serviceMs: time,
    responseMs: time,
    result: fc.oneof(answer, failure),
  },
  { requiredKeys: ['kind', 'at', 'attempt', 'waitMs', 'serviceMs', 'result'] },
)
const record: fc.Arbitrary<JournalRecord> = fc.oneof(intent, outcome, result)

test('a number is written as JSON writes it', () => {
  for (const odd of [0, -0, -1, -0.5, 0.1 + 0.2, 1e21, 1e-7, 999.999, 1e9, 1e9 - 0.001, 1e13, NaN, Infinity])
    expect(numberText(odd)).toBe(JSON.stringify(odd))
  fc.assert(
    fc.property(fc.oneof(time, fc.double()), (value) => {
      expect(numberText(value)).toBe(JSON.stringify(value))
    }),
    { numRuns: 5000 },
  )
})

test('a record is written as JSON writes it, with its reply as text or without', () => {
  fc.assert(
    fc.property(record, (one) => {
      expect(JSON.parse(recordText(one))).toEqual(JSON.parse(JSON.stringify(one)))
      if (one.kind !== 'result' || one.result.kind !== 'reply') return
      const replyJson = JSON.stringify(one.result.reply)
      expect(JSON.parse(recordText(one, replyJson))).toEqual(JSON.parse(JSON.stringify(one)))
    }),
    { numRuns: 1000 },
  )
})

test('lines made at once are those made one by one, and read back as their records', () => {
  const sumLines = createSumLines()
  fc.assert(
    fc.property(fc.array(record, { maxLength: 20 }), (records) => {
      const written = sumLines(encodeAll(records, undefined, [])).toString('utf8')
      expect(written).toBe(records.map((one) => `${encodeRecord(one, undefined)}\n`).join(''))
      for (const [i, line] of written.split('\n').slice(0, -1).entries())
        expect(decodeLine(line)).toEqual({
          kind: 'record',
          record: JSON.parse(JSON.stringify(records[i])),
          summed: true,
        })
    }),
    { numRuns: 300 },
  )
})

test('a line larger than what is kept in memory is whole, and leaves nothing behind', () => {
  const sumLines = createSumLines()
  const long = { kind: 'sitting', at: 1, sitting: 1, harnessVersion: 'ü'.repeat(2 ** 20) } as const
  for (const round of ['first', 'second']) {
    const written = sumLines(encodeAll([long], undefined, []))
    expect(decodeLine(written.toString('utf8').trimEnd()), round).toMatchObject({
      kind: 'record',
      record: long,
    })
  }
  expect(sumLines(encodeAll([], undefined, []))).toHaveLength(0)
})

test('the key is hidden in lines made at once, and is let alone where it is a word of the journal itself', () => {
  const secret = createSecret('answered', 'abcd1234')
  const slot = { at: 1, question: 0, repeat: 1, conversation: 1 }
  const records: JournalRecord[] = [
    { kind: 'intent', ...slot, attempt: 1, conversationId: 'answered?' },
    { kind: 'outcome', ...slot, outcome: 'answered', attempt: 1, contextLost: false },
  ]
  const written = createSumLines()(encodeAll(records, secret, [])).toString('utf8')
  expect(written).toBe(records.map((one) => `${encodeRecord(one, secret)}\n`).join(''))
  expect(written).toContain('"conversationId":"[key abcd1234]?"')
  expect(written).toContain('"outcome":"answered"')
})

test('the key is hidden in the conversation that an endpoint named after it', () => {
  const secret = createSecret('sk-live/0123"45', 'abcd1234')
  const begun = { at: 1, attempt: 1, question: 0, repeat: 1, conversation: 1 }
  const line = encodeText({ kind: 'intent', ...begun, conversationId: `of ${secret.value}` }, secret)
  expect(JSON.parse(line)).toMatchObject({ conversationId: 'of [key abcd1234]' })
})

test('the key is hidden in a reply that is at hand as text, too', () => {
  const secret = createSecret('sk-live/0123"45', 'abcd1234')
  const own = { conversationId: 'c', message: `it is ${secret.value}`, status: 's', contextSource: 'k' }
  const one = { kind: 'reply', httpStatus: 200, reply: own } as const
  const line = encodeText(
    { kind: 'result', at: 1, attempt: 1, waitMs: 0, serviceMs: 1, result: one },
    secret,
    JSON.stringify(own),
  )
  for (const form of secret.forms) expect(line).not.toContain(form)
  expect(line).toContain('[key abcd1234]')
})
