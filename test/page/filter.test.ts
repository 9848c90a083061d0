// Filters, search, order: which questions a choice takes.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitTurn, type PageRow } from '../../src/domain/page-data.ts'
import type { ChangeKind } from '../../src/domain/changes.ts'
import type { PageTurn } from '../../src/domain/page.ts'
import { conversationsOf, findIn } from '../../src/page/conversations.ts'
import { takes } from '../../src/page/filter.ts'
import type { Mark } from '../../src/page/marks.ts'
import { countByValue, countQuestions } from '../../src/page/question-count.ts'
import { foldText } from '../../src/page/fold.ts'
import { LIST_NAMES, LISTS, type ListName } from '../../src/page/lists.ts'
import { foldedRow, foldedTurn, holdsAll, searchTerms } from '../../src/page/search.ts'
import { sortFound } from '../../src/page/sort.ts'
import { hostileText } from '../support/hostile.ts'
import { makePageChange, makePageTurn } from '../support/page-turns.ts'

const rowOf = (id: string, more: Partial<PageTurn> = {}): PageRow => splitTurn(makePageTurn(id, more)).row

describe('lists', () => {
  const changed = (...kinds: readonly ChangeKind[]): PageRow =>
    rowOf('q', { change: makePageChange('a', { kinds }) })
  test.each<[string, PageRow, ListName[]]>([
    ['an answer nobody reviewed', rowOf('q'), ['review']],
    ['a pass', rowOf('q', { passed: true }), ['review', 'passed']],
    ['a failure', rowOf('q', { passed: false }), ['failed', 'review']],
    ['a gap', rowOf('q', { grounded: false }), ['gap', 'review']],
    ['an error', rowOf('q', { outcome: 'timeout', grounded: null }), ['error']],
    ['skipped', rowOf('q', { outcome: 'skipped', grounded: null }), ['notAsked']],
    ['not asked', rowOf('q', { outcome: null, grounded: null }), ['notAsked']],
    ['reviewed', rowOf('q', { review: { state: 'carried', word: 'good', note: '' } }), []],
    [
      'changed since its review',
      rowOf('q', { review: { state: 'changed', word: 'good', note: '' } }),
      ['review'],
    ],
    ['lost', changed('groundingLost'), ['changed', 'lost', 'review']],
    ['to an error', changed('answerToError'), ['changed', 'noAnswer', 'review']],
    ['to skipped', changed('answerToSkipped'), ['changed', 'noAnswer', 'review']],
    ['answered again', changed('skippedToAnswer'), ['changed', 'answeredAgain', 'review']],
    ['flaky', changed('flaky'), ['changed', 'flaky', 'review']],
    ['failing in both', changed('failInBoth'), ['failInBoth', 'review']],
    [
      'removed',
      rowOf('q', {
        outcome: null,
        grounded: null,
        change: makePageChange('a', { presence: 'removed' }),
      }),
      ['removed'],
    ],
  ])('%s', (_, row, names) => {
    expect(LIST_NAMES.filter((name) => LISTS[name](row))).toEqual(names)
  })
})

test('a mark with a word waits for no review; every mark is among yours', () => {
  const row = rowOf('q')
  const listsWith = (mark: Mark): ListName[] =>
    (['review', 'marked'] as const).filter((name) => LISTS[name](row, mark))
  expect(listsWith({ word: 'poor', note: '' })).toEqual(['marked'])
  expect(listsWith({ word: null, note: 'later' })).toEqual(['review', 'marked'])
  expect(takes({ list: 'marked' }, row)).toBe(false)
})

test('counts are of questions: repeats of one are one', () => {
  const rows = [
    rowOf('a', { tags: ['x'] }),
    rowOf('a', { tags: ['x'], repeat: 2 }),
    rowOf('b', { tags: ['x', 'y'] }),
  ]
  expect(countQuestions(rows)).toBe(2)
  expect([...countByValue(rows, ({ tags }) => tags)]).toEqual([
    ['x', 2],
    ['y', 1],
  ])
})

