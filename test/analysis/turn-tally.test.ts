// Turns counted, where no recorded run shows it: names that the endpoint makes up, threads of one name, usage against an allowance.
import { expect, test } from 'vitest'
import { createFiguresGatherer } from '../../src/analysis/figures.ts'
import { createTurnTally } from '../../src/analysis/turn-tally.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

test('values may have any name', () => {
  const tally = createTurnTally(['KNOWLEDGE_BASE'])
  for (const source of ['__proto__', 'constructor', '']) tally.add(makeTurn({ result: makeReply(source) }))
  const { contextSource, coverage } = tally.finish()
  expect(JSON.parse(JSON.stringify(contextSource))).toEqual(
    JSON.parse('{"":1,"__proto__":1,"constructor":1}'),
  )
  expect(coverage.rate).toBe(0)
})

test('threads of one name in two files are two', () => {
  const tally = createTurnTally(['KNOWLEDGE_BASE'])
  for (let index = 0; index < 12; index += 1) {
    const question = makeQuestion(`q${index}`, `t${index % 3}`, 1, { file: index % 2 })
    tally.add(makeTurn({ index, question, result: makeReply(index < 6 ? 'KNOWLEDGE_BASE' : 'MODEL') }))
  }
  expect(tally.finish().coverage.cluster?.threads).toBe(6)
})

test('what may have been counted is measured against the allowance', () => {
  const gatherer = createFiguresGatherer([], 'all', { calls: 200, period: 'month' })
  const usage = { attempts: 4, certain: 2, possible: 1, notCounted: 1, min: 2, max: 3 }
  gatherer.add([{ turn: makeTurn({ usage }), grade: { kind: 'none' } }])
  expect(gatherer.finish().quota.shareOfQuota).toBe(3 / 200)
})
