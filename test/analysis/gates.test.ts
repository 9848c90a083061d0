// Protects the gates: which thresholds are valid, what they mean, and what fails a run; its verdict, reason and exit code.
import { expect, test } from 'vitest'
import { createFigures } from '../../src/analysis/figures/figures.ts'
import { evaluate, METRICS, parseThreshold, type Threshold } from '../../src/analysis/judging/threshold.ts'
import {
  joinReasons,
  judgeGates,
  reasonsOf,
  runGates,
  verdictOfRun,
} from '../../src/analysis/judging/verdict.ts'
import { worstExitCode } from '../../src/cli/screen.ts'
import type { Stop } from '../../src/domain/stop.ts'
import type { ListedQuestion, Summary } from '../../src/domain/summary.ts'
import type { AnsweredTurn } from '../../src/domain/turn.ts'
import { makeQuestion, makeReply, makeSummary, makeTurn, timedOut } from '../support/recorded.ts'
import { readRows } from '../support/rows.ts'

/** Two of three answers are grounded. The third, with the tag vpn, is not. One turn timed out. */
const summary = makeSummary([
  makeTurn({ serviceMs: 1000 }),
  makeTurn({ serviceMs: 2000 }),
  makeTurn({
    serviceMs: 4000,
    question: makeQuestion('v', 'v', 1, { tags: ['vpn'] }),
    result: makeReply('MODEL'),
  }),
  makeTurn(timedOut),
])

function threshold(text: string): Threshold {
  const parsed = parseThreshold(text)
  if (parsed.kind === 'fault') throw new Error(`${text} ${parsed.reason}`)
  return parsed.threshold
}

const EVALUATED = new URL('fixtures/thresholds.ndjson', import.meta.url)
test.each(readRows<[threshold: string, passed: boolean]>(EVALUATED))('%s: %s', (text, expected) => {
  expect(evaluate(threshold(text), summary).passed).toBe(expected)
})

const VALUES = new URL('fixtures/threshold-values.ndjson', import.meta.url)
test.each(readRows<[threshold: string, value: number | null, reason: string]>(VALUES))(
  '%s reports the value %j, and fails without one',
  (text, value, reason) => {
    const result = evaluate(threshold(text), summary)
    expect(result.reason.text).toBe(reason)
    if (value === null) expect(result).toMatchObject({ value: null, passed: false })
  },
)

test.each(readRows(new URL('fixtures/threshold-faults.ndjson', import.meta.url)))(
  '%s is rejected',
  (text, reason = '') => {
    const parsed = parseThreshold(text)
    expect(parsed.kind === 'fault' ? parsed.reason : parsed.kind).toContain(reason)
  },
)

test('every number of the summary is a metric under its own name', () => {
  const numbers = (value: unknown, path: string[]): string[] =>
    typeof value === 'number'
      ? [path.join('.')]
      : typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).flatMap(([key, part]) => numbers(part, [...path, key]))
        : []
  const { tags: _, run: __, exitCode: ___, formatVersion: ____, pacing: _____, ...figures } = summary
  const names = [...numbers(figures, []), 'pacing.rate429', 'pacing.rateLimited']
  expect(names.length).toBeGreaterThan(50)
  // Of pacing only the 429s: the limit inferred is not a figure of the run.
  const ofPace = METRICS.filter(({ path }) => path[0] === 'pacing').map(({ name }) => name)
  expect(ofPace).toEqual(['rate429', 'pacing.rate429', 'pacing.rateLimited'])
  for (const name of names) expect([name, parseThreshold(`${name}>=0`).kind]).toEqual([name, 'threshold'])
})

/** A summary with that many successful answers, and answers with other statuses. */
function answers(success: number, others: Readonly<Record<string, number>>): Partial<Summary> {
  const answered = Object.values(others).reduce((sum, count) => sum + count, success)
  return { status: { success, ...others }, turns: { ...summary.turns, answered } }
}
const failing = { expectations: { rate: 0.5, passed: 1, failed: 1, none: 2, notGraded: 0 } }
const withErrors = { errors: summary.errors }
const mustPass: ListedQuestion = { id: 'q1', message: 'Why?' }
/** The summary with no errored turn. */
const withoutErrors = { ...summary, errors: { ...summary.errors, errors: 0 } }

test.each<[string[], Partial<Summary>, ListedQuestion[], string[]]>([
  [['errors<=20%'], withErrors, [], ['errors is 25%, required <= 20%']],
  [['passed>=60%'], failing, [], ['passed is 50%, required >= 60%']],
  // A threshold on one tag, one kind of error or another count does not replace the default rule.
  [['errors[vpn]<=50%'], withErrors, [], ['errors: 1']],
  [['errors.byOutcome.timeout<=9'], withErrors, [], ['errors: 1']],
  [['expectations.notGraded<=1'], failing, [], ['failed expectations: 1']],
  [['errors.errors<=1', 'expectations.failed>=0'], { ...withErrors, ...failing }, [], []],
  [[], answers(199, { error: 1, slow: 1 }), [], []],
  [
    [],
    answers(1197, { error: 2, slow: 14 }),
    [],
    ['answers with a status other than success: 16 of 1,213, allowed 1%; slow: 14; error: 2'],
  ],
  [['status.error<=2%'], answers(196, { error: 3, slow: 1 }), [], []],
  [[], {}, [mustPass, mustPass], ['failed must_pass questions: 2']],
])('a run with the thresholds %j', (texts, more, mustPassResults, reasons) => {
  const figures = { ...withoutErrors, ...more }
  const { gates } = judgeGates(texts.map(threshold), figures, runGates(figures, mustPassResults))
  expect(reasonsOf(gates).map(({ text }) => text)).toEqual(reasons)
})

function figuresOf(...turns: readonly AnsweredTurn[]) {
  const figures = createFigures({ groundedSources: [], passPolicy: 'all', quota: null, isWeighted: false })
  for (const turn of turns) figures.add([turn])
  return figures.finish().overall
}

test.each(
  readRows<[Stop, exitCode: number, reason: string]>(new URL('fixtures/stops.ndjson', import.meta.url)),
)('a run that ends with %j is incomplete', (stop, exitCode, reason) => {
  const { reasons, ...judged } = verdictOfRun(stop, figuresOf(makeTurn()), [], false)
  expect({ ...judged, reason: joinReasons(reasons) }).toEqual({ verdict: 'incomplete', exitCode, reason })
})

test('an answer without its context meets no expectation', () => {
  const figures = figuresOf(
    makeTurn({ grade: 'passed' }),
    makeTurn({ grade: 'notGraded', contextLost: true }),
  )
  const { reasons } = verdictOfRun({ kind: 'done' }, figures, [], true)
  expect(joinReasons(reasons)).toBe('every gate passed')
})

test.each([
  [[0, 0], 0],
  [[0, 1], 1],
  [[0, 2], 2],
  [[1, 4], 4],
  [[4, 3, 0], 3],
  [[3, 5], 5],
  [[130, 0], 130],
])('the worst exit code of %j is %i', (codes, worst) => {
  expect(worstExitCode(codes)).toBe(worst)
})
