// Protects a comparison from irrelevant differences: its result does not depend on the order of rows or on names.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChangeKind } from '../../src/domain/changes.ts'
import type { CandidateComparison } from '../../src/domain/comparison.ts'
import type { Question } from '../../src/domain/question.ts'
import { compare as compareRuns } from '../../src/library/compare.ts'
import { makeQuestion } from '../support/questions.ts'
import { recordRun, type RecordedTurn, type TurnResult } from '../support/recorded-run.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const groundedAnswer = (answer: string): TurnResult => ({ answer, source: 'KNOWLEDGE_BASE' })
/** Fails the expectation, too. */
const ungrounded: TurnResult = { answer: 'I am not sure.', source: 'MODEL' }
const idsOf = ({ changes }: CandidateComparison, kind: ChangeKind): string[] =>
  changes.flatMap(({ id, kinds }) => (kinds.includes(kind) ? [id] : []))
const THREADS = 12
const TURNS = 3

/** Conversations of three turns. In the candidate some lost their grounding, one has another fact, one timed out. */
function turnsOf(isCandidate: boolean): RecordedTurn[] {
  return Array.from({ length: THREADS * TURNS }, (_, number) => {
    const [thread, turn] = [Math.floor(number / TURNS), (number % TURNS) + 1]
    const question = makeQuestion(`q${number}`, `t${thread}`, turn, { expect: { contains: ['portal'] } })
    const result = groundedAnswer(`Open the portal, item ${number}, within 14 days.`)
    if (!isCandidate) return { question, result }
    if (LOST.includes(number)) return { question, result: ungrounded }
    if (number === OTHER_FACT) return { question, result: groundedAnswer('Open the portal within 10 days.') }
    return { question, result: number === TIMED_OUT ? 'timeout' : result }
  })
}
const LOST = [0, 7, 8, 20, 33]
const OTHER_FACT = 11
const TIMED_OUT = 16

let pairs = 0
async function compare(
  baseline: readonly RecordedTurn[],
  candidate: readonly RecordedTurn[],
): Promise<{ found: CandidateComparison; rows: unknown[] }> {
  const root = join(folder, `pair-${(pairs += 1)}`)
  mkdirSync(root)
  const paths = [join(root, 'before'), join(root, 'after')] as const
  for (const [index, turns] of [baseline, candidate].entries())
    recordRun(paths[index] ?? '', {
      turns,
      manifest: { runId: `run-${index}`, startedAt: `2026-11-1${index}T12:00:00.000Z` },
    })
  const { comparison, path } = await compareRuns({
    baseline: paths[0],
    candidate: paths[1],
    out: join(root, 'compared'),
  })
  const rows = parse(readFileSync(join(path, 'comparison.csv')), { columns: true })
  const [found] = comparison.candidates
  return { found, rows }
}

/** The lists, sorted. */
const listsOf = (found: CandidateComparison) => ({
  lost: idsOf(found, 'groundingLost').toSorted(),
  gained: idsOf(found, 'groundingGained'),
  newlyFailing: idsOf(found, 'passToFail').toSorted(),
  noAnswer: idsOf(found, 'answerToError'),
  otherFacts: idsOf(found, 'factsChanged'),
  answers: found.answers,
})
const figuresOf = ({ grounding, verdicts }: CandidateComparison) =>
  [grounding, verdicts].map(({ difference, p, detectableDrop }) => ({ difference, p, detectableDrop }))
const asked = (turn: RecordedTurn, more: Partial<Question>): RecordedTurn => ({
  ...turn,
  question: { ...turn.question, ...more },
})
const names = (numbers: readonly number[], name = (number: number) => `q${number}`): string[] =>
  numbers.map(name).toSorted()

const [before, after] = [turnsOf(false), turnsOf(true)]
const plain = await compare(before, after)
const expected = {
  lost: names(LOST),
  gained: [],
  newlyFailing: names(LOST),
  noAnswer: [`q${TIMED_OUT}`],
  otherFacts: [`q${OTHER_FACT}`],
  answers: { same: 29, rephrased: 0, factsChanged: 1, otherAnswer: 5 },
}

test('finds the changes', () => {
  expect(listsOf(plain.found)).toEqual(expected)
  expect(plain.rows).toHaveLength(THREADS * TURNS)
})

test('finds the same lists and exactly the same figures in any order of rows', async () => {
  const shuffled = fc.shuffledSubarray(after, { minLength: after.length })
  await fc.assert(
    fc.asyncProperty(shuffled, fc.boolean(), async (turns, isBoth) => {
      const { found } = await compare(isBoth ? turns.map(unchanged) : before, turns)
      expect(listsOf(found)).toEqual(expected)
      expect(figuresOf(found)).toEqual(figuresOf(plain.found))
    }),
    { numRuns: 8 },
  )
})
const unchanged = ({ question }: RecordedTurn): RecordedTurn =>
  before.find((one) => one.question.id === question.id) ?? { question, result: 'notSent' }

test('finds the same questions, by their new names, if ids, threads or both are renamed', async () => {
  const renamings: readonly ((question: Question) => Partial<Question>)[] = [
    ({ id }) => ({ id: `new-${id}` }),
    ({ id, thread }) => ({ id: `new-${id}`, thread: `new-${thread}` }),
  ]
  for (const rename of renamings) {
    const renamed = after.map((turn) => asked(turn, rename(turn.question)))
    const nameOf = (number: number): string => renamed[number]?.question.id ?? ''
    const { found } = await compare(before, renamed)
    expect(listsOf(found)).toEqual({
      ...expected,
      lost: names(LOST, nameOf),
      newlyFailing: names(LOST, nameOf),
      noAnswer: [nameOf(TIMED_OUT)],
      otherFacts: [nameOf(OTHER_FACT)],
    })
    expect(found.overlap.shared).toBe(THREADS * TURNS)
  }
  const threads = after.map((turn) => asked(turn, { thread: `new-${turn.question.thread}` }))
  const { found } = await compare(before, threads)
  expect(listsOf(found)).toEqual(expected)
})
