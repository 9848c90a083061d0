// Thresholds: what can be written, what it means, and that verdict and exit code agree for all of it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../src/analysis/gates/evaluate.ts'
import { parseThreshold, type Threshold } from '../../src/analysis/gates/expression.ts'
import { judgeGates, reasonsOf } from '../../src/analysis/gates/judge-gates.ts'
import { judge } from '../../src/analysis/verdict.ts'
import { METRICS } from '../../src/domain/metric.ts'
import type { Summary } from '../../src/domain/summary.ts'
import { makeQuestion } from '../support/questions.ts'
import { makeSummary } from '../support/summaries.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

const vpn = (id: string): ReturnType<typeof makeQuestion> => makeQuestion(id, id, 1, { tags: ['vpn'] })
/** Two of three answers are grounded; the third, tagged vpn, is not; one turn timed out. */
const summary = makeSummary([
  makeTurn({ serviceMs: 1000 }),
  makeTurn({ serviceMs: 2000 }),
  makeTurn({ serviceMs: 4000, question: vpn('v'), result: makeReply('MODEL') }),
  makeTurn({ outcome: 'timeout', result: { kind: 'timeout', message: 'm' } }),
])

function threshold(text: string): Threshold {
  const parsed = parseThreshold(text)
  if (parsed.kind === 'fault') throw new Error(`${text} ${parsed.reason}`)
  return parsed.threshold
}

test.each([
  ['coverage>=0.66', true],
  ['coverage >= 67 %', false],
  ['coverage.rate<0.7', true],
  ['coverage[vpn]>=1%', false],
  ['coverage[vpn]<=0', true],
  ['errors<=25%', true],
  ['errors<0.25', false],
  ['errors.byOutcome.timeout==1', true],
  ['errors.byOutcome.malformed=0', true],
  ['latency.p50<=2s', true],
  ['latency.p50<2000ms', false],
  ['latencyMs.max<=4000', true],
  ['latency[vpn].p95>3s', true],
  ['latency.p95[vpn]>3s', true],
  ['latency.count!=3', false],
  ['turns.answered>=3', true],
  ['contextSource.MODEL<=1', true],
  ['status.success<=3', true],
  ['status.success>=100%', true],
  ['status.error<=0%', true],
  ['status.success[vpn]<1%', false],
  ['contextSource.NEVER_SEEN<1', true],
  ['quota.max<=4', true],
  ['rate429<=1%', true],
  ['pacing.rateLimited==0', true],
])('%s: %s', (text, expected) => {
  expect(evaluate(threshold(text), summary).passed).toBe(expected)
})

test.each([
  ['passed>=0', 'there is nothing to measure passed by'],
  ['passed<=1', 'there is nothing to measure passed by'],
  ['failureLatency[vpn].p95<1h', 'there is nothing to measure failureLatency.p95[vpn] by'],
])('%s fails without a denominator, saying so', (text, reason) => {
  const result = evaluate(threshold(text), summary)
  expect(result).toMatchObject({ value: null, passed: false })
  expect(result.reason).toContain(reason)
})

test('a value that never came is said to be such', () => {
  expect(evaluate(threshold('contextSource.KNOWLEDGEBASE<1'), summary).reason).toBe(
    'contextSource.KNOWLEDGEBASE is 0 (it never came; seen: KNOWLEDGE_BASE, MODEL), as wanted',
  )
})

test.each([
  ['coverge>=0.8', /names 'coverge', which is no figure/],
  ['coverage', /must be a figure, a relation and a limit/],
  ['coverage>=80', /write 80% for 0.8/],
  ['coverage>=3s', /a time is the limit of a time/],
  ['latency.p95<80%', /a percentage is the limit of a share, not of a time/],
  ['turns.total>=80%', /not of a count/],
  ['coverage=>0.8', /must/],
  ['coverage>=0.8x', /no number/],
  ['rate429[vpn]<1%', /not counted by tag/],
  ['contextSource.>=1', /no figure/],
  ['errors.byOutcome.timout==0', /no figure/],
  ['errors.byHttpStatus.50O==0', /no figure/],
  ['__proto__>=1', /no figure/],
  ['constructor.length>=1', /no figure/],
  ['', /must be/],
])('%s is refused', (text, reason) => {
  const parsed = parseThreshold(text)
  expect(parsed).toMatchObject({ kind: 'fault' })
  if (parsed.kind === 'fault') expect(parsed.reason).toMatch(reason)
})

