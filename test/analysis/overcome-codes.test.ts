// Which codes of refusals a journal shows to be a rate limit's.
import { expect, test } from 'vitest'
import { createOvercomeCodes } from '../../src/analysis/overcome-codes.ts'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import { makeReply } from '../support/turns.ts'

const refused = (code: string): AttemptResult => ({
  kind: 'rejection',
  httpStatus: 429,
  error: { code, message: 'no' },
})

test('a code is overcome by an answer to what was sent after the refusals began, in the same sitting', () => {
  const codes = createOvercomeCodes()
  codes.note(2, refused('RATE'), 3)
  codes.note(3, makeReply('X'), 3)
  expect(codes.list()).toEqual([])
  codes.note(4, makeReply('X'), 4)
  expect(codes.list()).toEqual(['RATE'])
  codes.note(5, refused('QUOTA'), 5)
  codes.beginSitting()
  codes.note(6, makeReply('X'), 6)
  expect(codes.list()).toEqual(['RATE'])
})
