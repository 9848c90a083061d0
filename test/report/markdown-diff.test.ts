// How answers differ, in Markdown: short, readable, and safe.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markdownDiff } from '../../src/report/markdown-diff.ts'
import type { DiffPart } from '../../src/report/word-diff/parts.ts'
import { hostileText } from '../support/hostile.ts'

const words = (many: number): string => Array.from({ length: many }, (_, place) => `w${place + 1}`).join(' ')
const same = (text: string): DiffPart => ({ kind: 'same', text })
const removed = (text: string): DiffPart => ({ kind: 'removed', text })
const added = (text: string): DiffPart => ({ kind: 'added', text })

test.each<[string, DiffPart[], string]>([
  [
    'a changed word in its sentence',
    [same('Within '), removed('14'), added('10'), same(' days.')],
    'Within <del>14</del> <ins>10</ins> days.',
  ],
  [
    'the words around the changes only',
    [same(`${words(20)} `), removed('a'), same(` ${words(20)} `), added('b'), same(` ${words(20)}`)],
    '… w15 w16 w17 w18 w19 w20 <del>a</del> w1 w2 w3 w4 w5 w6 … w15 w16 w17 w18 w19 w20 <ins>b</ins> w1 w2 w3 w4 w5 w6 …',
  ],
  [
    'markup as it was written',
    [removed('<b>*x*</b>'), added('@team')],
    String.raw`<del>&lt;b&gt;\*x\*&lt;/b&gt;</del> <ins>&#64;&#8203;team</ins>`,
  ],
  ['a change of white space alone', [removed(' '), added('\n')], '<ins>⏎</ins>'],
  ['nothing', [], ''],
])('%s', (_, parts, text) => {
  expect(markdownDiff(parts)).toBe(text)
})

test('is bounded, on one line, and holds no markup but its own', () => {
  const part = fc.record({
    kind: fc.constantFrom<DiffPart['kind']>('same', 'removed', 'added'),
    text: hostileText(300),
  })
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const text = markdownDiff(parts)
      expect(text.length).toBeLessThanOrEqual(12 * (4 * 160 + 15) + 1)
      // oxlint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\u0000-\u001f]/)
      expect((text.match(/<[^>]*>/g) ?? []).filter((one) => !/^<\/?(del|ins)>$/.test(one))).toEqual([])
    }),
    { numRuns: 60 },
  )
})
