// Protects what an edit of the articles is said to do: to answers, to gaps, to values that others still give.
import { expect, test } from 'vitest'
import { rehearse } from '../../src/analysis/articles/rehearse.ts'
import type { Article } from '../../src/articles/article.ts'
import { makeArticle } from '../articles/make-article.ts'
import { makeQuestion, makeReply, makeTurn } from '../support/recorded.ts'

const TEXTS: Readonly<Record<string, readonly [title: string, text: string]>> = {
  lockers: [
    'Bike lockers',
    'A bike locker in the garage costs 5 euros a month. Ask the reception for a key.',
  ],
  lockout: ['Locked accounts', 'A locked account opens by itself after 20 minutes. The identity team helps.'],
  portal: ['The portal', 'In the portal, a locked account opens by itself after 20 minutes.'],
  leave: ['Annual leave', 'Request annual leave in the calendar. Your manager agrees within a week.'],
  toner: ['Printer toner', 'Printer toner lies in the cupboard beside the printer on every floor.'],
  guests: ['Visitors', 'Announce visitors a day before they come. The reception prints their badges.'],
}

type Texts = Readonly<Record<string, readonly [string, string] | undefined>>

const articlesWith = (changes: Texts = {}): Article[] =>
  Object.entries({ ...TEXTS, ...changes }).flatMap(([id, texts]) =>
    texts === undefined ? [] : [{ ...makeArticle(id, texts[0], texts[1]), digest: texts.join('\n') }],
  )

const ASKED: readonly (readonly [
  id: string,
  thread: string,
  turn: number,
  message: string,
  answer: string | null,
])[] = [
  ['locker', 'a', 1, 'What does a bike locker cost?', 'A bike locker in the garage costs 5 euros a month.'],
  ['lockout', 'b', 1, 'How long is my account locked?', 'A locked account opens by itself after 20 minutes.'],
  [
    'and-locker',
    'b',
    2,
    'What does a bike locker cost?',
    'A bike locker in the garage costs 5 euros a month.',
  ],
  ['leave', 'c', 1, 'Where do I request annual leave?', 'Request annual leave in the calendar.'],
  ['toner', 'd', 1, 'Where is the printer toner?', 'Printer toner lies in the cupboard beside the printer.'],
  [
    'toner-floor',
    'd',
    2,
    'On every floor?',
    'Printer toner lies in the cupboard beside the printer on every floor.',
  ],
  ['canteen', 'e', 1, 'Which soup does the canteen cook today?', null],
]

function effects(changes: Texts) {
  const turns = ASKED.map(([id, thread, turn, message, answer], index) =>
    makeTurn({
      index,
      question: makeQuestion(id, thread, turn, { message }),
      result: answer === null ? makeReply('MODEL', 'I do not know.') : makeReply('KNOWLEDGE_BASE', answer),
    }),
  )
  const found = rehearse({
    questions: turns.map((turn) => [turn] as const),
    groundedSources: ['KNOWLEDGE_BASE'],
    was: articlesWith(),
    now: articlesWith(changes),
    taught: {},
  })
  return { ...found, affected: Object.fromEntries(found.affected.map(({ id, effect }) => [id, effect])) }
}

test('an edit of nothing affects nothing', () => {
  expect(effects({})).toEqual({ questions: 7, edited: [], affected: {}, values: [], moved: [] })
})

test('a replaced value makes answers out of date; another article that still gives it is named with its sentence', () => {
  const { affected, values, edited } = effects({
    lockout: [
      'Locked accounts',
      'A locked account opens by itself after 45 minutes. The identity team helps.',
    ],
  })
  expect(affected).toEqual({ lockout: 'outdated' })
  expect(edited).toEqual([{ kind: 'edited', article: 'lockout', title: 'Locked accounts', affected: 1 }])
  expect(values).toMatchObject([
    {
      old: '20 minutes',
      now: '45 minutes',
      section: { article: 'lockout' },
      elsewhere: [{ article: 'portal', isSameMatter: true, text: TEXTS['portal']?.[1] }],
    },
  ])
})

test('a sentence without a rare word is replaced by the one that differs in its value alone', () => {
  const [title, text] = TEXTS['lockout'] ?? ['', '']
  const { values } = effects({
    lockout: [title, text.replace('A locked account opens by itself', 'It is').replace('20', '45')],
    portal: ['The portal', 'It is after 20 minutes.'],
  })
  expect(values.map(({ old }) => old)).toContain('20 minutes')
})

test('a number of another kind is no old value: an age is no price, twelve spaces are no midnight', () => {
  const portal = ['Lockers', 'There are 250 lockers, 12 of them large.'] as const
  const sideOf = (price: string): Article[] =>
    articlesWith({ passes: ['Passes', `A locker pass costs ${price}, until 12:00.`], portal })
  const [was, now] = [sideOf('250 euros'), sideOf('300 euros')]
  const found = rehearse({ questions: [], groundedSources: [], was, now, taught: {} })
  expect(found.values).toMatchObject([{ old: '250 euros', elsewhere: [] }])
})

test('a value that another sentence of the article still gives is not replaced', () => {
  const [title, text] = TEXTS['lockers'] ?? ['', '']
  const { values } = effects({
    lockers: [title, `${text.replace('a month', 'monthly')} It is 5 euros in winter, too.`],
  })
  expect(values).toEqual([])
})

test('answers of a removed article lose it, and what is asked after them may change', () => {
  const { affected, moved, values } = effects({ toner: undefined })
  expect(affected).toMatchObject({ toner: 'lost' })
  expect(affected).toHaveProperty('toner-floor')
  expect(moved.map(({ from }) => from.article)).toContain('toner')
  // Its values are gone with it: nobody must mend them.
  expect(values).toEqual([])
})

test('a sentence added to the section of an answer changes it; to another article, it does not', () => {
  expect(
    effects({ leave: ['Annual leave', `${TEXTS['leave']?.[1]} Days of last year expire.`] }).affected,
  ).toEqual({
    leave: 'changed',
  })
  expect(
    effects({ guests: ['Visitors', `${TEXTS['guests']?.[1]} Park behind the house.`] }).affected,
  ).toEqual({})
})

test('a gap closes by a new article on its topic', () => {
  const { affected, edited } = effects({
    canteen: [
      'Which soup the canteen cooks today',
      'The canteen cooks a soup today: which one is on the board.',
    ],
  })
  expect(affected).toEqual({ canteen: 'closes' })
  expect(edited).toEqual([
    { kind: 'added', article: 'canteen', title: 'Which soup the canteen cooks today', affected: 1 },
  ])
})

test('a title that speaks of something else makes the article fit its questions less', () => {
  const text = TEXTS['leave']?.[1] ?? ''
  expect(effects({ leave: ['Vacation', text] }).affected).toEqual({ leave: 'weaker' })
})
