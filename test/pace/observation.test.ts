// Protects what the policy learns from an answer: hints of the limit, and how late the call was sent.
import { expect, test } from 'vitest'
import { observe } from '../../src/pace/observation.ts'
import { makeReply } from '../support/turns.ts'

const reply = { ...makeReply('KNOWLEDGE_BASE'), headers: {} }

test.each([
  [0, undefined],
  [9, undefined],
  [250, 250],
])('a call sent %i ms after its permit is reported late by %s', (lateMs, reported) => {
  expect(observe(reply, 0, lateMs)).toEqual({
    kind: 'accepted',
    ...(reported === undefined ? {} : { lateMs: reported }),
  })
})

test('hints and lateness are both reported', () => {
  const hinted = { ...reply, headers: { 'ratelimit-policy': '"a";q=60;w=60' } }
  expect(observe(hinted, 0, 40)).toMatchObject({
    kind: 'accepted',
    lateMs: 40,
    hints: { policyPerSecond: 1 },
  })
})
