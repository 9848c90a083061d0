// What is said of a limit, and that nothing doubtful is said as if it were sure.
import { describe, expect, test } from 'vitest'
import { LIMIT_REASONS, type LimitReason, type LimitTier } from '../../src/domain/limit.ts'
import { ruleWords } from '../../src/report/limit-rule-words.ts'
import {
  describeFinding,
  limitLine,
  quotedLimit,
  quotedPerSecond,
  reasonWords,
} from '../../src/report/limit-words.ts'
import { learned, between, makeFinding, makeTier, sharp } from '../support/limit-findings.ts'

describe('a rule', () => {
  const bucket = { kind: 'token-bucket', variant: null, windowMs: null } as const
  const seconds = (count: number) => ({ windowMs: sharp(count * 1000) })
  test.each<[Partial<LimitTier>, string]>([
    [{}, '60 calls a minute, in windows that turn at full minutes'],
    [{ variant: 'free' }, '60 calls a minute, in windows that turn at times of their own'],
    [{ variant: 'first-call' }, '60 calls a minute, in windows that the first call opens'],
    [{ burst: sharp(1000), windowMs: sharp(3_600_000), variant: null }, '1,000 calls an hour'],
    [{ burst: sharp(20), ...seconds(5) }, '20 calls in 5 s, in windows that turn with the clock'],
    [
      { burst: between(18, 20, 21), windowMs: between(5010, 5210, 5390), variant: 'free' },
      '20 calls (18 to 21) in 5.2 s, in windows that turn at times of their own',
    ],
    [{ kind: 'sliding-window', variant: 'log' }, '60 calls in any minute'],
    [
      { kind: 'sliding-window', variant: 'counter', ...seconds(300) },
      '60 calls in any 5 min, counted by parts of windows',
    ],
    [
      { kind: 'sliding-window', variant: 'log-of-all', ...seconds(0.25) },
      '60 calls in any 250 ms, refused ones among them',
    ],
    [
      { ...bucket, perSecond: between(4.9, 5.02, 5.1), burst: sharp(20) },
      'a bucket: 5.0 calls a second (4.9 to 5.1), 20 at once after a rest',
    ],
    [{ ...bucket, perSecond: sharp(8), burst: sharp(1) }, '8 calls a second, one at a time'],
    [
      { ...bucket, perSecond: sharp(1 / 60), burst: sharp(5) },
      'a bucket: 1 call a minute, 5 at once after a rest',
    ],
    [
      { kind: 'concurrency', variant: null, atOnce: between(9, 10, 10) },
      '10 calls (9 to 10) in flight at once',
    ],
    [{ kind: 'concurrency', variant: null, atOnce: sharp(1) }, '1 call in flight at once'],
  ])('%o', (more, words) => {
    expect(ruleWords(makeTier(more))).toBe(words)
  })
})

describe('a finding', () => {
  test.each<[string, ReturnType<typeof makeFinding>, string]>([
    [
      'sure',
      makeFinding(),
      '60 calls a minute, in windows that turn at full minutes (high confidence: 3 of 3 refusals explained, 412 of 412 calls let through)',
    ],
    [
      'rather sure',
      makeFinding({ confidence: 'medium', reasons: ['rate-uncertain', 'part-of-record-used'] }),
      'probably 60 calls a minute, in windows that turn at full minutes (medium confidence: the rate is not known closely; only 415 of 415 calls were tried, the latest; 3 of 3 refusals explained, 412 of 412 calls let through)',
    ],
    [
      'another kind would do',
      makeFinding({ confidence: 'medium', reasons: ['other-kind-fits-as-well'] }),
      'perhaps 60 calls a minute, in windows that turn at full minutes (medium confidence: a bucket would explain it as well; 3 of 3 refusals explained, 412 of 412 calls let through)',
    ],
    [
      'of a part of a long record',
      makeFinding(
        {},
        {
          calls: 100_000,
          callsUsed: 5000,
          models: [
            {
              kinds: ['fixed-window'],
              variants: ['clock'],
              acceptedExplained: 1,
              refusedExplained: 0.9996,
              cost: 3,
            },
          ],
        },
      ),
      '60 calls a minute, in windows that turn at full minutes (high confidence: 99.9 % of the refusals explained, all calls let through)',
    ],
    [
      'none met',
      makeFinding(
        { kind: 'none-met', tiers: [], traces: [], confidence: 'low', reasons: ['no-refusal'] },
        { heldPerSecond: 12, heldForMs: 40_000, models: [], refusals: 0 },
      ),
      'no limit was met: 12.0 calls a second were let through for 40.0 s (low confidence: nothing was refused)',
    ],
    [
      'of no known kind',
      makeFinding(
        { kind: 'unknown', tiers: [], traces: [], confidence: 'low', reasons: ['few-refusals'] },
        { models: [] },
      ),
      'a limit that no known kind explains (low confidence: only 3 refusals)',
    ],
  ])('%s', (_, finding, words) => {
    expect(describeFinding(finding)).toBe(words)
  })

  test('every reason has words of its own', () => {
    const finding = makeFinding({}, { changedAtMs: Date.UTC(2026, 10, 21, 12, 3, 20) })
    const words = LIMIT_REASONS.map((reason) => reasonWords(reason, finding))
    expect(new Set(words).size).toBe(LIMIT_REASONS.length)
    expect(reasonWords('limit-changed', finding)).toBe(
      'the limit seems to have changed at 12:03:20 UTC, and this is the time after',
    )
  })
})

describe('of finding and limiter, all reports speak of one', () => {
  const about = 'about 58.2 calls a minute (met 2 times, 3 calls refused)'
  const low = makeFinding({ confidence: 'low', reasons: ['few-refusals'] })
  const badly: LimitReason[] = ['model-fits-badly']
  test.each([
    ['neither', null, null, undefined, undefined],
    ['the finding where it is sure', makeFinding(), learned, 'finding', /^60 calls a minute/],
    ['the finding alone', makeFinding(), null, 'finding', /^60 calls a minute/],
    ['the limiter, where the finding is not', low, learned, 'limiter', about],
    ['the limiter alone', null, learned, 'limiter', about],
    [
      'the limiter of all jobs together',
      null,
      { ...learned, together: true as const },
      'limiter',
      /\(met 2 times, 3 calls refused, by all jobs together\)$/,
    ],
    [
      'the limiter, where the finding explains little',
      makeFinding({ confidence: 'medium', reasons: badly }),
      learned,
      'limiter',
      about,
    ],
    ['an unsure finding, where there is nothing else', low, null, 'finding', /^perhaps 60 calls a minute/],
  ])('%s', (_, finding, limit, by, line) => {
    expect(quotedLimit({ finding, limit })?.by).toBe(by)
    const said = limitLine({ finding, limit })
    if (line === undefined) expect(said).toBeUndefined()
    else expect(said).toMatch(line)
    const rate = by === 'finding' ? 1 : by === 'limiter' ? 0.97 : null
    expect(quotedPerSecond({ finding, limit })).toBe(rate)
  })
})
