// Protects the folding of texts before they are compared: properties over all of Unicode, and the fast path against its definition.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldText, unifySigns } from '../../src/text/fold.ts'
import { anyCodePoint } from '../support/any-code-point.ts'

/** The definition, without the fast path. */
const unifyVariants = (text: string): string =>
  text
    .replaceAll(/[`\u00b4\u02b9\u02bb-\u02bd\u2018-\u201b\u2032\u2035\u2039\u203a\uff07]/g, "'")
    .replaceAll(/[\u00ab\u00bb\u201c-\u201f\u2033\u2036\u300c-\u300f\u301d-\u301f\uff02]/g, '"')
    .replaceAll(/[\p{Pd}\u2043\u2212]/gu, '-')
const unifiedByDefinition = (text: string): string =>
  unifyVariants(unifyVariants(text.replaceAll(/\p{DI}/gu, '')).normalize('NFKC'))
const foldedByDefinition = (text: string): string =>
  unifyVariants(
    unifiedByDefinition(text)
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replaceAll(/i\u0307+/g, 'i')
      .normalize('NFKC'),
  )
    .replaceAll(/[\s\u0085]+/g, ' ')
    .trim()

/** The texts `a?b` with each character from `first` to `last`. */
const between = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => `a${String.fromCodePoint(first + at)}b`)

test('every character between letters folds as defined, and folding again changes nothing', () => {
  const broken: string[] = []
  for (const text of between(0, 0xffff)) {
    const folded = foldText(text)
    const isWhole = folded === foldedByDefinition(text) && unifySigns(text) === unifiedByDefinition(text)
    if (!isWhole || (folded !== text && foldText(folded) !== folded)) broken.push(text)
  }
  // Those assigned above, in texts of 64 of them, whose letters keep them apart.
  for (let code = 0x1_0000; code <= 0x3_23bf; code += 64) {
    const text = between(code, code + 63).join('')
    const folded = foldText(text)
    if (folded !== text && foldText(folded) !== folded) broken.push(text)
  }
  expect(broken).toEqual([])
})

test('any text folds as defined; folding is idempotent and ignores outer white space and normal form', () => {
  const odd = Array.from('İıIißẞΣς´¨″…`’“–½™ﬁﾞｶ각가각ㅏﾡￂeé👍 \n\u0307\u0301\u00a0\u200b\u0345\ufe0f\u200d')
  const sign = fc.oneof(
    fc.string({ unit: anyCodePoint, minLength: 1, maxLength: 1 }),
    fc.constantFrom(...odd),
  )
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 12 }), (signs) => {
      const text = signs.join('')
      const folded = foldText(text)
      expect([unifySigns(text), folded]).toEqual([unifiedByDefinition(text), foldedByDefinition(text)])
      expect(foldText(folded)).toBe(folded)
      expect(foldText(` ${text}\n`)).toBe(folded)
      expect(foldText(text.normalize('NFD'))).toBe(foldText(text.normalize('NFC')))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['İIıi', 'iiii'],
  ['ẞßSSss', 'ssssssss'],
  ['ΣΊΣΥΦΟΣ σίσυφος', 'σίσυφοσ σίσυφοσ'],
  [' \u00a0a\u3000\tb\u0085c ', 'a b c'],
  ['«a» „b“ ‚c‘ 「d」', `"a" "b" 'c' "d"`],
  ['a‐b‑c–d—e−f', 'a-b-c-d-e-f'],
])('%s folds to %s', (text, folded) => {
  expect(foldText(text)).toBe(folded)
})
