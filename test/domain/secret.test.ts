// Protects the masking of the key: every form in which servers echo it is masked, and nothing else.
import { expect, test } from 'vitest'
import { createSecret, isWithout, joinMasks, maskText, maskValue } from '../../src/domain/secret.ts'

const KEY = 'sk-live/0123"<&>9'
const secret = createSecret(KEY, '01234567')
const MARK = '[key 01234567]'

test.each([
  ['plain', KEY],
  ['in JSON', JSON.stringify(KEY).slice(1, -1)],
  ['in JSON with escaped slashes', JSON.stringify(KEY).slice(1, -1).replaceAll('/', '\\/')],
  ['in JSON of .NET', String.raw`sk-live/0123\u0022\u003C\u0026\u003E9`],
  ['in JSON of Go and Gson', String.raw`sk-live/0123\"\u003c\u0026\u003e9`],
  ['in a URL', encodeURIComponent(KEY)],
  ['in HTML', 'sk-live/0123&quot;&lt;&amp;&gt;9'],
  ['in upper case', KEY.toUpperCase()],
  ['in lower case', `${KEY}Q`.toLowerCase().slice(0, -1)],
  ['in hex', Buffer.from(KEY).toString('hex')],
  ['in hex of upper case', Buffer.from(KEY).toString('hex').toUpperCase()],
  ['in base64', btoa(KEY).replace(/=+$/, '')],
  ['in base64 for addresses', Buffer.from(KEY).toString('base64url')],
])('a key %s is masked', (_, form) => {
  const text = `before ${form} after`
  expect(isWithout(text, secret)).toBe(false)
  expect(maskText(text, secret)).toBe(`before ${MARK} after`)
})

test.each(['', 'B', 'Bearer ', 'Authorization: Bearer ', 'Basic me:'])(
  'a key behind "%s" is masked in base64 of the whole',
  (before) => {
    for (const after of ['', '\n', '\r\n', ' and so on']) {
      const text = btoa(before + KEY + after)
      const masked = maskText(text, secret)
      expect(isWithout(text, secret)).toBe(false)
      expect(masked).toContain(MARK)
      // At most a part of a character at each end of the key stays.
      expect(masked.replace(MARK, '').length).toBeLessThanOrEqual(
        btoa(before).length + btoa(after).length + 4,
      )
    }
  },
)

test('joined masks hide every secret, the longer one first', () => {
  const longer = createSecret(`${KEY}-and-more`, '89abcdef')
  const mask = joinMasks([secret, longer])
  expect(maskText(`${KEY} ${longer.value}`, mask)).toBe(`${MARK} [key 89abcdef]`)
  expect([isWithout('none', mask), isWithout(longer.value, mask)]).toEqual([true, false])
})

test('a text without the key is unchanged', () => {
  const text = `sk-live/0123 ${KEY.slice(1)}`
  expect([isWithout(text, secret), maskText(text, secret)]).toEqual([true, text])
})

test('masked JSON stays valid, names of properties included', () => {
  const value = { [KEY]: [KEY, { inner: `to ${KEY}` }] }
  expect(JSON.parse(maskText(JSON.stringify(value), secret))).toEqual(maskValue(value, secret))
})
