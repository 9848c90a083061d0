// Protects what the language of a text is taken to be: the words of its grammar tell it, unless two have as many;
// and what is left of a question as its topic, in each language.
import { expect, test } from 'vitest'
import { languageOf, topicTerms } from '../../src/text/words.ts'

test.each([
  ['How do I get the key?', 'en'],
  ['Wie bekomme ich den Schlüssel?', 'de'],
  ['the der', undefined],
  ['VPN reset', undefined],
  ['Y a-t-il un club à pied ?', 'fr'],
  ['¿Hay un gimnasio?', 'es'],
])('the language of %j is %s', (text, language) => {
  expect(languageOf(text)).toBe(language)
})

test.each([
  ['How much does the parking cost, and where is it?', ['parking', 'cost']],
  ['Was kostet das Parken, und wo ist es?', ['kostet', 'Parken']],
  ['Où dois-je déposer la clé, et combien coûte-t-elle ?', ['déposer', 'clé', 'coûte']],
  ['¿Qué hago con la llave, y cuánto cuesta?', ['llave', 'cuesta']],
])('the topic of %j is %j', (question, words) => {
  expect([...topicTerms(question).values()]).toEqual(words)
})
