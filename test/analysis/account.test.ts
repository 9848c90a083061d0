// Protects the quota account: how each kind of result counts, with and without its HTTP status.
import { expect, test } from 'vitest'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import { usageClassOf, type UsageClass } from '../../src/analysis/figures/account.ts'
import { makeReply, network, rejection, timeout } from '../support/recorded.ts'

test.each<[string, AttemptResult, UsageClass]>([
  ['an answer', makeReply('X'), 'certain'],
  ['a malformed 2xx', { kind: 'malformed', httpStatus: 200, reason: 'r', excerpt: '' }, 'certain'],
  ['a 2xx cut off', network(true, 200), 'certain'],
  ['a 2xx that timed out', { ...timeout, httpStatus: 200 }, 'certain'],
  ['a 500', rejection(500), 'possible'],
  ['a timeout', timeout, 'possible'],
  ['a reset after sending', network(true), 'possible'],
  ['given up in flight', { kind: 'abandoned', sent: true }, 'possible'],
  ['a 429', rejection(429), 'notCounted'],
  ['a 400', rejection(400), 'notCounted'],
  ['a redirect', rejection(302), 'notCounted'],
  ['no connection', network(false), 'notCounted'],
  ['given up before sending', { kind: 'abandoned', sent: false }, 'notCounted'],
])('%s counts', (_, result, expected) => {
  expect(usageClassOf(result)).toBe(expected)
})
