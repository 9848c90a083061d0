// What is no key, and what is likely none: a word of the records could not be hidden in them.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { isPlainWord, keyFault } from '../../src/cli/key-fault.ts'
import { attemptResultSchema } from '../../src/domain/attempt.ts'
import { OUTCOMES } from '../../src/domain/outcome.ts'

/** Names of fields, and words that a field must hold, of all that an attempt may come to. */
function wordsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'const') return [String(value)]
    return [...(key === 'properties' ? Object.keys(value as object) : []), ...wordsOf(value)]
  })
}

test('no word of what a call may come to, nor a part of one, is taken for a key', () => {
  const words = wordsOf(z.toJSONSchema(attemptResultSchema))
  expect(words).toContain('conversationId')
  expect(words).toContain('rejection')
  for (const word of [...words, ...OUTCOMES, 'KNOWLEDGE_BASE', 'KNOWLEDGE', 'httpStat']) {
    const fault = keyFault(word)
    expect(fault, word).toMatch(
      word.length < 8
        ? /^has only /
        : /^is a word that stands in every answer or record, .*; give the key itself$/,
    )
    // Not even a word is repeated.
    if (word.length >= 8) expect(fault).not.toContain(word)
  }
})

test.each([
  ['password', true],
  ['Assistant', true],
  ['FREQUENT_QUESTIONS', true],
  ['key-of-a-test', false],
  ['sk_live_abcdefgh1', false],
  ['kqZrWbTzLmNpXc', false],
  ['abcdefghijklmnopqrstuvwxyz', false],
])('%s is no fault; a plain word: %s', (key, isPlain) => {
  expect(keyFault(key)).toBeUndefined()
  expect(isPlainWord(key)).toBe(isPlain)
})
