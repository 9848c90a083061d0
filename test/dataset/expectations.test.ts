// Expectation cells: what they come to.
import { describe, expect, test } from 'vitest'
import type { Question } from '../../src/domain/question.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { questionsOf, readSound, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const read = async (column: string, cell: string): Promise<Question | undefined> => {
  const quoted = `"${cell.replaceAll('"', '""')}"`
  return questionsOf(await readSound(writeSet(folder, `message,owner,${column}\nx,y,${quoted}\n`)))[0]
}

describe('expects', () => {
  test.each([
    ['expect_source', 'KNOWLEDGE_BASE', { source: { not: false, value: 'KNOWLEDGE_BASE' } }],
    ['expect_source', ' ! NONE ', { source: { not: true, value: 'NONE' } }],
    ['expect_contains', 'VPN', { contains: ['VPN'] }],
    ['expect_contains', ' VPN | log in |', { contains: ['VPN', 'log in'] }],
    [
      'expect_contains',
      String.raw`a\|b|c\\d|e\f|g\\|h`,
      { contains: ['a|b', String.raw`c\d`, String.raw`e\f`, 'g\\', 'h'] },
    ],
    ['expect_not_contains', 'sorry|\nunable', { notContains: ['sorry', 'unable'] }],
    ['expect_regex', String.raw`^reset \p{L}+|"quoted"$`, { regex: String.raw`^reset \p{L}+|"quoted"$` }],
    ['expect_answer', ' Use the portal. ', { answer: { text: 'Use the portal.', minSimilarity: 0.5 } }],
    ['max_latency_ms', '2500', { maxLatencyMs: 2500 }],
    ['max_latency_ms', '2500,5', { maxLatencyMs: 2500.5 }],
  ])('%s %j', async (column, cell, expected) => {
    expect((await read(column, cell))?.expect).toEqual(expected)
  })

  test.each([
    'expect_source',
    'expect_contains',
    'expect_regex',
    'expect_answer',
    'min_similarity',
    'max_latency_ms',
  ])('nothing of an empty %s', async (column) => {
    expect(await read(column, ' ')).not.toHaveProperty('expect')
  })

  test.each([
    ['0', 0],
    ['1', 1],
    ['1.0', 1],
    ['.75', 0.75],
    ['0,7', 0.7],
  ])('min_similarity %s', async (cell, minSimilarity) => {
    const path = writeSet(folder, `message;expect_answer;min_similarity\nx;y;${cell}\n`)
    expect(questionsOf(await readSound(path))[0]?.expect?.answer?.minSimilarity).toBe(minSimilarity)
  })
})

test.each([
  ['true', true],
  ['TRUE', true],
  ['Yes', true],
  ['1', true],
  ['x', true],
  ['X', true],
  ['false', false],
  ['no', false],
  ['0', false],
  ['', false],
])('must_pass %j is %j', async (cell, mustPass) => {
  expect((await read('must_pass', cell))?.mustPass).toBe(mustPass)
})

test.each([
  'user-17',
  '8d8ac610-566d-4ef0-9c22-186b2a5ed793',
  'tenant@17',
  'a+1',
  '+12',
  '0151 234567',
  'AbC+/12345678=',
])('end_user_ref %s is opaque', async (cell) => {
  expect((await read('end_user_ref', cell))?.endUserRef).toBe(cell)
})
