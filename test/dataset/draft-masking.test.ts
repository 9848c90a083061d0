// Protects the masking of `draft`: draft-masking.txt lists texts with what is to be masked, and harmless ones.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createMask } from '../../src/dataset/draft/mask.ts'

const MARK = /«([a-z-]+):([^»]*)»/g

const cases = readFileSync(new URL('draft-masking.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.replaceAll(String.raw`\n`, '\n'))
  .map((line) => ({
    given: line.replaceAll(MARK, '$2'),
    expected: line.replaceAll(MARK, '[$1]'),
    personal: line.match(MARK)?.length ?? 0,
  }))

const masked = (text: string): string => createMask([text], (kind) => `[${kind}]`)(text)
const wrong = (some: typeof cases) => some.filter(({ given, expected }) => masked(given) !== expected)

test('at least 98 % of the personal data are masked, each by its kind', () => {
  const some = cases.filter(({ personal }) => personal > 0)
  expect(some.length).toBeGreaterThan(150)
  const missed = wrong(some)
  expect(missed.length / some.length, JSON.stringify(missed, null, 1)).toBeLessThanOrEqual(0.02)
})

test('at most 1 % of the harmless texts are touched', () => {
  const some = cases.filter(({ personal }) => personal === 0)
  expect(some.length).toBeGreaterThan(100)
  const touched = some.filter(({ given }) => masked(given) !== given)
  expect(touched.length / some.length, JSON.stringify(touched, null, 1)).toBeLessThanOrEqual(0.01)
})

test('a name is masked wherever the text repeats it', () => {
  expect(masked('Hi Tom,\nwhen is Tom back?\nBest regards,\nEva Stein')).toBe(
    'Hi [name],\nwhen is [name] back?\nBest regards,\n[name]',
  )
})

test('what is masked stays masked', () => {
  for (const { expected } of cases) expect(masked(expected)).toBe(expected)
})
