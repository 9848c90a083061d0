// Protects the head of a night's Markdown: five lines of at most 400 characters, whatever the questions hold.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Change, CHANGE_KINDS, type ChangeKind } from '../../src/domain/changes.ts'
import type { CandidateComparison } from '../../src/domain/comparison.ts'
import { renderMarkdown } from '../../src/report/markdown.ts'
import { nightLines } from '../../src/report/night.ts'
import { hostileText } from '../support/hostile.ts'
import { documentOf } from './documents.ts'

const changeOf = (message: string, ...kinds: ChangeKind[]): Change => ({
  file: 0,
  thread: message,
  turn: 0,
  tags: [],
  mustPass: false,
  id: message,
  message,
  baselineMessage: null,
  kinds,
  similarity: null,
  factsLost: [{ kind: 'number', text: '14 days' }],
  factsGained: [{ kind: 'number', text: '10 days' }],
  baseline: SIDE,
  candidate: SIDE,
})
const SIDE: Change['baseline'] = {
  repeat: 0,
  source: 'MODEL',
  outcome: 'answered',
  groundingRate: 0,
  passRate: 0,
  failures: [],
  latencyMs: 1,
}

interface Night {
  readonly changes?: readonly Change[]
  readonly back?: readonly Change[]
  readonly reason?: string
  readonly times?: number
  readonly added?: number
  readonly since?: string
}

/** The lines before the first empty one. `times` multiplies the counts, as of a set with more questions. */
function headOf({ changes = [], back = [], reason = 'every gate passed', ...more }: Night) {
  const { times = 1, added = 0, since = '02T20' } = more
  const counts = Object.fromEntries(
    CHANGE_KINDS.map((kind) => [kind, times * changes.filter(({ kinds }) => kinds.includes(kind)).length]),
  )
  const compared = {
    changes,
    counts,
    overlap: { edited: 0 },
    added: Array.from({ length: added }, (_, id) => ({ id: String(id), message: 'New?' })),
    removed: [],
  } as unknown as CandidateComparison
  const monday = { name: 'monday', startedAt: `2026-11-${since}:00:00Z` }
  const lead = nightLines(compared, monday, '2026-11-03T22:00:00Z', back)
  const verdict = { tone: 'bad', word: 'Failed', reason: { untrusted: reason } } as const
  const markdown = renderMarkdown(documentOf([], { verdict, lead, sections: [] }))
  return { head: markdown.split('\n\n')[0] ?? '', markdown }
}

const back = changeOf('Is the printer free?', 'groundingLost')
const FIVE = [
  changeOf('How do I reset it?', 'groundingLost'),
  changeOf('Who pays?', 'groundingLost', 'passToFail'),
  changeOf('Where is it?', 'passToFail'),
  back,
  changeOf('When is it due?', 'groundingGained'),
  changeOf('How long is it valid?', 'factsChanged'),
]

const PASSED = '### ❌ Failed: every gate passed'
const NOTHING = 'nothing new, nothing closed, no fact changed since monday'

test.each<readonly [night: string, input: Night, lines: readonly string[]]>([
  [
    'all five',
    { changes: FIVE, back: [back], reason: 'grounding: lost 3 of 200' },
    [
      '### ❌ Failed: grounding: lost 3 of 200',
      '- New: 2 gaps, 2 failures · How do I reset it? · Who pays? · 1 more',
      '- Closed: 1 gap · When is it due?',
      '- Back again: 1 · Is the printer free?',
      '- Changed facts: 1 · How long is it valid?: 14 days → 10 days',
    ],
  ],
  ['no change', {}, [PASSED, `- As last night: ${NOTHING}`]],
  [
    'no change since a run of last week',
    { since: '01T20' },
    [PASSED, `- As in the baseline of 2026-11-01: ${NOTHING}`],
  ],
  [
    'no change in the questions of both',
    { changes: [changeOf('Why?', 'otherAnswer')], added: 2 },
    [PASSED, `- As last night: ${NOTHING}; 1 with another answer, 2 questions added`],
  ],
])('a night with %s', (_, input, lines) => {
  expect(headOf(input).head.split('\n')).toEqual(lines)
})

test('long texts are cut, numbers are not, and a reason that was cut follows in full', () => {
  const long = 'How many of the 1,234,567 forms do I have to hand in before the end of the year? '.repeat(9)
  const changes = FIVE.map(({ message, kinds }) => changeOf(`${message} ${long}`, ...kinds))
  const reason = `lost 1,234 of 20,000 questions; ${long}`.trim()
  const { head, markdown } = headOf({ changes, back: changes.slice(3, 4), reason, times: 9999 })
  expect(head.length).toBeLessThanOrEqual(400)
  expect(head.split('\n')).toHaveLength(5)
  expect(head).toContain('New: 29,996 gaps, 19,998 failures · ')
  expect(head).toContain('Failed: lost 1,234 of 20,000 questions; ')
  expect(head.replaceAll('1,234,567', '')).not.toMatch(/1,23?4?,?\d*…/)
  expect(markdown).toContain(`> ${reason}\n`)
})

test('hostile texts make no line, no markup and no mention, and leave the numbers', () => {
  const shape = headOf({ changes: FIVE, back: [back] }).head.split('\n').length
  const texts = fc.oneof(
    hostileText(300),
    fc.constantFrom('@'.repeat(500), '|`<b>@all\n\n# x\n', '\n'.repeat(90), '&'.repeat(400)),
  )
  fc.assert(
    fc.property(texts, texts, (text, reason) => {
      const changes = FIVE.map(({ kinds }) => changeOf(text, ...kinds))
      const { head } = headOf({ changes, back: changes.slice(3, 4), reason, times: 30_000 })
      expect(head.length).toBeLessThanOrEqual(400)
      expect(head.split('\n')).toHaveLength(shape)
      expect(head).not.toMatch(/<[a-z/!]|(?<!&#64;)@(?=\w)|https?:\/\/|(?<!\\)[|`]/i)
      expect(head).toContain('- Closed: 30,000 gaps · ')
    }),
    { numRuns: 60 },
  )
})