/** No turn of it ended in an error. */
const unharmed = { ...summary, errors: { ...summary.errors, errors: 0 } }

describe('every figure', () => {
  test('of the summary that is a number can be gated, by its own name', () => {
    const numbers = (value: unknown, path: string[]): string[] =>
      typeof value === 'number'
        ? [path.join('.')]
        : typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.entries(value).flatMap(([key, part]) => numbers(part, [...path, key]))
          : []
    const { tags: _, run: __, exitCode: ___, formatVersion: ____, pacing, ...figures } = summary
    const names = [
      ...numbers(figures, []),
      `pacing.rate429`,
      ...(pacing.rateLimited === 0 ? ['pacing.rateLimited'] : []),
    ]
    expect(names.length).toBeGreaterThan(60)
    for (const name of names) expect([name, parseThreshold(`${name}>=0`).kind]).toEqual([name, 'threshold'])
  })

  test('decides or is refused, and the verdict agrees with the exit code', () => {
    const relation = fc.constantFrom('>=', '<=', '>', '<', '==', '!=', '=')
    const limit = fc.oneof(
      fc.integer({ min: -5, max: 5000 }).map(String),
      fc.integer({ min: 0, max: 100 }).map((number) => `${number}%`),
      fc.integer({ min: 0, max: 100 }).map((number) => `${number}s`),
      fc.string(),
    )
    const name = fc.oneof(fc.constantFrom(...METRICS.map((metric) => metric.name)), fc.string())
    const tag = fc.constantFrom('', '[vpn]', '[', '[x]')
    fc.assert(
      fc.property(fc.array(fc.tuple(name, tag, relation, limit), { maxLength: 4 }), (written) => {
        const texts = written.map((parts) => parts.join(''))
        const parsed = texts.map(parseThreshold)
        const thresholds = parsed.flatMap((one) => (one.kind === 'threshold' ? [one.threshold] : []))
        const { thresholds: results, gates } = judgeGates(thresholds, unharmed, [])
        expect(results).toHaveLength(thresholds.length)
        for (const { value, passed } of results) if (value === null) expect(passed).toBe(false)
        const verdict = judge({ kind: 'done' }, summary, reasonsOf(gates))
        const holds = results.every(({ passed }) => passed)
        expect([verdict.verdict, verdict.exitCode]).toEqual(holds ? ['passed', 0] : ['failed', 1])
      }),
    )
  })
})

/** So many answers, and those with another status. */
function answers(success: number, others: Readonly<Record<string, number>>): Partial<Summary> {
  const answered = Object.values(others).reduce((sum, count) => sum + count, success)
  return { status: { success, ...others }, turns: { ...summary.turns, answered } }
}

test('answers without success are counted in the reason', () => {
  const { gates } = judgeGates([], { ...unharmed, ...answers(0, { error: 40, x: 2 }) }, [])
  expect(reasonsOf(gates)).toEqual([
    '42 of 42 answers have a status other than success (error 40, x 2), allowed 1%',
  ])
})

describe('without a threshold', () => {
  const gates = (texts: string[], more: Partial<Summary> = {}): readonly string[] =>
    reasonsOf(judgeGates(texts.map(threshold), { ...unharmed, ...more }, []).gates)
  const failing = { expectations: { rate: 0.5, passed: 1, failed: 1, none: 2, notGraded: 0 } }
  const harmed = { errors: summary.errors }

  test.each<[string[], Partial<Summary>, number]>([
    [[], {}, 0],
    [[], harmed, 1],
    [['errors<=30%'], harmed, 0],
    [['errors<=20%'], harmed, 1],
    [[], failing, 1],
    [['passed>=50%'], failing, 0],
    [['passed>=60%'], failing, 1],
    // A threshold for one tag leaves the rule to the others.
    [['errors[vpn]<=50%'], harmed, 1],
    [[], answers(199, { error: 1, slow: 1 }), 0],
    [[], answers(197, { error: 2, slow: 1 }), 1],
    [['status.error<=2%'], answers(196, { error: 3, slow: 1 }), 0],
    [['status.error<=1%'], answers(197, { error: 3 }), 1],
  ])('%j', (texts, more, reasons) => {
    expect(gates(texts, more)).toHaveLength(reasons)
  })
})
