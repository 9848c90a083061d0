// Protects the page's search box: which questions each query finds.
import { expect, test } from 'vitest'
import { findConversations, toggleTerm } from '../../src/page/query.ts'
import { fold, type Store } from '../../src/page/store.ts'
import type { PageTurn } from '../../src/domain/conversations.ts'
import { pageTurn } from '../support/report-page.ts'

const TURNS: readonly PageTurn[] = [
  pageTurn({
    id: 'vpn',
    message: 'How do I set up the VPN?',
    tags: ['network'],
    passed: true,
    latencyMs: 10,
  }),
  pageTurn({
    id: 'gap',
    message: 'Wer repariert die Kaffeemaschine?',
    tags: ['single sign-on'],
    source: 'MODEL',
    grounded: false,
    passed: false,
    change: {
      kinds: ['failInBoth'],
      edited: null,
      answer: null,
      source: 'MODEL',
      outcome: 'answered',
      factsLost: [],
      factsGained: [],
    },
    latencyMs: 30,
    reviewedBefore: { word: 'good', note: '', answer: 'The desk does.' },
  }),
  pageTurn({
    id: 'lost',
    message: 'And on my phone?',
    answer: null,
    source: null,
    grounded: null,
    outcome: 'timeout',
    error: 'no answer',
    latencyMs: null,
  }),
  pageTurn({
    id: 'moved',
    message: 'Résumé',
    change: {
      kinds: ['lost', 'newlyFailing'],
      edited: null,
      answer: 'old portal',
      source: 'MODEL',
      outcome: 'answered',
      factsLost: [],
      factsGained: [],
    },
    review: { word: 'poor', note: 'wrong article' },
    latencyMs: 20,
  }),
]
const store: Store = {
  contents: { runId: 'r', name: 'n', blocks: 0, changes: [], reviews: [] },
  conversations: TURNS.map((turn) => [turn]),
  textOf: ({ id, message, answer, error, change, review }) =>
    fold([id, message, answer, error, change?.answer, review?.note].join('\n')),
}

test.each<[string, readonly string[]]>([
  ['', ['vpn', 'gap', 'lost', 'moved']],
  ['vpn', ['vpn']],
  ['VPN set', ['vpn']],
  ['resume', ['moved']],
  ['"old portal"', ['moved']],
  ['portal', ['vpn', 'gap', 'moved']],
  ['tag:network', ['vpn']],
  ['tag:"single sign-on"', ['gap']],
  ['source:model', ['gap']],
  ['source:none', ['lost']],
  ['outcome:timeout', ['lost']],
  ['is:failed', ['gap']],
  ['is:gap kaffee', ['gap']],
  ['is:error', ['lost']],
  ['is:changed', ['moved']],
  ['change:failInBoth', ['gap']],
  ['change:lost', ['moved']],
  ['change:newlyFailing', ['moved']],
  ['tag:"single sign-on" is:failed kaffee', ['gap']],
  ['tag:network is:failed', []],
  ['is:grounded is:passed', ['vpn']],
  ['status:success VPN', ['vpn']],
  ['thread:q1', ['vpn', 'gap', 'lost', 'moved']],
  ['constructor:x is:constructor', []],
  ['review:poor', ['moved']],
  ['is:needs-review', ['gap']],
  ['id:vpn', ['vpn']],
  ['is:nothing', []],
  ['sort:slow', ['gap', 'moved', 'vpn', 'lost']],
  ['unknown:word', []],
])('the query "%s"', (query, ids) => {
  const found = findConversations(store, query)
  expect(found.flatMap(({ turns }) => turns.map(({ id }) => id))).toEqual(ids)
})

test('a chip adds its term, and removes it again', () => {
  expect(toggleTerm('printer', 'is:failed')).toBe('printer is:failed')
  expect(toggleTerm('printer is:failed now', 'is:failed')).toBe('printer now')
})
