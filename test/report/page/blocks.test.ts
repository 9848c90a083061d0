// The page's data: every text comes back as it was, and a page that is full holds what matters.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PageTurn } from '../../../src/domain/page.ts'
import { renderBlocks } from '../../../src/report/page/blocks.ts'
import type { PageLimits } from '../../../src/report/page/what-fits.ts'
import { readPageData } from '../../support/page-data.ts'
import { hostileText } from '../../support/hostile.ts'
import { makePageChange, makePageTurn, manyPageTurns } from '../../support/page-turns.ts'

const about = { kind: 'run', names: { baseline: null, candidate: 'c' }, runs: ['r'] } as const

const write = (turns: Iterable<PageTurn>, limits?: PageLimits): string =>
  [...renderBlocks(turns, about, limits)].join('')

test('every turn comes back as it was, lone surrogates and all', () => {
  const turn = fc.record({ id: hostileText(6), text: hostileText(40), before: hostileText(40) })
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 4 }), (some) => {
      const turns = some.map(({ id, text, before }) =>
        makePageTurn(id, {
          message: text,
          answer: text,
          tags: [text],
          failures: [before],
          change: makePageChange(before),
        }),
      )
      expect(readPageData(write(turns)).turns).toEqual(turns)
    }),
  )
})

test('many turns stand in many blocks, and each is found in its own', () => {
  const turns = [...manyPageTurns(4500)]
  const { contents, turns: back } = readPageData(write(turns))
  expect(back).toEqual(turns)
  expect(contents).toMatchObject({ rows: 4500, rowBlocks: 3, leftOut: { turns: 0, mattering: 0 } })
  expect(contents.textBlocks).toEqual(Array.from({ length: 23 }, (_, number) => number * 200))
})

test('a long answer fills a block alone, so that its neighbours are read without it', () => {
  const turns = ['a', 'long', 'b'].map((id) =>
    makePageTurn(id, { answer: id === 'long' ? 'y'.repeat(2_000_000) : id }),
  )
  expect(readPageData(write(turns)).contents.textBlocks).toEqual([0, 1, 2])
})

test('nothing in the data ends its element', () => {
  const text = [
    ...renderBlocks([makePageTurn('</script><script>alert(1)')], {
      ...about,
      names: { baseline: '</script>', candidate: '<!--' },
    }),
  ].join('')
  expect(text.match(/<\/script/g)).toHaveLength(3)
  expect(text).not.toContain('<!--')
})

describe('a page that is full', () => {
  const limits: PageLimits = { turns: 10, units: 1_000_000_000, ordinaryShare: 0.5 }
  test('keeps room for what matters', () => {
    const turns = [
      ...Array.from({ length: 20 }, (_, place) => makePageTurn(`plain-${place}`)),
      ...Array.from({ length: 3 }, (_, place) => makePageTurn(`failed-${place}`, { passed: false })),
    ]
    const { contents, turns: held } = readPageData(write(turns, limits))
    expect(held.map(({ id }) => id)).toEqual([
      'plain-0',
      'plain-1',
      'plain-2',
      'plain-3',
      'plain-4',
      'failed-0',
      'failed-1',
      'failed-2',
    ])
    expect(contents.leftOut).toEqual({ turns: 15, mattering: 0 })
  })
  test('says how many of those left out matter', () => {
    const turns = Array.from({ length: 12 }, (_, place) => makePageTurn(`gap-${place}`, { grounded: false }))
    expect(readPageData(write(turns, limits)).contents.leftOut).toEqual({ turns: 2, mattering: 2 })
  })
  test('counts long texts', () => {
    const turns = Array.from({ length: 4 }, (_, place) =>
      makePageTurn(`q-${place}`, { answer: 'x'.repeat(10_000) }),
    )
    const { contents } = readPageData(write(turns, { turns: 100, units: 50_000, ordinaryShare: 0.5 }))
    expect(contents).toMatchObject({ rows: 2, leftOut: { turns: 2, mattering: 0 } })
  })
})
