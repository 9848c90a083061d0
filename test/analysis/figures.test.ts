// The figures of turns: what counts in which denominator, and what is missing instead of zero.
import { describe, expect, test } from 'vitest'
import { createFiguresGatherer } from '../../src/analysis/figures.ts'
import type { Grade, TurnRecord } from '../../src/domain/turn.ts'
import type { Figures } from '../../src/domain/summary.ts'
import { makeReply, makeTurn } from '../support/turns.ts'

function figuresOf(turns: readonly TurnRecord[], grades: readonly Grade[] = []): Figures {
  const gatherer = createFiguresGatherer(['KNOWLEDGE_BASE', 'FAQ'])
  const graded = turns.map((turn, place) => ({ turn, grade: grades[place] ?? { kind: 'none' as const } }))
  for (const index of new Set(turns.map((turn) => turn.index)))
    gatherer.add(graded.filter(({ turn }) => turn.index === index))
  return gatherer.finish()
}

const unsent = { attempts: 0, certain: 0, possible: 0, notCounted: 0, min: 0, max: 0 }

describe('figures', () => {
  test('of nothing are missing, not zero', () => {
    const { coverage, errors, latencyMs, expectations } = figuresOf([])
    expect(coverage).toMatchObject({ rate: null, grounded: 0, answered: 0, low: null, high: null })
    expect(expectations).toEqual({ rate: null, passed: 0, failed: 0, none: 0, notGraded: 0 })
    expect(errors.rate).toBeNull()
    expect(latencyMs).toEqual({ p50: null, p90: null, p95: null, p99: null, max: null, mean: null, count: 0 })
  })

  test('take coverage over answers with their context; errors and lost contexts stand apart', () => {
    const figures = figuresOf([
      makeTurn(),
      makeTurn({ result: makeReply('FAQ') }),
      makeTurn({ result: makeReply('MODEL') }),
      makeTurn({ contextLost: true }),
      makeTurn({
        outcome: 'server_error',
        result: { kind: 'rejection', httpStatus: 503, error: { code: 'DOWN', message: 'm' } },
      }),
      makeTurn({ outcome: 'timeout', result: { kind: 'timeout', message: 'm' } }),
      makeTurn({
        outcome: 'skipped',
        result: undefined,
        serviceMs: undefined,
        waitMs: undefined,
        usage: unsent,
      }),
      makeTurn({
        outcome: undefined,
        result: undefined,
        serviceMs: undefined,
        waitMs: undefined,
        usage: unsent,
      }),
    ])
    expect(figures.coverage).toMatchObject({ grounded: 2, answered: 3, rate: 2 / 3 })
    expect(figures.contextSource).toEqual({ KNOWLEDGE_BASE: 2, FAQ: 1, MODEL: 1 })
    expect(figures.turns).toEqual({
      total: 8,
      answered: 4,
      refused: 0,
      rate_limited: 0,
      server_error: 1,
      timeout: 1,
      network_error: 0,
      malformed: 0,
      skipped: 1,
      contextLost: 1,
      notAsked: 1,
    })
    expect(figures.errors).toEqual({
      rate: 2 / 6,
      errors: 2,
      asked: 6,
      byOutcome: { server_error: 1, timeout: 1 },
      byHttpStatus: { '503': 1, none: 1 },
      byCode: { DOWN: 1, none: 1 },
    })
    expect(figures.latencyMs.count).toBe(4)
    expect(figures.failureLatencyMs.count).toBe(2)
  })

  test('count turns by their grade, and the rate over those with a verdict', () => {
    const failed: Grade = { kind: 'failed', failures: [{ expectation: 'expect_contains', sentence: 's' }] }
    const lost: Grade = { kind: 'notGraded', reason: 'error' }
    const grades: Grade[] = [
      { kind: 'passed' },
      failed,
      { kind: 'passed' },
      lost,
      { kind: 'none' },
    ]
    const figures = figuresOf(
      grades.map(() => makeTurn()),
      grades,
    )
    expect(figures.expectations).toEqual({ rate: 2 / 3, passed: 2, failed: 1, none: 1, notGraded: 1 })
  })

  test('leave questions that were not asked out: they are not those that could not be graded', () => {
    const unasked: Grade = { kind: 'notGraded', reason: 'notAsked' }
    const lost: Grade = { kind: 'notGraded', reason: 'error' }
    // Of each question two repeats.
    const grades: Grade[] = [unasked, unasked, lost, unasked, { kind: 'passed' }, unasked, lost, lost]
    const outcomeOf = { notAsked: undefined, error: 'timeout' } as const
    const turns = grades.map((grade, place) => ({
      ...makeTurn(
        grade.kind === 'notGraded'
          ? { outcome: outcomeOf[grade.reason === 'notAsked' ? 'notAsked' : 'error'], result: undefined }
          : {},
      ),
      index: Math.floor(place / 2),
    }))
    const { expectations } = figuresOf(turns, grades)
    expect(expectations).toEqual({ rate: 1, passed: 1, failed: 0, none: 0, notGraded: 2 })
  })

  test('hold values of any name', () => {
    const figures = figuresOf([
      makeTurn({ result: makeReply('__proto__') }),
      makeTurn({ result: makeReply('constructor') }),
      makeTurn({ result: makeReply('') }),
    ])
    expect(JSON.parse(JSON.stringify(figures.contextSource))).toEqual(
      JSON.parse('{"":1,"__proto__":1,"constructor":1}'),
    )
    expect(figures.coverage.rate).toBe(0)
  })

  test('add the usage up as an interval', () => {
    const usage = { attempts: 4, certain: 2, possible: 1, notCounted: 1, min: 2, max: 3 }
    expect(figuresOf([makeTurn({ usage }), makeTurn({ usage })]).quota).toEqual({
      attempts: 8,
      certain: 4,
      possible: 2,
      notCounted: 2,
      min: 4,
      max: 6,
      shareOfQuota: null,
    })
  })

  test('measure what may have been counted against the allowance', () => {
    const gatherer = createFiguresGatherer([], 'all', { calls: 200, period: 'month' })
    const usage = { attempts: 4, certain: 2, possible: 1, notCounted: 1, min: 2, max: 3 }
    gatherer.add([{ turn: makeTurn({ usage }), grade: { kind: 'none' } }])
    expect(gatherer.finish().quota.shareOfQuota).toBe(3 / 200)
  })
})
