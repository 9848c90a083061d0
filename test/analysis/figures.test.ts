// Protects the counts of turns in two cases that no recorded run has: unusual values of contextSource, and equal
// thread names in two files; and the coverage of the demand.
import { expect, test } from 'vitest'
import { createFigures } from '../../src/analysis/figures/figures.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

const OPTIONS = {
  groundedSources: ['KNOWLEDGE_BASE'],
  passPolicy: 'all',
  quota: null,
  isWeighted: false,
} as const

test('contextSource may have any value, names of object properties included', () => {
  const figures = createFigures(OPTIONS)
  for (const source of ['__proto__', 'constructor', '']) {
    figures.add([makeTurn({ result: makeReply(source) })])
  }
  const { contextSource, coverage } = figures.finish().overall
  expect(JSON.parse(JSON.stringify(contextSource))).toEqual(
    JSON.parse('{"":1,"__proto__":1,"constructor":1}'),
  )
  expect(coverage.rate).toBe(0)
})

test('threads with one name in two files are two threads', () => {
  const figures = createFigures(OPTIONS)
  for (let index = 0; index < 12; index += 1) {
    const question = makeQuestion(`q${index}`, `t${index % 3}`, 1, { file: index % 2 })
    const result = makeReply(index < 6 ? 'KNOWLEDGE_BASE' : 'MODEL')
    figures.add([makeTurn({ index, question, result })])
  }
  expect(figures.finish().overall.coverage.cluster?.threads).toBe(6)
})

/** Each question: its thread, its weight, and its repeats: grounded, not, or without an answer. */
const DEMAND: readonly (readonly [thread: string, weight: number | undefined, repeats: string])[] = [
  ['a', 6, '+'],
  ['a', 2, '-'],
  ['b', 8, '+-'],
  ['c', undefined, '+'],
  ['d', 3, '--'],
  ['e', 100, '..'],
  ['f', 4, '+.'],
]

test.each([
  // 6 + 8 × ½ + 1 + 4 of 6 + 2 + 8 + 1 + 3 + 4: what was not answered is left out.
  ['all', DEMAND, { rate: 15 / 24, grounded: 15, answered: 24 }],
  [
    'those of two threads',
    DEMAND.slice(0, 3),
    { rate: 10 / 16, grounded: 10, answered: 16, low: null, high: null },
  ],
  ['none answered', DEMAND.slice(5, 6), { rate: null, grounded: 0, answered: 0, low: null, high: null }],
])('the demand counts each question once, by its weight: %s', (_, questions, weighted) => {
  const figures = createFigures({ ...OPTIONS, isWeighted: true })
  for (const [index, [thread, weight, repeats]] of questions.entries()) {
    const question = makeQuestion(`q${index}`, thread, 1, weight === undefined ? {} : { weight })
    const [first, ...others] = Array.from(repeats, (sign) => {
      const result = makeReply(sign === '+' ? 'KNOWLEDGE_BASE' : 'MODEL')
      return makeTurn({ index, question, ...(sign === '.' ? { outcome: 'timeout' } : { result }) })
    })
    if (first !== undefined) figures.add([first, ...others])
  }
  expect(figures.finish().overall.coverage.weighted).toMatchObject(weighted)
})

test('without weights there is no such figure', () => {
  const figures = createFigures(OPTIONS)
  figures.add([makeTurn()])
  expect(figures.finish().overall.coverage).not.toHaveProperty('weighted')
})
