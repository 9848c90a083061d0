// Laws of folding over all of Unicode.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold } from '../../../src/analysis/grading/fold.ts'
import { anySign } from '../../support/any-sign.ts'

test('is idempotent for every character, alone and between letters', () => {
  const broken: string[] = []
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const text = `a${String.fromCodePoint(code)}b`
    const folded = fold(text)
    // What folding leaves as it was, it leaves so again: most of Unicode.
    if (folded !== text && fold(folded) !== folded) broken.push(code.toString(16))
  }
  expect(broken).toEqual([])
})

test('is idempotent, keeps to the ends and does not care for case or form', () => {
  const sign = fc.oneof(
    fc.string({ unit: anySign, minLength: 1, maxLength: 1 }),
    fc.constantFrom(
      'İ',
      'ı',
      'I',
      'i',
      '\u0307',
      'ß',
      'ẞ',
      'Σ',
      'ς',
      '´',
      '¨',
      '″',
      '…',
      '\u00a0',
      '\u200b',
      'ﬁ',
      '\u0345',
    ),
  )
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 12 }), (signs) => {
      const text = signs.join('')
      const folded = fold(text)
      expect(fold(folded)).toBe(folded)
      expect(folded).toBe(folded.trim())
      expect(fold(` ${text}\n`)).toBe(folded)
      expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')))
    }),
    { numRuns: 3000 },
  )
})

test.each([
  ['İIıi', 'iiii'],
  ['ẞßSSss', 'ssssssss'],
  ['ΣΊΣΥΦΟΣ σίσυφος', 'σίσυφοσ σίσυφοσ'],
  [' \u00a0a\u3000\tb\u0085c ', 'a b c'],
  ['«a» „b“ ‚c‘ 「d」', `"a" "b" 'c' "d"`],
  ['a‐b‑c–d—e−f', 'a-b-c-d-e-f'],
])('%s is %s', (text, folded) => {
  expect(fold(text)).toBe(folded)
})
