// Folding by tables against folding as it is defined: step by step over the whole text, whatever is in it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, unifySigns } from '../../../src/analysis/grading/fold.ts'
import { anySign } from '../../support/any-sign.ts'

/** The definition, without any short way. */
const straighten = (text: string): string =>
  text
    .replaceAll(/[`\u00b4\u02b9\u02bb-\u02bd\u2018-\u201b\u2032\u2035\u2039\u203a\uff07]/g, "'")
    .replaceAll(/[\u00ab\u00bb\u201c-\u201f\u2033\u2036\u300c-\u300f\u301d-\u301f\uff02]/g, '"')
    .replaceAll(/[\p{Pd}\u2043\u2212]/gu, '-')
const unifiedSlowly = (text: string): string =>
  straighten(straighten(text.replaceAll(/\p{DI}/gu, '')).normalize('NFKC'))
const foldedSlowly = (text: string): string =>
  straighten(
    unifiedSlowly(text)
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replaceAll(/i\u0307+/g, 'i')
      .normalize('NFKC'),
  )
    .replaceAll(/[\s\u0085]+/g, ' ')
    .trim()

test('each code unit of Unicode, between letters and beside a mark', () => {
  const broken: string[] = []
  for (let code = 0; code < 0x1_0000; code += 1)
    for (const text of [`a${String.fromCharCode(code)}b`, `${String.fromCharCode(code)}\u0301 x`])
      if (fold(text) !== foldedSlowly(text) || unifySigns(text) !== unifiedSlowly(text))
        broken.push(code.toString(16))
  expect(broken).toEqual([])
})

test('any text', () => {
  const odd = fc.constantFrom(
    '’',
    '“',
    '–',
    '…',
    '\u00a0',
    '`',
    'ß',
    'ẞ',
    'Σ',
    'ς',
    'İ',
    'ı',
    'I',
    'ﬁ',
    'ﾞ',
    'ｶ',
    'ᄀ',
    'ᅡ',
    'ᆨ',
    '가',
    '각',
    'ㅏ',
    'ﾡ',
    'ￂ',
    '\u0301',
    '\u0307',
    'e',
    'é',
    '👍',
    '\ufe0f',
    '\u200d',
    '½',
    '™',
    '¨',
    '\u0345',
    ' ',
    '\n',
  )
  const text = fc.oneof(
    fc.string({ unit: anySign, maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.array(odd, { maxLength: 8 }).map((signs) => signs.join('')),
  )
  fc.assert(
    fc.property(text, (one) => {
      expect(unifySigns(one)).toBe(unifiedSlowly(one))
      expect(fold(one)).toBe(foldedSlowly(one))
    }),
    { numRuns: 20_000 },
  )
})
