// Signs that act are shown by their numbers; those that scripts and emoji need stay.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { showActing } from '../../src/domain/text.ts'
import { visibleText } from '../../src/page/visible.ts'
import { hostileText } from '../support/hostile.ts'

test.each([
  ['override', 'a\u202eb', 'a[U+202E]b'],
  ['isolate', '\u2066a\u2069', '[U+2066]a[U+2069]'],
  ['space without width', 'pay\u200bpal', 'pay[U+200B]pal'],
  ['byte order mark', '\ufeffid', '[U+FEFF]id'],
  ['control', '\u0000\u001b[31m', '[U+0000][U+001B][31m'],
  ['half of a sign', 'a\ud800', 'a[U+D800]'],
  ['tag', 'a\u{e0041}', 'a[U+E0041]'],
])('%s', (_, text, shown) => {
  expect(showActing(text)).toBe(shown)
})

test.each([
  ['Arabic', 'متى يتم دفع الرواتب؟'],
  ['Persian with a joiner', 'می\u200cخواهم'],
  ['Devanagari with a joiner', 'क्\u200dष'],
  ['a family', '👩\u200d👩\u200d👧'],
  ['a mark of direction', 'C++\u200e هنا'],
  ['lines and tabs', 'a\tb\r\nc'],
])('%s stays', (_, text) => {
  expect(showActing(text)).toBe(text)
})

test('the list of conversations marks no sign that the overview leaves', () => {
  fc.assert(
    fc.property(hostileText(30), (text) => {
      expect(visibleText(showActing(text))).toBe(showActing(text))
    }),
    { numRuns: 500 },
  )
})
