// Questions are counted once, however often they were asked, and as the lists of the report page hold them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGapGatherer } from '../../src/analysis/gaps/gather.ts'
import { runTurns } from '../../src/analysis/page/run-turns.ts'
import { foldRepeats, isFlaky } from '../../src/analysis/repeats.ts'
import { splitTurn } from '../../src/domain/page-data.ts'
import { takes, type Filter } from '../../src/page/filter.ts'
import { createQuestionCounter } from '../../src/analysis/question-counts.ts'
import type { GradedTurn } from '../../src/domain/turn.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

const failure = { expectation: 'contains', sentence: 'no' }
const passed = { kind: 'passed' } as const
const failed = { kind: 'failed', failures: [failure] } as const
const nothing = { gaps: 0, clustered: 0, wrong: 0, flaky: 0 }

const question = makeQuestion('q', 't', 1)
const answer = (grade: GradedTurn['grade'], source = 'KNOWLEDGE_BASE'): GradedTurn => ({
  turn: makeTurn({ question, result: makeReply(source) }),
  grade,
})
const silent = (outcome: 'timeout' | 'skipped' | undefined): GradedTurn => ({
  turn: makeTurn({ question, outcome, result: undefined, serviceMs: undefined }),
  grade: { kind: 'none' },
})

const count = (all: readonly (readonly GradedTurn[])[], turns = 0, more = nothing) => {
  const counter = createQuestionCounter(['KNOWLEDGE_BASE'])
  for (const repeats of all) counter.add(repeats)
  return counter.finish(turns, more)
}

test('of two repeats either is enough, and both are no more', () => {
  expect(
    count([
      [answer(failed), answer(failed)],
      [answer(passed), answer(failed)],
      [answer(passed), { ...answer(failed), forgiven: 'enough of its answers passed' }],
      [silent('timeout'), silent('timeout')],
      [silent('skipped'), silent('timeout')],
      [silent(undefined), answer(passed)],
    ]),
  ).toMatchObject({
    questions: 6,
    repeats: 2,
    judged: 4,
    failed: 3,
    forgiven: 1,
    errors: 2,
    skipped: 1,
    notAsked: 1,
  })
})

test('what is from elsewhere and no gap is expected to be', () => {
  const elsewhere = [[answer(passed, 'MODEL')], [answer(passed, 'MODEL')], [answer(passed)]]
  expect(count(elsewhere, 0, { ...nothing, gaps: 1, clustered: 1 })).toMatchObject({ gaps: 1, uncovered: 1 })
})

test('questions that a damaged journal has lost were not asked', () => {
  expect(count([[silent(undefined), silent(undefined)]], 7)).toMatchObject({ questions: 4, notAsked: 4 })
})

test('each count is as large as the list that the page shows for it', () => {
  const kinds = ['passed', 'failed', 'model', 'meant', 'timeout', 'skipped', 'notAsked'] as const
  const made = (place: number, kind: (typeof kinds)[number], repeat: number): GradedTurn => {
    const expected = kind === 'meant' ? { source: { value: 'KNOWLEDGE_BASE', not: true } } : undefined
    const asked = makeQuestion(
      `q${place}`,
      `t${place}`,
      1,
      expected === undefined ? {} : { expect: expected },
    )
    const own = { question: asked, index: place, repeat }
    const grade = kind === 'failed' ? failed : passed
    switch (kind) {
      case 'passed':
      case 'failed':
        return { turn: makeTurn({ ...own, result: makeReply('KNOWLEDGE_BASE') }), grade }
      case 'model':
      case 'meant':
        return { turn: makeTurn({ ...own, result: makeReply('MODEL') }), grade }
      case 'timeout':
      case 'skipped':
      case 'notAsked':
        return {
          turn: { ...silent(kind === 'notAsked' ? undefined : kind).turn, ...own },
          grade: { kind: 'none' },
        }
    }
  }
  const options = { groundedSources: ['KNOWLEDGE_BASE'], reviewOf: () => null, changeOf: () => null as never }
  const drawnOutcomes = fc.tuple(fc.constantFrom(...kinds), fc.constantFrom(...kinds))
  fc.assert(
    fc.property(fc.array(drawnOutcomes, { minLength: 1, maxLength: 30 }), fc.boolean(), (drawn, isTwice) => {
      const asked = drawn.map((both, place) => {
        // What is expected of a question is so each time.
        const same = both.includes('meant') ? (['meant', 'meant'] as const) : both
        const all = same.map((kind, repeat) => made(place, kind, repeat + 1))
        return isTwice ? all : all.slice(0, 1)
      })
      const gaps = createGapGatherer(options.groundedSources)
      const counter = createQuestionCounter(options.groundedSources)
      let flaky = 0
      for (const one of asked) {
        counter.add(one)
        gaps.add(one.map(({ turn }) => turn))
        const [first, second] = one
        if (first !== undefined && second !== undefined)
          flaky += isFlaky(foldRepeats([first, second], options.groundedSources)) ? 1 : 0
      }
      const found = gaps.finish(1).count
      const counts = counter.finish(0, { ...nothing, gaps: found, clustered: found, flaky })
      const rows = asked
        .flatMap((one) => runTurns(one, options))
        .map((turn) => splitTurn({ ...turn, change: null }).row)
      const shown = (filter: Filter): number =>
        new Set(rows.filter((row) => takes(filter, row)).map(({ id }) => id)).size
      expect(shown({ list: 'failed' })).toBe(counts.failed)
      expect(shown({ list: 'error' })).toBe(counts.errors)
      expect(shown({ outcome: 'skipped' })).toBe(counts.skipped)
      expect(shown({ outcome: 'none' })).toBe(counts.notAsked)
      expect(shown({ list: 'gap' })).toBe(counts.gaps + counts.uncovered)
      expect(shown({ list: 'flaky' })).toBe(counts.flaky)
      expect(new Set(rows.map(({ id }) => id)).size).toBe(counts.questions)
    }),
  )
})
