// Protects what a load test says about a used-up quota.
import { expect, test } from 'vitest'
import type { AttemptResult } from '../../../src/domain/attempt.ts'
import { createRefusals, refusedText } from '../../../src/analysis/load/judge.ts'
import { makeReply, rejection } from '../../support/recorded.ts'

const answer = makeReply('KNOWLEDGE_BASE')
const refused = (httpStatus: number, code: string): AttemptResult => ({
  kind: 'rejection',
  httpStatus,
  error: { code, message: 'Refused.' },
})
const [quota, rate] = [refused(429, 'insufficient_quota'), refused(429, 'RATE_LIMITED')]

test.each<[string, AttemptResult[], string | undefined]>([
  [
    'answers, then a code of a quota',
    [answer, quota, quota],
    'the quota is used up: 2 calls were refused with 429 insufficient_quota, the last ones among them',
  ],
  [
    'nothing else',
    [quota, quota],
    'the quota is used up: all 2 calls were refused with 429 insufficient_quota',
  ],
  ['a code of a quota, but a later call was answered', [quota, quota, answer], undefined],
  ['a single refusal at the end', [answer, quota], undefined],
  ['a code of a rate limit at the end', [answer, rate, rate], undefined],
  [
    'refusals of one code alone',
    [rate, rate],
    'all 2 calls were refused with 429 RATE_LIMITED: the quota is used up, or other traffic uses the limit',
  ],
  ['a fault of the requests', [refused(400, 'VALIDATION'), refused(400, 'VALIDATION')], undefined],
  ['refusals without a code', [rejection(429), rejection(429)], undefined],
])('%s', (_, results, text) => {
  const refusals = createRefusals()
  // Answers arrive last, in whichever order the calls were sent.
  const calls = results.map((result, index) => ({ result, attempt: index + 1 }))
  const late = calls.toSorted((a, b) => Number(a.result.kind === 'reply') - Number(b.result.kind === 'reply'))
  for (const { result, attempt } of late)
    refusals.add({ kind: 'result', at: 0, attempt, waitMs: 0, serviceMs: 1, result })
  expect(refusals.finish().quota?.text).toBe(text)
})

test('codes are named with their number', () => {
  const refusals = createRefusals()
  for (const [index, result] of [rate, rate, quota, answer].entries())
    refusals.add({ kind: 'result', at: 0, attempt: index + 1, waitMs: 0, serviceMs: 1, result })
  expect(refusedText(refusals.finish())).toBe(
    'Calls refused: 2 with 429 RATE_LIMITED, 1 with 429 insufficient_quota.',
  )
})
