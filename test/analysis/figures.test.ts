// Protects the counts of turns in two cases that no recorded run has: unusual values of contextSource, and equal thread names in two files.
import { expect, test } from 'vitest'
import { createTurnTally } from '../../src/analysis/figures.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

test('contextSource may have any value, names of object properties included', () => {
  const tally = createTurnTally(['KNOWLEDGE_BASE'])
  for (const source of ['__proto__', 'constructor', '']) tally.add(makeTurn({ result: makeReply(source) }))
  const { contextSource, coverage } = tally.finish()
  expect(JSON.parse(JSON.stringify(contextSource))).toEqual(
    JSON.parse('{"":1,"__proto__":1,"constructor":1}'),
  )
  expect(coverage.rate).toBe(0)
})

test('threads with one name in two files are two threads', () => {
  const tally = createTurnTally(['KNOWLEDGE_BASE'])
  for (let index = 0; index < 12; index += 1) {
    const question = makeQuestion(`q${index}`, `t${index % 3}`, 1, { file: index % 2 })
    tally.add(makeTurn({ index, question, result: makeReply(index < 6 ? 'KNOWLEDGE_BASE' : 'MODEL') }))
  }
  expect(tally.finish().coverage.cluster?.threads).toBe(6)
})