describe('filters', () => {
  const row = rowOf('q', { tags: ['vpn', 'how-to'], source: '', passed: false })
  test.each([
    [{}, true],
    [{ list: 'failed' }, true],
    [{ list: 'passed' }, false],
    [{ list: 'no such list' }, false],
    [{ list: 'toString' }, false],
    [{ tag: 'vpn' }, true],
    [{ tag: 'vp' }, false],
    [{ source: '' }, true],
    [{ source: 'MODEL' }, false],
    [{ outcome: 'answered' }, true],
    [{ outcome: 'none' }, false],
    [{ list: 'failed', tag: 'how-to', outcome: 'answered' }, true],
    [{ list: 'failed', tag: 'policy' }, false],
  ])('%j', (filter, isTaken) => {
    expect(takes(filter, row)).toBe(isTaken)
  })
})

describe('search', () => {
  const { row, texts } = splitTurn(
    makePageTurn('reset-1', {
      message: 'Wie ändere ich\nmein Passwort?',
      answer: 'Im “Portal” unter Straße.',
      tags: ['Zugang'],
    }),
  )
  test.each([
    ['', true],
    ['PASSWORT', true],
    ['andere ich mein', true],
    ['"ich mein passwort"', true],
    ['"mein ich"', false],
    ['mein ich', true],
    ['"portal"', true],
    ['strasse', true],
    ['reset-1 zugang', true],
    ['conversation-of-reset-1', true],
    ['printer', false],
    ['"unfinished', false],
  ])('%s', (typed, isHeld) => {
    expect(holdsAll(foldedTurn(row, texts), searchTerms(typed))).toBe(isHeld)
  })

  test('any text is found by any part of it that stands on one line', () => {
    fc.assert(
      fc.property(hostileText(20), hostileText(10), (before, wanted) => {
        const turn = splitTurn(makePageTurn('q', { answer: `${before} ${wanted} after` }))
        for (const term of searchTerms(`"${foldText(wanted).replaceAll('"', ' ')}"`))
          if (!wanted.includes('"') && !/["\u201c-\u201e]/.test(wanted))
            expect(foldedTurn(turn.row, turn.texts)).toContain(term)
      }),
    )
  })

  test('before its texts are unpacked a question is found by what its row has', () => {
    expect(holdsAll(foldedRow(row), searchTerms('passwort reset-1'))).toBe(true)
    expect(holdsAll(foldedRow(row), searchTerms('portal'))).toBe(false)
  })
})

describe('conversations', () => {
  const rows = [
    rowOf('a2', { thread: 'a', turn: 2, latencyMs: 5 }),
    rowOf('b', { thread: 'b', latencyMs: 900, passed: false }),
    rowOf('a1', { thread: 'a', turn: 1, latencyMs: null }),
    rowOf('a1 again', { thread: 'a', turn: 1, repeat: 2, latencyMs: 70 }),
    rowOf('other file', { thread: 'a', file: 1, latencyMs: 40, mustPass: true, passed: false }),
  ]
  test('a run: turns of a thread and repeat of one file', () => {
    expect(conversationsOf(rows, 'run').map(({ places }) => places)).toEqual([[2, 0], [1], [3], [4]])
  })
  test('a comparison: whatever repeat stands for the question', () => {
    expect(conversationsOf(rows, 'comparison').map(({ places }) => places)).toEqual([[2, 3, 0], [1], [4]])
  })
  test('order by what was found of them', () => {
    const found = findIn(conversationsOf(rows, 'run'), (place) => place !== 0)
    const order = (sort: Parameters<typeof sortFound>[2]): number[] =>
      sortFound(found, rows, sort).map(({ places }) => places[0] ?? -1)
    expect(order('set')).toEqual([2, 1, 3, 4])
    expect(order('slowest')).toEqual([1, 3, 4, 2])
    expect(order('worst')).toEqual([4, 1, 2, 3])
  })
})
