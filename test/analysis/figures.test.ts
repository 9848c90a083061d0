// Protects the counts of turns in cases that no recorded run has: unusual values of contextSource, equal thread
// names in two files, and no weights.
import { expect, test } from 'vitest'
import { createFigures } from '../../src/analysis/figures/figures.ts'
import { makeQuestion, makeReply, makeTurn } from '../support/recorded.ts'

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

test('without weights there is no such figure', () => {
  const figures = createFigures(OPTIONS)
  figures.add([makeTurn()])
  expect(figures.finish().overall.coverage).not.toHaveProperty('weighted')
})
