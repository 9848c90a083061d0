// Protects what the language of a text is taken to be: the words of its grammar tell it, unless two have as many.
import { expect, test } from 'vitest'
import { languageOf } from '../../src/text/words.ts'

test.each([
  ['How do I get the key?', 'en'],
  ['Wie bekomme ich den Schlüssel?', 'de'],
  ['the der', undefined],
  ['VPN reset', undefined],
])('the language of %j is %s', (text, language) => {
  expect(languageOf(text)).toBe(language)
})
