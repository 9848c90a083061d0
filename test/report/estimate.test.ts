// The estimate on the screen.
import { expect, test } from 'vitest'
import type { Estimate } from '../../src/domain/estimate.ts'
import { message } from '../../src/domain/messages.ts'
import { renderEstimate } from '../../src/report/estimate.ts'

const part = { threads: 2, questions: 3, calls: { base: 3, worst: 6 } }
const estimate: Estimate = {
  ...part,
  repeat: 1,
  longestThread: 2,
  maxCalls: null,
  files: [{ ...part, path: 'a.csv' }],
  time: {
    pace: { kind: 'paced', perSecond: 0.99 },
    concurrency: 64,
    answerMs: 3000,
    atLeastMs: { pace: 2020, longestThread: 6000, concurrency: 141 },
    ms: 6000,
  },
  quota: { calls: 1000, period: 'month', shareOfQuota: { base: 0.003, worst: 0.006 } },
  nightly: { base: 91, worst: 183, shareOfQuota: { base: 0.091, worst: 0.183 } },
  messages: [message('answer-time-assumed', { answerMs: 3000 })],
}

test('one set with a quota', () => {
  expect(renderEstimate(estimate).split('\n')).toEqual([
    'Set       a.csv: 3 questions in 2 conversations',
    'Calls     3, at most 6; 429s do not count',
    'Quota     0.3 %, at most 0.6 % of 1,000 calls a month',
    'Nightly   91, at most 183 calls a month (9.1 %, at most 18.3 %)',
    'Time      at least 6.0 s',
    '          2.0 s at 59.4 calls a minute',
    '          6.0 s for the longest conversation, 3.0 s an answer',
    '          141 ms with 64 in flight',
    'Note      Answer time 3 s is assumed. Set it with --answer-time.',
  ])
})

test('several sets have a row each; names of files cannot act on a terminal', () => {
  const files = ['a\u001b[31m.csv', 'b.csv'].map((path) => ({ ...part, path }))
  const text = renderEstimate({ ...estimate, files })
  expect(text).toMatch(/^set +questions +conversations +calls +at most$/m)
  expect(text).toMatch(/^b\.csv +3 +2 +3 +6$/m)
  expect(text).toMatch(/^all +3 +2 +3 +6$/m)
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/\u001b/)
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test('a budget below what the set needs stands in place of the calls', () => {
  const calls = { base: 3, worst: 2 }
  const messages = [message('max-calls-below-base', { maxCalls: 2, calls: 3 })]
  const text = renderEstimate({ ...estimate, calls, maxCalls: 2, messages })
  expect(text).toContain('Calls     2; 429s do not count')
  expect(text).toContain('Note      --max-calls permits 2 of 3 calls: the run stops early.')
})

test('an empty part of a set has no figures', () => {
  expect(renderEstimate({ ...estimate, questions: 0, files: [] })).toBe(
    'Set       no question in this part of the set',
  )
})

test.each([
  [47.99, '47 h 59 min'],
  [48, '2 days'],
  [76.5, '3 days 4 h'],
  [240, '10 days'],
  [1000, '42 days'],
  [24 * 900, '2.5 years'],
  [357_142_857_142, '40,741,827 years'],
])('%f hours are written as %s', (hours, words) => {
  const time = { ...estimate.time, ms: hours * 3_600_000 }
  expect(renderEstimate({ ...estimate, time })).toContain(`Time      at least ${words}\n`)
})
