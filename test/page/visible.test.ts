// Signs that steer the display are shown as what they are; all others stay.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visibleParts, visibleText } from '../../src/page/visible.ts'
import { hostileText } from '../support/hostile.ts'

test.each([
  ['plain', 'plain'],
  ['a\u202Eb', 'a[U+202E]b'],
  ['\u0000\ud800', '[U+0000][U+D800]'],
  ['\u{e0041}', '[U+E0041]'],
  ['line\nend\ttab', 'line\nend\ttab'],
  ['👨‍👩‍👧 می‌خواهم \u200F', '👨‍👩‍👧 می‌خواهم \u200F'],
])('%j', (text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

test('nothing is lost, and no part is empty', () => {
  fc.assert(
    fc.property(hostileText(30), (text) => {
      const parts = visibleParts(text)
      const back = parts.map((part) =>
        part.kind === 'text' ? part.text : String.fromCodePoint(Number.parseInt(part.text.slice(2), 16)),
      )
      expect(back.join('')).toBe(text)
      expect(parts.every((part) => part.text !== '')).toBe(true)
    }),
  )
})
