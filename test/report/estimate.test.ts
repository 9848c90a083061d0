// The estimate on the screen, and its first lines, which a run says before it starts.
import { describe, expect, test } from 'vitest'
import type { Estimate } from '../../src/domain/estimate.ts'
import { renderEstimate } from '../../src/report/estimate.ts'
import { estimateHead } from '../../src/report/estimate-head.ts'

const use = { runs: 30.4375, base: 91, worst: 213, shareOfQuota: { base: 0.091, worst: 0.213 } }
const part = { threads: 2, questions: 3, calls: { base: 3, worst: 7 }, words: 9, characters: 28 }
const regular = {
  period: 'month',
  releasesPerMonth: 1,
  nightly: use,
  weekly: { ...use, runs: 4.348, base: 13, worst: 30 },
  perRelease: { ...use, runs: 1, base: 3, worst: 7 },
} as const
const estimate: Estimate = {
  ...part,
  calls: { ...part.calls, restarts: 4, worstAttempts: 350, maxCalls: null },
  longestThread: 2,
  repeat: 1,
  countRejected: false,
  files: [{ ...part, path: 'a.csv', use: regular }],
  tags: { vpn: part },
  time: {
    pace: { kind: 'paced', source: 'given', perSecond: 0.99 },
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
  use: regular,
  audience: {
    users: 40,
    questionsPerUser: 0.5,
    turnsPerThread: 1.5,
    threadsPerDay: 13.333,
    callsPerDay: 20,
    calls: 609,
    shareOfQuota: 0.609,
    quotaEndsOnDay: null,
    withNightlyRun: { calls: 1096, shareOfQuota: 1.096, quotaEndsOnDay: 28 },
  },
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
    '          by 64 calls at once; 3.0 s an answer is taken: say it with --answer-time, or --from a recorded run',
    'Audience  40 users with 0.5 questions a day each: 20 calls a day, 13 threads a day (1.5 turns each, as in this',
    '          set), 609 calls a month, 60.9 % of the quota: it lasts the month',
    '          with this set asked every night: 1096 calls a month, 109.6 % of the quota: it ends on day 28 of the',
    '          month',
    '',
    'asked         runs a month  calls a month  at most  of the quota  at most',
    'every night          30.44             91      213         9.1 %   21.3 %',
    'every week            4.35             13       30         9.1 %   21.3 %',
    'each release             1              3        7         9.1 %   21.3 %',
    '',
    'tag  threads  questions  calls  at most  words',
    'vpn        2          3      3        7      9',
  ])
})

test('several sets stand each for itself and in all; names from files cannot act on a terminal', () => {
  const files = ['a\u001b[31m.csv', 'b.csv'].map((path) => ({ ...part, path, use: regular }))
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
  const of = (source: 'given' | 'run', perSecond: number): string =>
    wordsOf(
      renderEstimate({ ...estimate, time: { ...time, pace: { kind: 'paced', source, perSecond } } }),
      'Time',
    )
  expect(of('given', 297)).toContain(
    'about 6.0 s at 2.33 calls a second, as 7 calls at once come to no more; the pace alone would allow 297 calls a second; pauses',
  )
  expect(of('run', 29_700)).toContain(
    'the pace alone would allow 29,700 calls a second, as the recorded run found; pauses',
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

test('calls a month of an audience of thousands stand apart', () => {
  const audience = {
    users: 50_000,
    questionsPerUser: 30,
    turnsPerThread: 1.5,
    threadsPerDay: 1e6,
    callsPerDay: 1.5e6,
  }
  const month = { calls: 45_656_250, shareOfQuota: null, quotaEndsOnDay: null }
  const withNightlyRun = { ...month, calls: 47_482_500 }
  const text = renderEstimate({
    ...estimate,
    quota: null,
    audience: { ...audience, ...month, withNightlyRun },
  })
  expect(wordsOf(text, 'Audience')).toContain('with this set asked every night: 47,482,500 calls a month')
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

  test('say what refusals cost where they count', () => {
    expect(words({ countRejected: true })['Calls']).toContain('with --count-rejected they count: 350 at most')
  })

  test('say so where nothing can fail', () => {
    const calls = { ...estimate.calls, worst: 3, restarts: 0 }
    expect(words({ calls })['Calls']).toBe('3, whatever fails; 429s come on top, uncounted')
  })
})
