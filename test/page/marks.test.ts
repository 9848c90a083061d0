// An editor's marks: kept, taken off, saved, and read again from what the browser kept.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asSaved, countUnsaved, NO_MARKS, parseMarks, printMarks, withMark } from '../../src/page/marks.ts'
import { hostileText } from '../support/hostile.ts'

test('a mark is unsaved until the file has it as it is', () => {
  const one = withMark(NO_MARKS, 3, { word: 'good', note: '' })
  expect(countUnsaved(one)).toBe(1)
  const saved = asSaved(one)
  expect(countUnsaved(saved)).toBe(0)
  expect(countUnsaved(withMark(saved, 3, { word: 'good', note: 'but' }))).toBe(1)
  expect(countUnsaved(withMark(saved, 3, { word: 'good', note: '' }))).toBe(0)
  expect(withMark(saved, 3, { word: null, note: '' }).byPlace.size).toBe(0)
})

test('what the browser keeps is read again', () => {
  fc.assert(
    fc.property(fc.nat(), hostileText(9), (place, note) => {
      const marks = asSaved(withMark(NO_MARKS, place, { word: 'poor', note }))
      expect(parseMarks(printMarks(marks))).toEqual(marks)
    }),
  )
})

test.each([null, '', '{', '[]', '7', '{"byPlace":7}', '{"byPlace":[[1],7,["1",{}],[2,{"word":"x"}]]}'])(
  'what is no marks is none: %s',
  (text) => {
    expect(parseMarks(text)).toEqual(NO_MARKS)
  },
)
