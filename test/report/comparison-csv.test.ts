// `comparison.csv`: every question of either run in a row that a spreadsheet can filter.
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ComparisonRow } from '../../src/domain/comparison/change.ts'
import { renderComparisonCsv } from '../../src/report/comparison-csv.ts'
import type { SpreadsheetLayout } from '../../src/report/spreadsheet.ts'
import { makeRow, makeSide } from '../support/comparisons.ts'

function rowsOf(rows: readonly ComparisonRow[], layout?: SpreadsheetLayout): Record<string, string>[] {
  const text = [...renderComparisonCsv(rows, layout)].join('')
  return parse(text, { columns: true, bom: true, delimiter: layout?.excel?.separator ?? ',' })
}

const changed = makeRow('q1', {
  thread: 't1',
  turn: 2,
  kinds: ['groundingLost', 'factsChanged'],
  answers: 'factsChanged',
  similarity: 0.667,
  factsLost: [{ kind: 'duration', text: '14 days' }],
  factsGained: [
    { kind: 'duration', text: '10 days' },
    { kind: 'number', text: '3' },
  ],
  tags: ['mail', 'vpn'],
  baseline: { ...makeSide('q1'), answer: 'Within 14 days.' },
  candidate: {
    ...makeSide('q1', {
      source: 'MODEL',
      groundingRate: 2 / 3,
      passRate: 0,
      failures: ['no "VPN"', 'too slow'],
      latencyMs: null,
    }),
    answer: '=10 days',
  },
  reviewing: { kind: 'reviewed', review: 'poor', note: 'see ticket' },
})

test('a changed question stands in one row with both its answers', () => {
  expect(rowsOf([changed])).toEqual([
    {
      id: 'q1',
      thread: 't1',
      turn: '2',
      message: 'message of q1',
      presence: 'both',
      change: 'groundingLost;factsChanged',
      baseline_source: 'KNOWLEDGE_BASE',
      candidate_source: 'MODEL',
      baseline_grounded: 'true',
      candidate_grounded: '0.67',
      baseline_passed: '',
      candidate_passed: 'false',
      baseline_outcome: 'answered',
      candidate_outcome: 'answered',
      failures: 'no "VPN" | too slow',
      answers: 'factsChanged',
      similarity: '0.67',
      facts_lost: '14 days',
      facts_gained: '10 days | 3',
      baseline_answer: 'Within 14 days.',
      candidate_answer: "'=10 days",
      diff: expect.stringContaining('14') as string,
      baseline_latency_ms: '812.4',
      candidate_latency_ms: '',
      tags: 'mail;vpn',
      review: 'poor',
      note: 'see ticket',
    },
  ])
})

test('the columns stand in the order that people and scripts hold on to', () => {
  expect([...renderComparisonCsv([])].join('')).toBe(
    'id,thread,turn,message,presence,change,baseline_source,candidate_source,baseline_grounded,candidate_grounded,' +
      'baseline_passed,candidate_passed,baseline_outcome,candidate_outcome,failures,answers,similarity,facts_lost,' +
      'facts_gained,baseline_answer,candidate_answer,diff,baseline_latency_ms,candidate_latency_ms,tags,review,note\n',
  )
})

describe('a question that', () => {
  const other = { ...makeSide('q1'), answer: 'Other words.' }
  test.each<[string, Partial<ComparisonRow>, boolean]>([
    ['changed, and whose answers differ, has a diff', { kinds: ['factsChanged'], candidate: other }, true],
    ['was merely rephrased has none', { answers: 'rephrased', candidate: other }, false],
    ['changed, and whose answers are the same, has none', { kinds: ['groundingLost'] }, false],
    [
      'has no answer any more has none',
      { kinds: ['answerToError'], candidate: { ...other, answer: null } },
      false,
    ],
    [
      'was edited has none: the answers are not compared',
      { presence: 'edited', kinds: ['factsChanged'], candidate: other },
      false,
    ],
  ])('%s', (_, more, has) => {
    expect(rowsOf([makeRow('q1', more)])[0]?.['diff'] !== '').toBe(has)
  })

  test('only one run has leaves the columns of the other empty', () => {
    expect(
      rowsOf([makeRow('q1', { presence: 'added', baseline: null, answers: null, similarity: null })])[0],
    ).toMatchObject({
      presence: 'added',
      baseline_source: '',
      baseline_grounded: '',
      baseline_answer: '',
      baseline_latency_ms: '',
      similarity: '',
      candidate_source: 'KNOWLEDGE_BASE',
      candidate_latency_ms: '812.4',
    })
  })
})

test('a German Excel gets its separator and its decimals', () => {
  const [row] = rowsOf([changed], { excel: { separator: ';' } })
  expect(row).toMatchObject({
    candidate_grounded: '0,67',
    similarity: '0,67',
    baseline_latency_ms: '812,4',
    candidate_answer: "'=10 days",
  })
})

test('texts come back whatever they hold, a row a question', () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from('ab,;"\'\r\n\t=+-@|é日')), maxLength: 30 })
  const undo = (cell = ''): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), (texts) => {
      const rows = texts.map(([message, answer]) =>
        makeRow('q', { message, candidate: { ...makeSide('q'), answer } }),
      )
      const read = rowsOf(rows).map((row) => [undo(row['message']), undo(row['candidate_answer'])])
      expect(read).toEqual(texts)
    }),
  )
})

test('rows are never held: a row is read when its piece is due', () => {
  let read = 0
  const rows = function* (): Generator<ComparisonRow> {
    for (; read < 20_000; read += 1) yield changed
  }
  let [written, most, pieces] = [0, 0, 0]
  for (const piece of renderComparisonCsv(rows())) {
    written += piece.split('\n').length - 1
    // The header is a row of the file, too.
    most = Math.max(most, read + 1 - written)
    pieces += 1
  }
  expect(written).toBe(20_001)
  expect(pieces).toBeGreaterThan(30)
  expect(most).toBeLessThanOrEqual(1)
})
