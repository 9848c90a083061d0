// Whether two texts are the same answer after a spreadsheet has had one of them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerText, isSameAnswer } from '../../../src/analysis/reviews/answer-text.ts'
import { anySign } from '../../support/any-sign.ts'

const isSame = (some: string, other: string): boolean => isSameAnswer(answerText(some), answerText(other))
const long = (length: number, word = 'answer '): string =>
  word.repeat(length / word.length + 1).slice(0, length)

describe('a short answer', () => {
  test.each([
    ['line ends and outer white space', 'One\r\ntwo ', ' One\ntwo', true],
    ['case and typographic signs', 'It’s OPEN', "it's open", true],
    ['control characters, which cells show by pictures', 'a\u0000b\u001b', 'a␀b␛', true],
    ['another word', 'It is open', 'It is shut', false],
    ['what follows', 'It is open', 'It is open now', false],
    ['nothing', '', ' ', true],
  ])('with other %s', (_, some, other, same) => {
    expect([isSame(some, other), isSame(other, some)]).toEqual([same, same])
  })
})

describe('an answer over what a cell takes', () => {
  const whole = `${long(40_000)} end`
  const lines = long(40_000, 'line\r\n')

  test.each([
    ['cut by Excel', whole.slice(0, 32_767), whole, true],
    ['cut by Excel after our quote', `=${whole}`.slice(0, 32_766), `=${whole}`, true],
    ['cut by --excel', `${whole.slice(0, 32_766)}…`, whole, true],
    [
      'cut in lines, whose ends were two characters',
      lines.slice(0, 32_767).replaceAll('\r\n', '\n'),
      lines,
      true,
    ],
    ['with another beginning', `B${whole.slice(1, 32_767)}`, whole, false],
    ['with another middle', `${whole.slice(0, 20_000)}X${whole.slice(20_001, 32_767)}`, whole, false],
    ['that stops before a cell is full', whole.slice(0, 30_000), whole, false],
    ['whole, with another end', whole, `${whole.slice(0, -3)}End of it`, false],
    ['that only just fits, beside one that does, too', long(32_766), `${long(32_765)}!`, false],
  ])('%s', (_, some, other, same) => {
    expect([isSame(some, other), isSame(other, some)]).toEqual([same, same])
  })
})

describe('an answer saved as "CSV" in Windows-1252', () => {
  test.each([
    ['with an arrow lost', 'Settings ? Wi-Fi “on”', 'Settings → Wi-Fi “on”', true],
    ['with an emoji lost, twice', 'Done ?? Have a nice day', 'Done 🎉 Have a nice day', true],
    ['two answers with different arrows, both whole', 'Go → there, please', 'Go ← there, please', false],
    ['lost altogether', '??????', 'こんにちは。', false],
    ['with a question mark of its own', 'Is it on? Then wait.', 'Is it off? Then wait.', false],
  ])('%s', (_, some, other, same) => {
    expect([isSame(some, other), isSame(other, some)]).toEqual([same, same])
  })
})

test('any answer is the same as itself', () => {
  fc.assert(fc.property(fc.string({ unit: anySign }), (text) => isSame(text, text)))
})
