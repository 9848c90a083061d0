// What fails a part of a run, and what is left to the whole.
import { describe, expect, test } from 'vitest'
import { parseThreshold } from '../../src/analysis/gates/expression.ts'
import { reasonsOf } from '../../src/analysis/gates/judge-gates.ts'
import { judgePart, partResult, verdictOfPart } from '../../src/analysis/gates/judge-part.ts'
import type { MustPassResult } from '../../src/domain/gate.ts'

const thresholdsOf = (...expressions: readonly string[]) =>
  expressions.flatMap((expression) => {
    const parsed = parseThreshold(expression)
    return parsed.kind === 'threshold' ? [parsed.threshold] : []
  })
const figures = (errors: number, failed: number) => ({
  errors: { rate: errors / 10, errors, asked: 10, byOutcome: {}, byHttpStatus: {}, byCode: {} },
  expectations: { rate: 0, passed: 1, failed, none: 0, notGraded: 0 },
})
const mustPass: MustPassResult = {
  id: 'q1',
  reason: 'no',
  graded: false,
}

describe('judgePart', () => {
  test.each<[string, string[], number, number, number]>([
    ['an error fails it', [], 1, 0, 1],
    ['a failed expectation fails it', [], 0, 1, 1],
    ['a threshold on errors replaces the rule, and is not judged', ['errors<=1%'], 9, 0, 0],
    ['a threshold on passed replaces the rule, and is not judged', ['passed>=99%'], 0, 9, 0],
    ['another threshold replaces nothing, and is not judged', ['coverage>=101%'], 1, 1, 2],
  ])('%s', (_, thresholds, errors, failed, reasons) => {
    const gates = judgePart(thresholdsOf(...thresholds), { baseline: null }, figures(errors, failed), [])
    expect(reasonsOf(gates)).toHaveLength(reasons)
  })

  test('what must pass fails it in any case', () => {
    const gates = thresholdsOf('passed>=0%', 'errors<=100%')
    expect(reasonsOf(judgePart(gates, { baseline: null }, figures(5, 5), [mustPass]))).toHaveLength(1)
  })
})

describe('verdictOfPart', () => {
  const of = (thresholds: string[]) =>
    partResult({ index: 2, of: 4 }, { threshold: thresholds, baseline: null })
  const part = of(['coverage>=80%', 'errors<=2%'])
  const passed = { verdict: 'passed', exitCode: 0, reason: 'every turn was answered' } as const

  test.each<[string, typeof part, number, string]>([
    ['without gates', of([]), 5, 'part 2 of 4: nothing in it fails the run; the whole is judged by merge'],
    ['without a question', of([]), 0, 'part 2 of 4 has no question; the whole is judged by merge'],
    [
      'with a threshold',
      of(['coverage>=80%']),
      5,
      'part 2 of 4: nothing in it fails the run; --threshold coverage>=80% is not judged on a part, but by merge',
    ],
    [
      'with two gates',
      part,
      0,
      'part 2 of 4 has no question; --threshold coverage>=80%, --threshold errors<=2% are not judged on a part, but by merge',
    ],
  ])('never passes: %s', (_, result, questions, reason) => {
    expect(verdictOfPart(passed, result, questions)).toEqual({ verdict: 'part', exitCode: 0, reason })
  })

  test.each(['failed', 'incomplete'] as const)('%s it stays', (verdict) => {
    const was = { verdict, exitCode: 4, reason: 'why' }
    expect(verdictOfPart(was, of([]), 5)).toEqual({ verdict, exitCode: 4, reason: 'part 2 of 4: why' })
    expect(verdictOfPart(was, of(['coverage>=80%']), 5).reason).toBe(
      'part 2 of 4: why; --threshold coverage>=80% is not judged on a part, but by merge',
    )
  })

  test('names what merge judges, as it was written', () => {
    expect(part.judgedByMerge).toEqual(['--threshold coverage>=80%', '--threshold errors<=2%'])
  })
})
