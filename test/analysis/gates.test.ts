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

test.each([
  ['coverage<70%', 66.67, 'coverage is 66.67%, required < 70%'],
  ['latency.p95[vpn]<1s', 4000, 'latency.p95[vpn] is 4000 ms, required < 1000 ms'],
  ['turns.answered==3', 3, 'turns.answered is 3, required == 3'],
  ['passed>=0', null, 'passed has no value: no question counts toward it'],
  ['latency.p99<1h', null, 'latency.p99 has no value: fewer than ten answers count toward it'],
  ['failureLatency.p95[vpn]<1h', null, 'failureLatency.p95[vpn] has no value: no question counts toward it'],
  [
    'quota.shareOfQuota<1',
    null,
    'quota.shareOfQuota has no value: give the monthly allowance with --quota N',
  ],
])('%s reports the value, and fails without one', (text, value, reason) => {
  const result = evaluate(threshold(text), summary)
  expect(result.reason.text).toBe(reason)
  if (value === null) expect(result).toMatchObject({ value: null, passed: false })
})

test.each([
  ['coverge>=0.8', /names 'coverge', which is not a figure/],
  ['coverage=>0.8', /must be/],
  ['latency[vpn].p95>3s', /must be/],
  ['', /must be/],
  ['coverage>=80', /write 80% for 0.8/],
  ['coverage>=3s', /write it like 80% or 0.8/],
  ['latency.p95<80%', /write it like 500ms or 3s/],
  ['turns.total>=80%', /write it like 5/],
  ['rate429[vpn]<1%', /not counted by tag/],
  ['contextSource.>=1', /not a figure/],
  ['errors.byOutcome.timout==0', /not a figure/],
  ['errors.byHttpStatus.50O==0', /not a figure/],
  ['__proto__>=1', /not a figure/],
  ['constructor.length>=1', /not a figure/],
])('%s is rejected', (text, reason) => {
  const parsed = parseThreshold(text)
  expect(parsed.kind === 'fault' ? parsed.reason : parsed.kind).toMatch(reason)
})

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

test.each<[Stop | undefined, string, number, RegExp]>([
  [{ kind: 'keyRefused', httpStatus: 403, message: 'Refused. ' }, 'incomplete', 3, /: Refused$/],
  [
    { kind: 'gaveUp', over: 'refusals', last: '429 QUOTA', code: 'QUOTA', afterMs: 60_000, isFirst: true },
    'incomplete',
    4,
    /only 429s for 1 min, each with QUOTA/,
  ],
  [
    { kind: 'gaveUp', over: 'refusals', last: '429', afterMs: 60_000, isFirst: true, namedMs: 7_200_000 },
    'incomplete',
    4,
    /to wait 2 h, longer than the 1 min that a session waits for its first answer \(429\)/,
  ],
  [
    { kind: 'gaveUp', over: 'refusals', last: '429', afterMs: 12_000, namedMs: 12_040 },
    'incomplete',
    4,
    /to wait 12 s, longer than --give-up-after allows \(429\)/,
  ],
  [
    { kind: 'budget', maxCalls: 7, last: '429 QUOTA' },
    'incomplete',
    4,
    /budget of 7 .*last call failed \(429 QUOTA\)/,
  ],
])('%j', (stop, verdict, exitCode, reason) => {
  const { reasons, ...judged } = verdictOfRun(stop, figuresOf(makeTurn()), [], false)
  expect(judged).toEqual({ verdict, exitCode })
  expect(joinReasons(reasons)).toMatch(reason)
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
