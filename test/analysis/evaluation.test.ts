// What the gathered details say beside the figures: words of questions that the summary lists by id, and lost contexts.
import { expect, test } from 'vitest'
import { createEvaluationGatherer } from '../../src/analysis/evaluation.ts'
import { createFold } from '../../src/analysis/fold.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeManifest } from '../support/summaries.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

test('details name must-pass and flaky questions, and count answers without their conversation by source', () => {
  const fold = createFold<undefined>()
  fold.add({ kind: 'end', at: 1, stop: { kind: 'done' } }, undefined)
  const gatherer = createEvaluationGatherer(makeManifest(), fold.finish(), [])
  const ask = (id: string, sources: readonly string[], more: Parameters<typeof makeTurn>[0] = {}): void => {
    const question = makeQuestion(id, id, 1, { message: `Words of ${id}?`, mustPass: id === 'must' })
    const turns = sources.map((source) => makeTurn({ question, result: makeReply(source), ...more }))
    gatherer.add(turns.map((turn) => ({ turn, grade: { kind: 'none' } })))
  }
  ask('plain', ['MODEL'])
  ask('flaky', ['MODEL', 'KNOWLEDGE_BASE'])
  ask('must', ['KNOWLEDGE_BASE'], { contextLost: true })
  const { summary, details } = gatherer.finish()
  expect(details.messages).toEqual(
    new Map([
      ['flaky', 'Words of flaky?'],
      ['must', 'Words of must?'],
    ]),
  )
  expect(details.withoutContext).toEqual(new Map([['KNOWLEDGE_BASE', 1]]))
  expect(summary.contextSource).toEqual({ MODEL: 2, KNOWLEDGE_BASE: 2 })
})
