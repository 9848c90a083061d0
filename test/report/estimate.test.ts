// The estimate on the screen, and its first lines, which a run says before it starts.
import { describe, expect, test } from 'vitest'
import type { Estimate } from '../../src/domain/estimate.ts'
import { renderEstimate } from '../../src/report/estimate.ts'
import { estimateHead } from '../../src/report/estimate-head.ts'

const use = { runs: 30.4375, base: 91, worst: 213, shareOfQuota: { base: 0.091, worst: 0.213 } }
const part = { threads: 2, questions: 3, calls: { base: 3, worst: 7 }, words: 9, characters: 28 }
const nightly = { period: 'month', nightly: use } as const
const estimate: Estimate = {
  ...part,
  calls: { ...part.calls, restarts: 4, worstAttempts: 350, maxCalls: null },
  longestThread: 2,
  repeat: 1,
  files: [{ ...part, path: 'a.csv', use: nightly }],
  tags: { vpn: part },
  time: {
    pace: { kind: 'paced', perSecond: 0.99 },
    concurrency: 64,
    answerMs: 3000,
    answerSource: 'assumed',
    atLeastMs: { pace: 5020, longestThread: 6000, concurrency: 141 },
    expectedMs: { low: 6000, high: 6000 },
    withinBudgetMs: null,
  },
  quota: {
    calls: 1000,
    period: 'month',
    shareOfQuota: { base: 0.003, worst: 0.007 },
    runs: { base: 333, worst: 142 },
  },
  use: nightly,
}

test('reads in one screen', () => {
  expect(renderEstimate(estimate).split('\n')).toEqual([
    'Set       a.csv: 3 questions in 2 threads, the longest has 2 turns',
    'Calls     3 if nothing fails, 7 at most (4 more to restart threads after lost answers); 429s come on top,',
    '          uncounted',
    'Quota     0.3 % of 1,000 calls a month, 0.7 % at most: enough for 333 runs (142 at the worst)',
    'Words     9 sent, 28 characters',
    'Time      about 6.0 s at 59.4 calls a minute; pauses after 429s and failures come on top',
    '          no sooner than 5.0 s by the pace, 6.0 s by the longest thread (2 turns, one after the other), 141 ms',
    '          by 64 calls at once; 3.0 s an answer is taken: say it with --answer-time',
    'Nightly   91 calls a month, 213 at most: 9.1 % of the quota',
    '',
    'tag  threads  questions  calls  at most  words',
    'vpn        2          3      3        7      9',
  ])
})

test('several sets stand each for itself and in all; names from files cannot act on a terminal', () => {
  const files = ['a\u001b[31m.csv', 'b.csv'].map((path) => ({ ...part, path, use: nightly }))
  const text = renderEstimate({ ...estimate, files, tags: { '\u009b2J': part } })
  expect(text).toMatch(/^set +threads +questions +calls +at most +words +a month, nightly$/m)
  expect(text).toMatch(/^Set +2 sets: 3 questions in 2 threads/)
  expect(text).toMatch(/^b\.csv +2 +3 +3 +7 +9 +91$/m)
  expect(text).toMatch(/^in all +2 +3 +3 +7 +9 +91$/m)
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u001b\u009b]/)
})

/** The words under a label, in one line. */
const wordsOf = (text: string, label: string): string =>
  new RegExp(`^${label} +([^]*?)(?=\\n\\S|\\n\\n)`, 'm').exec(text)?.[1]?.replaceAll(/\s+/g, ' ') ?? ''

test.each([
  [47.99, '47 h 59 min'],
  [48, '2 days'],
  [76.5, '3 days 4 h'],
  [240, '10 days'],
  [1000, '42 days'],
  [24 * 700, '700 days'],
  [24 * 900, '2.5 years'],
  [357_142_857_142, '40,741,827 years'],
])('a span of %f hours is said as a person would', (hours, said) => {
  const ms = hours * 3_600_000
  const time = { ...estimate.time, expectedMs: { low: ms, high: ms } }
  expect(wordsOf(renderEstimate({ ...estimate, time }), 'Time')).toContain(
    `about ${said} at 59.4 calls a minute;`,
  )
})

test('of calls at once that cannot come up to the pace it is said that they hold the run up', () => {
  const time = {
    ...estimate.time,
    concurrency: 7,
    atLeastMs: { ...estimate.time.atLeastMs, concurrency: 9000 },
  }
  const pace = { kind: 'paced', perSecond: 297 } as const
  expect(wordsOf(renderEstimate({ ...estimate, time: { ...time, pace } }), 'Time')).toContain(
    'about 6.0 s at 2.33 calls a second, as 7 calls at once come to no more; the pace alone would allow 297 calls a second; pauses',
  )
})

