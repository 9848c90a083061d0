// The key is hidden in raw text however its signs are escaped, and nothing else is.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecret, isWithout, maskText } from '../../src/domain/secret.ts'

const MARK = '[key 01234567]'
const secretOf = (key: string) => createSecret(key, '01234567')

const hexOf = (sign: string): string => sign.charCodeAt(0).toString(16)
const escapes: readonly ((sign: string) => string)[] = [
  (sign) => sign,
  (sign) => `\\u${hexOf(sign).padStart(4, '0')}`,
  (sign) => `\\u${hexOf(sign).toUpperCase().padStart(4, '0')}`,
  (sign) => `\\\\u${hexOf(sign).padStart(4, '0')}`,
  (sign) => `\\x${hexOf(sign).padStart(2, '0')}`,
  (sign) => (/[a-z\d]/i.test(sign) ? sign : `\\${sign}`),
  (sign) => `&#${sign.charCodeAt(0)};`,
  (sign) => `&#0${sign.charCodeAt(0)};`,
  (sign) => `&#x${hexOf(sign)};`,
  (sign) => `&#X${hexOf(sign).toUpperCase()};`,
  (sign) => `&amp;#${sign.charCodeAt(0)};`,
  (sign) => `%${hexOf(sign).padStart(2, '0')}`,
  (sign) => `%${hexOf(sign).toUpperCase().padStart(2, '0')}`,
  (sign) => `%25${hexOf(sign).padStart(2, '0')}`,
]

const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
/** Signs that begin, end or fill no escape, and stand in no key. */
const around = fc.string({ unit: fc.constantFrom(' ', 'é', '—', '\n', '\t', '語') })
const mixed = (unit: fc.Arbitrary<string>) =>
  fc.array(fc.tuple(unit, fc.constantFrom(...escapes)), { minLength: 8, maxLength: 24 }).map((signs) => ({
    key: signs.map(([sign]) => sign).join(''),
    mix: signs.map(([sign, escape]) => escape(sign)).join(''),
  }))

test.each([
  ['any signs', printable],
  ['signs that escape others', fc.constantFrom('\\', '%', '&', '2', '5', '#', ';', 'u', 'x', '/', '"')],
])('a key in any mix of forms is hidden wherever it stands: %s', (_, sign) => {
  fc.assert(
    fc.property(mixed(sign), around, around, ({ key, mix }, before, after) => {
      const secret = secretOf(key)
      const text = before + mix + after
      expect(isWithout(text, secret)).toBe(false)
      const masked = maskText(text, secret)
      expect(masked.startsWith(before) && masked.endsWith(after)).toBe(true)
      expect(masked).toContain(MARK)
      expect(masked.length - before.length - after.length).toBeLessThanOrEqual(mix.length + MARK.length)
      // Nothing of the key is left over but what stood beside it.
      if (!/[\\%&]/.test(key)) expect(masked).toBe(before + MARK + after)
    }),
    { numRuns: 2000 },
  )
})

test('a text that holds other signs, escaped or not, stays as it is', () => {
  const other = fc.tuple(
    fc.constantFrom('a', 'b', 'c', 'd', 'f', '/', '"', '<', '&'),
    fc.constantFrom(...escapes),
  )
  fc.assert(
    fc.property(fc.array(other), (signs) => {
      const secret = secretOf('sk-live-Zx9')
      const text = signs.map(([sign, escape]) => escape(sign)).join('')
      expect(maskText(text, secret)).toBe(text)
      expect(isWithout(text, secret)).toBe(true)
    }),
  )
})

test('a key that is all but there is left alone, and the search for it ends', () => {
  const secret = secretOf(`${String.raw`\/`.repeat(30)}x`)
  const text = String.raw`\\/`.repeat(2000)
  expect(maskText(text, secret)).toBe(text)
})

test('a masked text of JSON is JSON still', () => {
  for (const key of ['"quoted-key', '/slashed-key', 'plain-key-0123']) {
    const inner = JSON.stringify({ key }).replaceAll('/', String.raw`\/`)
    for (const value of [key, inner, String.raw`\u0070lain-key-0123`]) {
      const masked = maskText(JSON.stringify({ value }), secretOf(key))
      expect(() => JSON.parse(masked), masked).not.toThrow()
    }
  }
})
