// Regular expressions within their limit of time: which need no watch, and what the watch does.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundRegex, createRegexMatcher } from '../../src/library/regex-with-deadline.ts'
import { cpuMs } from '../support/cpu-time.ts'

const answer = 'To install it open the VPN   profile 17 and so on. '.repeat(6)

test.each([
  [String.raw`every\s+14\s+days|once every 14 days`, true],
  [String.raw`\b3 working days\b`, true],
  ['reset.*password', true],
  [String.raw`(?:open|start) the .{0,20}profile`, true],
  [String.raw`[A-Z]{2}-\d{3}`, true],
  [String.raw`(?<amount>\d+(?=\s*€))`, true],
  [String.raw`\p{L}+ \[\d\]`, true],
  ['(a+)+$', false],
  ['(?:a|a)*b', false],
  [String.raw`(.)\1`, false],
  [String.raw`\u{61}+`, false],
  ['a?'.repeat(30) + 'a'.repeat(30), false],
  ['(?:a|b)(?:a|b)'.repeat(20), false],
  ['.*.*.*=', false],
])('%s is certain to end soon: %s', (source, isQuick) => {
  expect(boundRegex(source)(answer)).toBe(isQuick)
})

test('what needs no watch ends within a quarter of a second, on texts made to be hard', () => {
  const signs = ['a', '.', String.raw`\w`, '[ab]', '[^b]', String.raw`\s`, String.raw`\p{L}`, 'b']
  const piece = fc.oneof(
    fc.constantFrom('^', '$'),
    fc
      .tuple(fc.constantFrom(...signs), fc.constantFrom('', '', '*', '+', '?', '{2,9}', '{3,}', '*?'))
      .map(([sign, times]) => sign + times),
  )
  const group = fc
    .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<='), fc.array(piece, { minLength: 1, maxLength: 3 }))
    .map(([open, pieces]) => `${open}${pieces.join('|')})`)
  const source = fc
    .array(fc.oneof(piece, group), { minLength: 1, maxLength: 8 })
    .map((pieces) => pieces.join(''))
  const text = fc
    .tuple(fc.constantFrom('a', 'ab', 'a b', 'aaab'), fc.integer({ min: 1, max: 2000 }))
    .map(([unit, count]) => `${unit.repeat(count)}!`)
  fc.assert(
    fc.property(source, text, (expression, hard) => {
      fc.pre(boundRegex(expression)(hard))
      const regex = new RegExp(expression, 'iu')
      expect(cpuMs(250, () => regex.test(hard))).toBeLessThan(250)
    }),
    { numRuns: 300, maxSkipsPerRun: 1000 },
  )
})

describe('the matcher', () => {
  const matches = createRegexMatcher()

  test.each([
    ['(a+)+$', `${'a'.repeat(40)}!`, 'timed out'],
    ['(.*)*x', 'y'.repeat(5000), 'timed out'],
    ['(unclosed', 'a', 'cannot run'],
    // After a stop it goes on, and answers the same with the watch and without it.
    ['(?:profile)+ 17', answer, 'match'],
    ['profile 17', answer, 'match'],
    ['(?:profile)+ 18', answer, 'no match'],
    ['profile 18', answer, 'no match'],
  ])('%s', (source, text, outcome) => {
    expect(matches(source, text)).toBe(outcome)
  })

  test('costs little: 20,000 ordinary calls in a second', () => {
    const ordinary = (): void => {
      for (let count = 0; count < 20_000; count += 1) matches(String.raw`every\s+14\s+days`, answer)
    }
    expect(cpuMs(1000, ordinary)).toBeLessThan(1000)
  })
})
