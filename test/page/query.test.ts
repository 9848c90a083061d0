// Protects the page's search box: which questions each query finds.
import { expect, test } from 'vitest'
import { editText, troubleOf } from '../../src/page/list.ts'
import { findConversations, STATES } from '../../src/page/query.ts'
import { type Acts, READING } from '../../src/page/acts.ts'
import { fold, type PageStore } from '../../src/page/store.ts'
import type { PageTurn } from '../../src/domain/conversations.ts'
import { searchFor } from '../../src/report/document.ts'
import { heldAnswer, pageTurn } from '../support/report-page.ts'
import { readRows } from '../support/rows.ts'

const TURNS = readRows<Partial<PageTurn>>(new URL('query-turns.ndjson', import.meta.url)).map(pageTurn)
const store: PageStore = {
  contents: {
    runId: 'r',
    name: 'n',
    blocks: 0,
    changes: ['lost', 'newlyFailing', 'failInBoth'].map((name) => ({ name, label: name, tone: 'bad' })),
    sections: [],
  },
  conversations: TURNS.map((turn) => [turn]),
  textOfSection: () => undefined,
  places: new Map(),
  article: (title: string) => ({ title, sections: [], note: '' }),
  textOf: ({ id, message, answer, error, cells, change, review }) =>
    fold([id, message, answer, error, ...Object.values(cells), change?.answer, review?.note].join('\n')),
}

/** The reviews of the run, and one that was made in the page. */
const actsOf = (made: Readonly<Record<string, string>> = {}): Acts => ({
  ...READING,
  markOf: (turn) =>
    made[turn.id] === undefined
      ? (turn.review ?? { word: null, note: '' })
      : { word: 'poor', note: made[turn.id] ?? '' },
})

const find = (query: string, acts = actsOf()): string[] =>
  findConversations(store, query, acts).flatMap(({ turns }) => turns.map(({ id }) => id))

test.each([
  ...readRows(new URL('queries.ndjson', import.meta.url)),
  [searchFor('tag', '2" “thin” client').find, 'vpn'],
])('the query "%s"', (query = '', ...ids) => {
  expect(find(query)).toEqual(ids)
})

test('a review made in the page is found at once, by its rating and its note', () => {
  const acts = actsOf({ gap: 'asks the desk', vpn: '' })
  expect(find('review:poor', acts)).toEqual(['vpn', 'gap', 'moved'])
  expect(find('review:none', acts)).toEqual(['typed'])
  expect(find('is:needs-review', acts)).toEqual([])
  expect(find('desk', acts)).toEqual(['gap'])
})

test.each([
  [['27 days'], ['28 days', '4 weeks'], '27 days → 28 days, 4 weeks'],
  [['negation: nothing'], [], 'no longer: negation: nothing'],
  [[], ['28 days'], 'new: 28 days'],
  [[], [], 'lost'],
])('facts that went, %j, and came, %j, are told as %s', (factsLost, factsGained, says) => {
  const change = { kinds: ['lost'], answer: '', factsLost, factsGained } as unknown as PageTurn['change']
  expect(editText(pageTurn({ change }), store.contents.changes)).toBe(says)
})

test('a word before a colon that is no filter is searched for', () => {
  const linking = { ...store, textOf: () => 'see https://desk.example.com at 10:30' }
  expect(findConversations(linking, 'https://desk 10:30', actsOf())).toHaveLength(5)
})

test('an answer that a person rates good is done, and what a person decides is the cause', () => {
  const turn = pageTurn({ id: 'vpn', articles: heldAnswer() })
  const rated = (word: 'good' | 'poor'): Acts => ({ ...actsOf(), markOf: () => ({ word, note: '' }) })
  expect([troubleOf(turn, rated('poor')), troubleOf(turn, rated('good'))]).toEqual(['facts', undefined])
  const decisionOn = () => ({ article: null, by: 'Mira', at: null })
  expect(find('cause:not-used')).toEqual(['gap'])
  expect(find('cause:not-used', { ...actsOf(), decisionOn })).toEqual([])
  expect(find('cause:no-article', { ...actsOf(), decisionOn })).toEqual(['gap'])
})

test('what is to do is found until somebody decides it', () => {
  expect(find('is:todo')).toEqual(['gap', 'lost'])
  const decisionOn = () => ({ article: 'coffee', by: 'Mira', at: null })
  expect(find('is:todo', { ...actsOf(), decisionOn })).toEqual(['gap', 'lost'])
  const toTea = () => ({ article: 'tea', by: 'Mira', at: null })
  expect(find('article:tea is:gap', { ...actsOf(), decisionOn: toTea })).toEqual(['gap'])
  const noGrade = TURNS.map((turn) => [{ ...turn, passed: null }])
  const acts = { ...actsOf(), decisionOn }
  const found = findConversations({ ...store, conversations: noGrade }, 'is:todo', acts)
  expect(found.map(({ turns }) => turns[0]?.id)).toEqual(['lost'])
})

test('an answer from elsewhere is no gap where its set expects that', () => {
  const check = { column: 'expect_source', expected: '!KNOWLEDGE_BASE', met: true, found: null }
  for (const [met, expected] of [
    [true, [false, undefined]],
    [false, [true, 'gap']],
  ] as const) {
    const turn = pageTurn({ grounded: false, passed: met, checks: [{ ...check, met }] })
    expect([STATES.gap(turn), troubleOf(turn, actsOf())]).toEqual(expected)
  }
})
