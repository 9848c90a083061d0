// What sections of a run say beside the golden files: questions by their words, answers without context, a refused key.
import { expect, test } from 'vitest'
import { renderRunOverview } from '../../../../src/report/page/overview/run.ts'
import { sourceSection } from '../../../../src/report/page/overview/sources.ts'
import { outlineOf } from '../../../support/page.ts'
import { countTurns } from '../../../support/question-counts.ts'
import { makeQuestion } from '../../../support/questions.ts'
import { makeSummary, noDetails } from '../../../support/summaries.ts'
import { makeReply, makeTurn } from '../../../support/turns.ts'
import { interrupted, ordinaryNight } from './examples.ts'

const linesOf = (text: string): string[] => text.replaceAll('\u00a0', ' ').split('\n')

test('questions that must pass, and flaky ones, are named by their words, and their ids stand once', () => {
  const { summary, details } = ordinaryNight
  const mustPass = summary.mustPass.map((one) => ({ ...one, id: 'reg-vpn' }))
  const render = (messages: ReadonlyMap<string, string>): string[] =>
    linesOf(outlineOf(renderRunOverview({ ...summary, mustPass }, { ...details, messages })))
  const words = new Map([
    ['reg-vpn', 'How do I set up the VPN?'],
    ['lunch', 'When is lunch?'],
  ])
  expect(render(words)).toContain('- How do I set up the VPN? reg-vpn')
  expect(render(words)).toContainEqual(expect.stringMatching(/^- When is lunch\? lunch from the /))
  expect(render(new Map())).toContain('- reg-vpn')
})

test('sources are of the answers that count; those without their conversation are told apart', () => {
  const turns = [
    ...Array.from({ length: 3 }, (_, place) => makeTurn({ question: makeQuestion(`k${place}`, 'k', 1) })),
    makeTurn({ question: makeQuestion('m', 'm', 1), result: makeReply('MODEL') }),
    ...['MODEL', 'KNOWLEDGE_BASE', 'OTHER'].map((source, place) =>
      makeTurn({ question: makeQuestion(`l${place}`, 'l', 2), result: makeReply(source), contextLost: true }),
    ),
  ]
  const summary = makeSummary(turns)
  const lost = new Map([
    ['MODEL', 1],
    ['KNOWLEDGE_BASE', 1],
    ['OTHER', 1],
  ])
  const page = sourceSection(summary, lost)
  const said = outlineOf(page).replaceAll(/\s+/g, ' ')
  expect(summary.coverage).toMatchObject({ grounded: 3, answered: 4 })
  expect(said).toContain('KNOWLEDGE_BASE: 3 (75 %)')
  expect(said).toContain('MODEL: 1 (25 %)')
  expect(said).not.toContain('OTHER')
  expect(said).toContain('3 more answers were given without their conversation: they count in no share')
  expect(String(page)).toContain('href="#filter=list:contextLost"')
  const allLost = sourceSection({ ...summary, contextSource: { MODEL: 1 } }, new Map([['MODEL', 1]]))
  expect(outlineOf(allLost)).toContain('Every answer was given without its conversation')
})

test('a run that a refused key ended does not say that every question got an answer', () => {
  const turns = [makeTurn(), makeTurn({ outcome: undefined, result: undefined, serviceMs: undefined })]
  const details = { ...noDetails, counts: countTurns(turns) }
  const of = (exitCode: number): string =>
    outlineOf(renderRunOverview({ ...interrupted.summary, ...makeSummary(turns), exitCode }, details))
  expect(of(3)).toContain('got an error before the key was refused, which stopped the run')
  expect(of(3)).toContain('The run was stopped, as the endpoint refused the key or its scope')
  expect(of(3)).not.toContain('Every question that was asked got an answer.')
  expect(of(130)).toContain('Every question that was asked got an answer.')
})
