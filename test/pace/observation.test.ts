// Protects what the policy learns from an answer: hints of the limit.
import { expect, test } from 'vitest'
import { observe } from '../../src/pace/observation.ts'
import { makeReply } from '../support/turns.ts'

const reply = { ...makeReply('KNOWLEDGE_BASE'), headers: {} }

test('hints of an accepted answer are reported', () => {
  const hinted = { ...reply, headers: { 'ratelimit-policy': '"a";q=60;w=60' } }
  expect(observe(hinted, 0)).toMatchObject({
    kind: 'accepted',
    hints: { policies: [{ name: 'a', calls: 60, seconds: 60 }] },
  })
})
