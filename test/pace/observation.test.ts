// Protects what the policy learns from an answer: hints of the limit, and how late the call was sent.
import { expect, test } from 'vitest'
import { observe } from '../../src/pace/observation.ts'
import { makeReply } from '../support/turns.ts'

const reply = { ...makeReply('KNOWLEDGE_BASE'), headers: {} }

test('hints are reported, and how long after its permit the call was sent', () => {
  const hinted = { ...reply, headers: { 'ratelimit-policy': '"a";q=60;w=60' } }
  expect(observe(hinted, 0, 40)).toMatchObject({
    kind: 'accepted',
    lateMs: 40,
    hints: { policies: [{ name: 'a', calls: 60, seconds: 60 }] },
  })
})
