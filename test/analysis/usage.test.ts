// Which class of the quota account an attempt falls in: each kind of result, with and without its status.
import { expect, test } from 'vitest'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import { usageClassOf, type UsageClass } from '../../src/domain/usage.ts'
import { makeReply } from '../support/turns.ts'

const rejection = (httpStatus: number): AttemptResult => ({
  kind: 'rejection',
  httpStatus,
  error: { message: 'm' },
})
const network = (sent: boolean, httpStatus?: number): AttemptResult => ({
  kind: 'network',
  sent,
  code: 'E',
  message: 'm',
  ...(httpStatus === undefined ? {} : { httpStatus }),
})

test.each<[string, AttemptResult | undefined, UsageClass, UsageClass]>([
  ['an answer', makeReply('X'), 'certain', 'certain'],
  ['a malformed 2xx', { kind: 'malformed', httpStatus: 200, reason: 'r', excerpt: '' }, 'certain', 'certain'],
  ['a 2xx cut off', network(true, 200), 'certain', 'certain'],
  ['a 2xx that timed out', { kind: 'timeout', httpStatus: 200, message: 'm' }, 'certain', 'certain'],
  ['an intent without a result', undefined, 'possible', 'possible'],
  ['a 500', rejection(500), 'possible', 'possible'],
  ['a timeout', { kind: 'timeout', message: 'm' }, 'possible', 'possible'],
  ['a reset after sending', network(true), 'possible', 'possible'],
  ['given up in flight', { kind: 'abandoned', sent: true }, 'possible', 'possible'],
  ['a 429', rejection(429), 'notCounted', 'possible'],
  ['a 400', rejection(400), 'notCounted', 'possible'],
  ['a redirect', rejection(302), 'notCounted', 'notCounted'],
  ['no connection', network(false), 'notCounted', 'notCounted'],
  ['given up before sending', { kind: 'abandoned', sent: false }, 'notCounted', 'notCounted'],
])('%s', (_, result, byDefault, countingRejected) => {
  expect([usageClassOf(result, false), usageClassOf(result, true)]).toEqual([byDefault, countingRejected])
})
