// Protects the rates of a repeated question. test/recorded covers rates, pass policies and flaky questions of whole runs.
import { expect, test } from 'vitest'
import { isFlaky, summariseRepeats } from '../../src/analysis/figures/graded.ts'
import type { Grade, Turn } from '../../src/domain/turn.ts'
import { makeReply, makeTurn, timedOut } from '../support/recorded.ts'

const answered = (grade: Grade, source = 'KNOWLEDGE_BASE'): Turn =>
  makeTurn({ result: makeReply(source), grade })
const grade = 'notGraded'
const fault = makeTurn({ ...timedOut, grade })
const skipped = makeTurn({ outcome: 'skipped', result: undefined, grade })
const withoutContext = makeTurn({ contextLost: true, grade })
const summarise = (first: Turn, ...rest: readonly Turn[]): ReturnType<typeof summariseRepeats> =>
  summariseRepeats([first, ...rest], ['KNOWLEDGE_BASE'])

test('rates leave out errors and lost contexts', () => {
  const counted = { answered: 1, passRate: 1, groundingRate: 1 }
  expect(summarise(fault, skipped, withoutContext, answered('passed'))).toMatchObject(counted)
  expect(summarise(fault)).toMatchObject({ answered: 0, passRate: null, groundingRate: null })
})

test('a question is flaky if only its grounding differs', () => {
  expect(isFlaky(summarise(answered('passed'), answered('passed', 'MODEL')))).toBe(true)
  expect(isFlaky(summarise(answered('passed'), answered('passed')))).toBe(false)
  expect(isFlaky(summarise(fault, skipped, withoutContext, answered('passed')))).toBe(false)
})
