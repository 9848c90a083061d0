// The address of the page: links to questions and to what is filtered.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listAddress, questionAddress, readAddress, wellFormed } from '../../src/page/address.ts'
import { FILTER_KEYS, type Filter } from '../../src/page/filter.ts'
import { SORT_NAMES } from '../../src/page/sort.ts'
import { hostileText } from '../support/hostile.ts'

const other = { kind: 'other' } as const

test.each([
  ['', other],
  ['#', other],
  ['#conversations', other],
  ['#q=pw', { kind: 'question', id: 'pw', repeat: undefined }],
  ['#q=pw&repeat=2', { kind: 'question', id: 'pw', repeat: 2 }],
  ['#q=pw&repeat=two', { kind: 'question', id: 'pw', repeat: undefined }],
  ['#q=a%26b%3Dc', { kind: 'question', id: 'a&b=c', repeat: undefined }],
  ['#q=50%', { kind: 'question', id: '50%', repeat: undefined }],
  ['#filter=list:lost', { kind: 'list', filter: { list: 'lost' }, sort: 'set' }],
  ['#filter=list:lost&tag:vpn', { kind: 'list', filter: { list: 'lost', tag: 'vpn' }, sort: 'set' }],
  ['#filter=list:lost&filter=tag:a%3Ab', { kind: 'list', filter: { list: 'lost', tag: 'a:b' }, sort: 'set' }],
  ['#filter=tag:a&filter=tag:b&sort=slowest', { kind: 'list', filter: { tag: 'b' }, sort: 'slowest' }],
  ['#filter=source:', { kind: 'list', filter: { source: '' }, sort: 'set' }],
  ['#filter=colour:red', other],
])('reads %s', (fragment, address) => {
  expect(readAddress(fragment)).toEqual(address)
})

test('a link to a question leads to it, whatever it is called', () => {
  fc.assert(
    fc.property(hostileText(12), fc.integer({ min: 1, max: 9 }), (id, repeat) => {
      expect(readAddress(`#${questionAddress(id, repeat)}`)).toEqual({
        kind: 'question',
        id: wellFormed(id),
        repeat: repeat === 1 ? undefined : repeat,
      })
    }),
  )
})

test('a link to what is filtered says the same filter again', () => {
  const text = hostileText(8).map(wellFormed)
  const filters = fc.record(Object.fromEntries(FILTER_KEYS.map((key) => [key, text])), { requiredKeys: [] })
  fc.assert(
    fc.property(filters as fc.Arbitrary<Filter>, fc.constantFrom(...SORT_NAMES), (filter, sort) => {
      const fragment = listAddress(filter, sort)
      if (fragment === '') expect([filter, sort]).toEqual([{}, 'set'])
      else expect(readAddress(`#${fragment}`)).toEqual({ kind: 'list', filter, sort })
    }),
  )
})