test('of a thread whose turns wait for each other it is said that it holds the run up', () => {
  const time = {
    ...estimate.time,
    atLeastMs: { ...estimate.time.atLeastMs, longestThread: 480_000 },
    expectedMs: { low: 480_000, high: 480_000 },
  }
  expect(wordsOf(renderEstimate({ ...estimate, time }), 'Time')).toContain(
    'about 8 min 0 s, as its longest thread takes no less; the pace alone would allow 59.4 calls a minute; pauses',
  )
})

test('of a run that its budget ends early, the time is its own, and that of all is said', () => {
  const calls = { ...estimate.calls, worst: 2, worstAttempts: 2, maxCalls: 2 }
  const time = { ...estimate.time, withinBudgetMs: { low: 4000, high: 4000 } }
  const text = renderEstimate({ ...estimate, calls, time })
  expect(wordsOf(text, 'Time')).toMatch(
    /^about 4\.0 s for the 2 calls that --max-calls leaves all 3 would take about 6\.0 s at 59\.4 calls a minute; pauses /,
  )
  expect(wordsOf(text, 'Words')).toBe('9 sent, 28 characters, if all 3 are')
  const none = renderEstimate({ ...estimate, calls: { ...calls, maxCalls: 0 }, time })
  expect(wordsOf(none, 'Time')).toMatch(/^none, as --max-calls leaves no call all 3 would take about 6\.0 s /)
  const pace = { kind: 'unknown', startPerSecond: 4 } as const
  const unknown = renderEstimate({
    ...estimate,
    calls,
    time: { ...time, pace, withinBudgetMs: { low: 3000, high: 4000 } },
  })
  expect(wordsOf(unknown, 'Time')).toMatch(
    /^3\.0 s where no limit is met, 4\.0 s at the pace that it begins with, for the 2 calls that --max-calls leaves all 3 would take 6\.0 s where no limit is met, /,
  )
})

test('figures beyond what a number holds exactly are rounded, and say so', () => {
  const calls = { ...estimate.calls, base: 2_999_999_999_999_997, worst: 91_312_499_999_999_900 }
  const text = renderEstimate({ ...estimate, calls, words: 3e21 })
  expect(wordsOf(text, 'Calls')).toMatch(
    /^2,999,999,999,999,997 if nothing fails, about 9\.13 × 10\^16 at most /,
  )
  const shareOfQuota = { base: 1.3e13, worst: 2e13 }
  const share = renderEstimate({
    ...estimate,
    quota: { calls: 1, period: 'month', shareOfQuota, runs: { base: 0, worst: 0 } },
  })
  expect(wordsOf(share, 'Quota')).toMatch(
    /^about 1\.30 × 10\^15 % of 1 call a month, about 2\.00 × 10\^15 % at most/,
  )
  expect(wordsOf(text, 'Words')).toMatch(/^about 3\.00 × 10\^21 sent, /)
})

describe('the first lines', () => {
  const head = { ...estimate, pace: estimate.time.pace }
  const words = (more: Partial<typeof head>): Record<string, string> =>
    Object.fromEntries(estimateHead({ ...head, ...more }).map((line) => [line.label, line.words]))

  test('say no time where no pace is known', () => {
    expect(words({})['Time']).toBe('2.0 s at least, at 59.4 calls a minute')
    expect(words({ pace: { kind: 'unlimited' } })).not.toHaveProperty('Time')
    expect(words({ pace: { kind: 'unknown', startPerSecond: 4 } })).not.toHaveProperty('Time')
  })

  test('say that a budget is too small, and that it is the worst case', () => {
    const cut = words({ calls: { ...estimate.calls, worst: 2, worstAttempts: 2, maxCalls: 2 } })
    expect(cut['Calls']).toBe('3 if nothing fails, 2 at most (--max-calls)')
    expect(cut['Budget']).toContain('--max-calls leaves 2 calls, and 3 are needed')
    expect(cut['Time']).toBe('1.0 s at least for 2 calls, 2.0 s at least for all 3, at 59.4 calls a minute')
    const none = words({ calls: { ...estimate.calls, worst: 0, worstAttempts: 0, maxCalls: 0 } })
    expect(none['Budget']).toBe(
      '--max-calls leaves no call, and 3 are needed: nothing will be asked, unless you raise it',
    )
    expect(none).not.toHaveProperty('Time')
    const enough = words({ calls: { ...estimate.calls, worst: 5, worstAttempts: 5, maxCalls: 5 } })
    expect(enough['Calls']).toBe('3 if nothing fails, 5 at most (--max-calls)')
    expect(enough).not.toHaveProperty('Budget')
  })

  test('say so where nothing can fail', () => {
    const calls = { ...estimate.calls, worst: 3, restarts: 0 }
    expect(words({ calls })['Calls']).toBe('3, whatever fails; 429s come on top, uncounted')
  })
})
