// Words and characters of a text, as splitting it at white space and spreading it into code points count them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sizeOf } from '../../../src/analysis/estimate/text-size.ts'

test.each([
  ['', 0, 0],
  ['  \t\n ', 0, 5],
  ['one', 1, 3],
  [' How do I\nset it up? ', 6, 21],
  ['Grüß 👍', 2, 6],
  // Half of a pair is a character; so is each of two in the wrong order.
  ['\ud83d', 1, 1],
  ['\udc4d\ud83d x', 2, 4],
  ['\ud83d\ud83d\udc4d', 1, 2],
])('%j', (text, words, characters) => {
  expect(sizeOf(text)).toEqual({ words, characters })
})

test('law: every unit of UTF-16 counts as splitting and spreading do', () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const text = `a${String.fromCharCode(code)}b`
    if (sizeOf(text).words !== text.split(/\s+/).filter(Boolean).length) expect.fail(code.toString(16))
  }
  const unit = fc.constantFrom('a', 'ü', ' ', '\u00a0', '\u3000', '\ufeff', '\n', '\ud83d', '\udc4d', '👍')
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
      const text = units.join('')
      const words = text.split(/\s+/).filter(Boolean).length
      expect(sizeOf(text)).toEqual({ words, characters: Array.from(text).length })
    }),
  )
})
