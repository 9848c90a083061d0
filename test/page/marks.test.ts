// An editor's marks: of which answer they are, kept, taken off, saved, and read again from what the browser kept.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerKey } from '../../src/domain/review.ts'
import { splitTurn } from '../../src/domain/page-data.ts'
import {
  isKnown,
  isUnsaved,
  marked,
  markName,
  parseMark,
  printMark,
  standingMark,
  withSaved,
} from '../../src/page/marks.ts'
import { hostileText } from '../support/hostile.ts'
import { makePageTurn } from '../support/page-turns.ts'

const good = { word: 'good', note: '' } as const

test('a mark is unsaved until the file has it as it is', () => {
  const kept = { ...good, saved: null }
  expect(marked(undefined, good)).toEqual(kept)
  expect(isUnsaved(kept)).toBe(true)
  const saved = withSaved(kept, good)
  expect(isUnsaved(saved)).toBe(false)
  const noted = { ...good, note: 'but' }
  expect(marked(saved, noted)).toEqual({ ...noted, saved: good })
  expect(isUnsaved({ ...noted, saved: good })).toBe(true)
  expect(isUnsaved(withSaved({ ...noted, saved: null }, good))).toBe(true)
  expect(marked(saved, { word: null, note: '' })).toBeUndefined()
})

test('what the browser keeps is read again', () => {
  fc.assert(
    fc.property(hostileText(9), fc.boolean(), (note, isSaved) => {
      const mark = { word: 'poor', note, saved: isSaved ? good : null } as const
      expect(parseMark(printMark(mark))).toEqual(mark)
    }),
  )
})

test.each(['', '{', '[]', '7', 'null', '{"word":"good"}', '{"word":"x","note":""}'])(
  'what is no mark is none: %s',
  (text) => {
    expect(parseMark(text)).toBeUndefined()
  },
)

test('a mark is of a question and its answer: the same in every repeat, another for another answer', () => {
  const nameOf = (...turn: Parameters<typeof makePageTurn>): string | undefined =>
    markName(splitTurn(makePageTurn(...turn)).row)
  const name = nameOf('q', { answer: 'A' })
  expect(nameOf('q', { answer: 'A', repeat: 2, thread: 'elsewhere' })).toBe(name)
  expect(nameOf('q', { answer: 'B' })).not.toBe(name)
  expect(nameOf('r', { answer: 'A' })).not.toBe(name)
  expect(nameOf('q', { answer: null })).toBeUndefined()
})

test('two texts have one name if they are one text', () => {
  fc.assert(
    fc.property(hostileText(20), hostileText(20), (some, other) => {
      expect(answerKey(some) === answerKey(other)).toBe(some === other)
    }),
  )
  // As other implementations of it have them.
  expect(answerKey('a')).toBe((7929297801672961).toString(36))
  expect(answerKey('revenge')).toBe((4051478007546757).toString(36))
})

test.each([
  [good, { state: 'carried', word: 'good', note: '' }, true],
  [{ word: 'good', note: 'a\u0007' }, { state: 'carried', word: 'good', note: 'a\u2407 ' }, true],
  [{ word: 'good', note: 'new' }, { state: 'carried', word: 'good', note: '' }, false],
  [{ word: 'poor', note: '' }, { state: 'carried', word: 'good', note: '' }, false],
  [{ word: null, note: 'later' }, { state: 'new', word: null, note: 'later' }, true],
  // The word was said of another answer.
  [good, { state: 'changed', word: 'good', note: '' }, false],
  [good, null, false],
] as const)('the mark %j beside the review %j is known: %s', (mark, review, known) => {
  expect(isKnown(mark, standingMark(review))).toBe(known)
})
