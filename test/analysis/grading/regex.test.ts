// Regular expressions within their limit of time: which need no watch, and what the watch does.
import { Script } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { boundRegex } from '../../../src/analysis/grading/regex.ts'
import { createRegexMatcher } from '../../../src/library/regex-with-deadline.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const answer = 'To install it open the VPN   profile 17 and so on. '.repeat(6)

describe('an expression that people write', () => {
  test.each([
    String.raw`every\s+14\s+days|once every 14 days`,
    String.raw`\b3 working days\b`,
    'reset.*password',
    String.raw`(?:open|start) the .{0,20}profile`,
    String.raw`[A-Z]{2}-\d{3}`,
    String.raw`(?<amount>\d+(?=\s*€))`,
    String.raw`\p{L}+ \[\d\]`,
  ])('%s needs no watch', (source) => {
    expect(boundRegex(source)(answer)).toBe(true)
  })

  test.each([
    '(a+)+$',
    '(?:a|a)*b',
    String.raw`(.)\1`,
    String.raw`\u{61}+`,
    'a?'.repeat(30) + 'a'.repeat(30),
    '(?:a|b)(?:a|b)'.repeat(20),
    '.*.*.*=',
  ])('%s is watched', (source) => {
    expect(boundRegex(source)(answer)).toBe(false)
  })
})

test('what needs no watch ends within a quarter of a second, on texts made to be hard', () => {
  const atom = fc.constantFrom(
    'a',
    '.',
    String.raw`\w`,
    '[ab]',
    '[^b]',
    String.raw`\s`,
    String.raw`\p{L}`,
    'b',
    '^',
    '$',
  )
  const piece = fc
    .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2,9}', '{3,}', '*?'))
    .map(([sign, times]) => (sign === '^' || sign === '$' ? sign : sign + times))
  const group = fc
    .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<='), fc.array(piece, { minLength: 1, maxLength: 3 }))
    .map(([open, pieces]) => `${open}${pieces.join('|')})`)
  const source = fc
    .array(fc.oneof(piece, group), { minLength: 1, maxLength: 8 })
    .map((pieces) => pieces.join(''))
  const text = fc
    .tuple(fc.constantFrom('a', 'ab', 'a b', 'aaab'), fc.integer({ min: 1, max: 2000 }))
    .map(([unit, count]) => `${unit.repeat(count)}!`)
  let quick = 0
  fc.assert(
    fc.property(source, text, (expression, hard) => {
      fc.pre(boundRegex(expression)(hard))
      quick += 1
      const regex = new RegExp(expression, 'iu')
      expect(cpuMs(250, () => regex.test(hard))).toBeLessThan(250)
    }),
    { numRuns: 300, maxSkipsPerRun: 1000 },
  )
  expect(quick).toBe(300)
})

describe('the matcher', () => {
  const matches = createRegexMatcher()

  test.each([
    ['(a+)+$', `${'a'.repeat(40)}!`],
    ['(.*)*x', 'y'.repeat(5000)],
    [String.raw`^(\s+)+$`, `${' '.repeat(60)}x`],
    ['(?:a|aa)+$', `${'a'.repeat(80)}!`],
  ])('stops %s', (source, text) => {
    const start = performance.now()
    expect(matches(source, text)).toBe('timed out')
    // Unwatched none of them ends while anybody waits; how soon the watch is heard is a matter of the machine.
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  test('says so where the engine cannot', () => {
    expect(matches('(unclosed', 'a')).toBe('cannot run')
  })

  test('goes on after a stop, and answers the same with the watch and without it', () => {
    expect(matches('(a+)+$', `${'a'.repeat(40)}!`)).toBe('timed out')
    expect(matches('(?:profile)+ 17', answer)).toBe('match')
    expect(matches('profile 17', answer)).toBe('match')
    expect(matches('(?:profile)+ 18', answer)).toBe('no match')
    expect(matches('profile 18', answer)).toBe('no match')
  })

  test('costs little: 20,000 ordinary calls in a second', () => {
    const ordinary = (): void => {
      for (let count = 0; count < 20_000; count += 1) matches(String.raw`every\s+14\s+days`, answer)
    }
    expect(cpuMs(1000, ordinary)).toBeLessThan(1000)
  })

  test('watches nothing that is certain to end, and begins no thread for it', () => {
    const watched = vi.spyOn(Script.prototype, 'runInContext')
    try {
      expect(matches(String.raw`every\s+14\s+days`, answer)).toBe('no match')
      expect(watched).toHaveBeenCalledTimes(0)
      expect(matches('(?:profile)+ 19', answer)).toBe('no match')
      expect(watched).toHaveBeenCalledTimes(1)
    } finally {
      watched.mockRestore()
    }
  })
})
