// Protects token F1, the score of expect_answer: equal to the SQuAD evaluation script, and its properties.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenF1, tokensOf } from '../../../src/analysis/grading/similarity.ts'

/** `normalize_answer` of the SQuAD evaluation script 1.1, ported from Python. */
function squadTokens(text: string): string[] {
  const punctuation = new Set('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~')
  const bare = Array.from(text.toLowerCase())
    .filter((sign) => !punctuation.has(sign))
    .join('')
  return bare
    .replaceAll(/\b(a|an|the)\b/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
}

const f1 = (a: string, b: string): number => tokenF1(tokensOf(a), tokensOf(b))

describe('tokens', () => {
  test('of ASCII texts are those of the SQuAD script', () => {
    const sign = fc.integer({ min: 32, max: 126 }).map((code) => String.fromCodePoint(code))
    const words = ['The', 'an', 'a', 'U.S.', "don't", 'e-mail', '3.5', 'cat,', '(dog)', 'theatre', '-']
    const prose = fc.array(fc.constantFrom(...words)).map((chosen) => chosen.join(' '))
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: sign }), prose), (text) => {
        expect(tokensOf(text)).toEqual(squadTokens(text))
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['Die große Straße – 30 km', ['die', 'grosse', 'strasse', '30', 'km']],
    ['Zresetuj hasło: „teraz”', ['zresetuj', 'hasło', 'teraz']],
    ["İstanbul'da şifre", ['istanbulda', 'şifre']],
    ['怎么重置密码？', ['怎么', '重', '置', '密码']],
    ['パスワードを変更する。', ['パスワード', 'を', '変更', 'する']],
    ['VPN接続の設定', ['vpn', '接続', 'の', '設定']],
    ['word—word and so on…then', ['word', 'word', 'and', 'so', 'on', 'then']],
    ['¿Dónde está?', ['dónde', 'está']],
  ])('of %s', (text, words) => {
    expect(tokensOf(text)).toEqual(words)
  })
})

describe('token F1', () => {
  // Computed by hand from precision and recall as in `f1_score` of the script.
  test.each([
    ['Denver Broncos', 'The Denver Broncos', 1],
    ['Santa Clara, California', 'Santa Clara', 0.8],
    ['in the San Francisco Bay Area', "San Francisco Bay Area at Santa Clara's stadium", 8 / 13],
    ['gold gold gold', 'gold', 0.5],
    ['Carolina Panthers', 'Denver Broncos', 0],
    ['', 'Denver', 0],
    ['The', 'a', 1],
    ['to be or not to be', 'to be', 4 / 8],
    ['don’t', "DON'T", 1],
    ['Das Passwort zurücksetzen', 'PASSWORT zurücksetzen', 4 / 5],
    ['Zmień hasło w portalu', 'hasło zmień', 4 / 6],
    ['Şifreyi portalda yenileyin', 'ŞİFREYİ yenileyin', 4 / 5],
    ['重置密码', '重置密码。', 1],
    ['', '', 1],
  ])('of %j and %j is %d', (a, b, value) => {
    expect(f1(a, b)).toBeCloseTo(value, 12)
  })

  test('is symmetric, between 0 and 1, 1 for equal texts, and independent of order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(f1(a, b)).toBe(f1(b, a))
        expect(f1(a, b)).toBeGreaterThanOrEqual(0)
        expect(f1(a, b)).toBeLessThanOrEqual(1)
        expect(f1(a, a)).toBe(1)
        expect(tokenF1(tokensOf(a), tokensOf(a).reverse())).toBe(1)
      }),
    )
  })
})
