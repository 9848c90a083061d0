// Regular expressions within their limit of time.
import { describe, expect, test } from 'vitest'
import { createRegexMatcher } from '../../src/library/regex-with-deadline.ts'
import { cpuMs } from '../support/cpu-time.ts'

const answer = 'To install it open the VPN   profile 17 and so on. '.repeat(6)

describe('the matcher', () => {
  const matches = createRegexMatcher()

  test.each([
    ['(a+)+$', `${'a'.repeat(40)}!`, 'timed out'],
    ['(.*)*x', 'y'.repeat(5000), 'timed out'],
    ['(unclosed', 'a', 'cannot run'],
    // After a stop it goes on.
    ['(?:profile)+ 17', answer, 'match'],
    ['profile 17', answer, 'match'],
    ['(?:profile)+ 18', answer, 'no match'],
    ['profile 18', answer, 'no match'],
  ])('%s', (source, text, outcome) => {
    expect(matches(source, text)).toBe(outcome)
  })

  test('costs little: 5,000 answers in a second, and nothing the second time', () => {
    const answers = Array.from({ length: 5000 }, (_, place) => `${answer} ${place}`)
    const look = (): void => {
      for (const one of answers) matches(String.raw`every\s+14\s+days`, one)
    }
    expect(cpuMs(1000, look)).toBeLessThan(1000)
    expect(cpuMs(100, look)).toBeLessThan(100)
  })
})
