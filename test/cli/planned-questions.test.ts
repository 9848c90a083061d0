// The order of questions and threads of a run, against sorting all of them in memory.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planQuestions } from '../../src/cli/planned-questions.ts'
import { tableOfThreads } from '../../src/cli/by-thread.ts'
import type { Question, Thread } from '../../src/domain/question.ts'
import { makeQuestion } from '../support/questions.ts'

/** Threads whose rows stand anywhere in two files; several questions may come of one line. */
const threads = fc
  .array(fc.tuple(fc.nat(1), fc.array(fc.nat(20), { minLength: 1, maxLength: 4 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((shapes) =>
    shapes.map(([file, lines], number): Thread => {
      const name = `t${number}`
      const turn = (line: number, place: number): Question =>
        makeQuestion(`${name}.${place}`, name, place + 1, { file, line: line + 1 })
      const [first = 0, ...rest] = lines
      return { name, turns: [turn(first, 0), ...rest.map((line, place) => turn(line, place + 1))] }
    }),
  )

test('law: questions are numbered by file, line and turn, and each thread has its own in their turns', () => {
  fc.assert(
    fc.property(threads, fc.integer({ min: 1, max: 3 }), (some, repeats) => {
      const planned = planQuestions(some)
      const expected = some
        .flatMap(({ turns }) => turns)
        .sort((a, b) => a.file - b.file || a.line - b.line || a.turn - b.turn)
      expect(Array.from(planned.turns, ({ index, question }) => [index, question])).toEqual(
        expected.map((question, index) => [index, question]),
      )
      const opened = [...planned.openThreads(repeats)]
      expect(opened.map(({ order, repeat }) => [order, repeat])).toEqual(
        Array.from({ length: repeats }, (_, before) =>
          some.map((_thread, order) => [order, before + 1]),
        ).flat(),
      )
      for (const { order, turns } of opened) {
        expect(Array.from(turns, ({ question }) => question)).toEqual(some[order]?.turns)
        expect(Array.from(turns, ({ index }) => expected[index])).toEqual(some[order]?.turns)
      }
    }),
  )
})

test('law: threads are found again from the questions alone, in the order in which they begin', () => {
  fc.assert(
    fc.property(threads, (some) => {
      const { turns } = planQuestions(some)
      const table = tableOfThreads(turns)
      const names = [...new Set(Array.from(turns, ({ question }) => question.thread))]
      expect(table.length).toBe(names.length)
      for (const [number, name] of names.entries())
        expect(Array.from(table.turnsOf(number), ({ question }) => question)).toEqual(
          some.find((thread) => thread.name === name)?.turns,
        )
    }),
  )
})
