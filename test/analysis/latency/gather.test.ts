// Which answers took longest, and that only answers count.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLatencyGatherer } from '../../../src/analysis/latency/gather.ts'
import type { TurnRecord } from '../../../src/domain/turn.ts'
import { makeQuestion } from '../../support/questions.ts'
import { makeTurn } from '../../support/turns.ts'

const turn = (id: string, serviceMs: number | undefined, more: Partial<TurnRecord> = {}): TurnRecord =>
  makeTurn({ question: makeQuestion(id, id, 1), serviceMs, ...more })

function gathered(
  turns: readonly TurnRecord[],
): ReturnType<ReturnType<typeof createLatencyGatherer>['finish']> {
  const gatherer = createLatencyGatherer()
  for (const one of turns) gatherer.add(one)
  return gatherer.finish()
}

test('what has no answer, or no time, does not count', () => {
  const { latency, slowest } = gathered([
    turn('a', 100),
    turn('b', 9000, { outcome: 'timeout', result: undefined }),
    turn('c', undefined),
  ])
  expect(latency.reduce((sum, { count }) => sum + count, 0)).toBe(1)
  expect(slowest).toEqual([{ id: 'a', message: 'message of a', latencyMs: 100 }])
})

test('a question that was asked several times stands once, with its longest', () => {
  const { slowest } = gathered([turn('a', 100), turn('a', 300), turn('b', 200), turn('a', 250)])
  expect(slowest.map(({ id, latencyMs }) => [id, latencyMs])).toEqual([
    ['a', 300],
    ['b', 200],
  ])
})

test('the slowest are those of a sorted list, whatever the order of asking', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { maxLength: 100 }), (times) => {
      const { slowest } = gathered(times.map((ms, place) => turn(`q${place}`, ms)))
      expect(slowest.map(({ latencyMs }) => latencyMs)).toEqual([...times].sort((a, b) => b - a).slice(0, 20))
    }),
  )
})
