// Protects the masking of the key: every form in which servers echo it is masked, and nothing else.
import { expect, test } from 'vitest'
import { createSecret, isWithout, maskText, maskValue } from '../../src/domain/secret.ts'

const KEY = 'sk-live/0123"<&>9'
const secret = createSecret(KEY, '01234567')
const MARK = '[key 01234567]'

test.each([
  ['plain', KEY],
  ['in JSON', JSON.stringify(KEY).slice(1, -1)],
  [
    'in JSON with escaped slashes',
    JSON.stringify(KEY)
      .slice(1, -1)
      .replaceAll('/', String.raw`\/`),
  ],
  ['in a URL', encodeURIComponent(KEY)],
  ['in HTML', 'sk-live/0123&quot;&lt;&amp;&gt;9'],
  ['in base64', btoa(KEY).replace(/=+$/, '')],
])('a key %s is masked', (_, form) => {
  const text = `before ${form} after`
  expect(isWithout(text, secret)).toBe(false)
  expect(maskText(text, secret)).toBe(`before ${MARK} after`)
})

test('a text without the key is unchanged', () => {
  const text = `sk-live/0123 ${KEY.slice(1)}`
  expect([isWithout(text, secret), maskText(text, secret)]).toEqual([true, text])
})

test('masked JSON stays valid, names of properties included', () => {
  const value = { [KEY]: [KEY, { inner: `to ${KEY}` }] }
  expect(JSON.parse(maskText(JSON.stringify(value), secret))).toEqual(maskValue(value, secret))
})
