// Protects what an edit of the articles is said to do: to answers, to gaps, to values that others still give.
import { expect, test } from 'vitest'
import { rehearse } from '../../src/analysis/articles/rehearse.ts'
import type { Article } from '../../src/articles/article.ts'
import { makeArticle } from '../articles/make-article.ts'
import { makeQuestion, makeReply, makeTurn } from '../support/recorded.ts'

const TEXTS = {
  lockers: [
    'Bike lockers',
    'A bike locker in the garage costs 5 euros a month. Ask the reception for a key.',
  ],
  lockout: ['Locked accounts', 'A locked account opens by itself after 20 minutes. The identity team helps.'],
  portal: ['The portal', 'In the portal, a locked account opens by itself after 20 minutes.'],
  leave: ['Annual leave', 'Request annual leave in the calendar. Your manager agrees within a week.'],
  toner: ['Printer toner', 'Printer toner lies in the cupboard beside the printer on every floor.'],
  guests: ['Visitors', 'Announce visitors a day before they come. The reception prints their badges.'],
} as const

type Texts = Readonly<Record<string, readonly [title: string, text: string] | undefined>>

const articlesWith = (changes: Texts = {}): Article[] =>
  Object.entries({ ...TEXTS, ...changes }).flatMap(([id, texts]) =>
    texts === undefined ? [] : [{ ...makeArticle(id, texts[0], texts[1]), digest: texts.join('\n') }],
  )

const LOCKER = 'A bike locker in the garage costs 5 euros a month.'
const TONER = 'Printer toner lies in the cupboard beside the printer'
/** By id: conversation, question, answer. */
const ASKED: Readonly<Record<string, readonly [thread: string, message: string, answer?: string]>> = {
  locker: ['a', 'What does a bike locker cost?', LOCKER],
  lockout: ['b', 'How long is my account locked?', 'A locked account opens by itself after 20 minutes.'],
  'and-locker': ['b', 'What does a bike locker cost?', LOCKER],
  leave: ['c', 'Where do I request annual leave?', 'Request annual leave in the calendar.'],
  toner: ['d', 'Where is the printer toner?', `${TONER}.`],
  'toner-floor': ['d', 'On every floor?', `${TONER} on every floor.`],
  canteen: ['e', 'Which soup does the canteen cook today?'],
}

function effects(changes: Texts) {
  const turns = Object.entries(ASKED).map(([id, [thread, message, answer]], index) =>
    makeTurn({
      index,
      question: makeQuestion(id, thread, /^(and-locker|toner-floor)$/.test(id) ? 2 : 1, { message }),
      result:
        answer === undefined ? makeReply('MODEL', 'I do not know.') : makeReply('KNOWLEDGE_BASE', answer),
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

const [title, text] = TEXTS.lockout

test('a replaced value makes answers out of date; another article that still gives it is named with its sentence', () => {
  const { affected, values, edited } = effects({ lockout: [title, text.replace('20', '45')] })
  expect(affected).toEqual({ lockout: 'outdated' })
  expect(edited).toEqual([{ kind: 'edited', article: 'lockout', title: 'Locked accounts', affected: 1 }])
  expect(values).toMatchObject([
    {
      old: '20 minutes',
      now: '45 minutes',
      section: { article: 'lockout' },
      elsewhere: [{ article: 'portal', isSameMatter: true, text: TEXTS.portal[1] }],
    },
  ])
})

test('a sentence without a rare word is replaced by the one that differs in its value alone', () => {
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
  const lockers = `${TEXTS.lockers[1].replace('a month', 'monthly')} It is 5 euros in winter, too.`
  const { values } = effects({ lockers: ['Bike lockers', lockers] })
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

test('of a table, the answers of the edited row change; those of its neighbours have their section edited beside them', () => {
  const rows = (price: string): string =>
    `| Room | Price |\n| --- | --- |\n| Atrium hall | ${price} euros |\n| Garden room | 45 euros |`
  const sideOf = (price: string): Article[] => articlesWith({ rooms: ['Rooms for guests', rows(price)] })
  const turnOf = (room: string, price: string, index: number) => [
    makeTurn({
      index,
      question: makeQuestion(room, room, 1, { message: `What does the ${room} cost?` }),
      result: makeReply('KNOWLEDGE_BASE', `The ${room} costs ${price} euros.`),
    }),
  ]
  const { affected } = rehearse({
    questions: [turnOf('Atrium hall', '80', 0), turnOf('Garden room', '45', 1)] as never,
    groundedSources: ['KNOWLEDGE_BASE'],
    was: sideOf('80'),
    now: sideOf('95'),
    taught: {},
  })
  expect(affected).toMatchObject([
    { id: 'Atrium hall', effect: 'outdated' },
    { id: 'Garden room', effect: 'changed', isBeside: true },
  ])
  expect(affected[0]).not.toHaveProperty('isBeside')
})

const SOUP = [
  'Which soup the canteen cooks today',
  'The canteen cooks a soup today: it is on the board.',
] as const

test.each<[string, Texts, Readonly<Record<string, string>>]>([
  [
    'a sentence more in the section of an answer changes it',
    { leave: ['Annual leave', `${TEXTS.leave[1]} Days of last year expire.`] },
    { leave: 'changed' },
  ],
  ['in another article it does not', { guests: ['Visitors', `${TEXTS.guests[1]} Park behind.`] }, {}],
  ['an article on the topic of a gap closes it', { canteen: SOUP }, { canteen: 'closes' }],
  [
    'a title of something else makes the article fit its questions less',
    { leave: ['Vacation', TEXTS.leave[1]] },
    { leave: 'weaker' },
  ],
])('%s', (_, changes, expected) => {
  const { affected, edited } = effects(changes)
  expect(affected).toEqual(expected)
  const [id = ''] = Object.keys(changes)
  const kind = id in TEXTS ? 'edited' : 'added'
  expect(edited).toMatchObject([{ kind, article: id, affected: Object.keys(expected).length }])
})
