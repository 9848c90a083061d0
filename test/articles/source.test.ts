// Protects the likely source of an answer: verbatim, shortened and reworded answers, small talk, other languages; and the
// pairs of articles that contradict or repeat each other.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Article } from '../../src/articles/article.ts'
import { contradictionsOf } from '../../src/articles/contradictions.ts'
import { Passages } from '../../src/articles/passages.ts'
import { readArticles } from '../../src/articles/read.ts'
import { likelySource, readAnswer } from '../../src/articles/source.ts'
import { KNOWLEDGE_BASE } from '../sandbox/client.ts'
import { readRows } from '../support/rows.ts'
import { articlesOf, makeArticle } from './make-article.ts'

const ARTICLES = articlesOf('OFFICE')
const PASSAGES = new Passages(ARTICLES)

/** `id / heading`, or null. */
function sourceOf(answer: string, passages = PASSAGES): string | null {
  const source = likelySource(readAnswer(answer, passages.language), passages)
  return source === null ? null : `${source.article.id} / ${source.section.heading}`
}

test('an answer that stands word for word in an article is from it, whatever else says the same', () => {
  const articles = [
    makeArticle('hr', 'HR overview', 'Employees have 30 days of annual leave and a pension.'),
    makeArticle('leave', 'Annual leave', 'You get 30 days of annual leave.'),
  ]
  expect(sourceOf('You get 30 days of annual leave.', new Passages(articles))).toBe('leave / ')
})

test('the question tells which of two articles a short answer is from', () => {
  const passages = new Passages([
    makeArticle('box', 'Box office', 'On Saturday it is open for four hours, from 10:00 to 14:00.'),
    makeArticle('tours', 'Guided tours', 'On Saturday it takes four hours, from 10:00 to 14:00.'),
  ])
  const answer = readAnswer('On Saturday it is four hours, from 10:00 to 14:00.')
  expect(likelySource(answer, passages)?.article.id).toBe('box')
  expect(likelySource(answer, passages, 'How long do your guided tours take?')?.article.id).toBe('tours')
})

test.each(
  readRows<[what: string, answer: string, source: string | null]>(new URL('sources.ndjson', import.meta.url)),
)('an answer %s: %j is from %s', (_, answer, expected) => {
  expect(sourceOf(answer)).toBe(expected)
})

test('the share is the weight of the words in common; an unknown word weighs half', () => {
  // 20 sentences of 3 words of their own, and their titles.
  const articles = Array.from({ length: 20 }, (_, at) =>
    makeArticle(
      `a${at}`,
      `title${at}x`,
      ['alpha', 'beta', 'gamma'].map((word) => `${word}${'x'.repeat(at + 1)}`).join(' '),
    ),
  )
  const passages = new Passages(articles)
  const share = (answer: string): number | undefined => likelySource(readAnswer(answer), passages)?.share
  expect(share('alphax betax gammax')).toBe(1)
  expect(share('alphax betax gammax unknown')).toBeCloseTo(3 / 3.5)
  expect(share('alphax unknown')).toBeUndefined()
})

test('an answer in another language has its source by values, names and addresses', () => {
  const passages = new Passages([
    makeArticle(
      'pool',
      'Device pool',
      'The device pool is in room U2.04, open from 07:00 to 19:00. Call 55610 at night.',
    ),
    makeArticle(
      'flats',
      'Staff flats',
      'The rent of a studio is 410 euro a month. Call 55555 in the evening.',
    ),
  ])
  expect(
    sourceOf('Sie finden ihn in U2.04, von sieben bis 19:00 Uhr. Rufen Sie nachts die 55610 an.', passages),
  ).toBe('pool / ')
  expect(sourceOf('Un estudio cuesta 410 euros al mes; por la tarde llame al 55555.', passages)).toBe(
    'flats / ',
  )
})

test('an article that repeats the sentences of another takes no answer from it; one that differs does', () => {
  const text = 'Cancel up to 48 hours before the trip, free of charge. Later we charge half of the price.'
  const answer =
    'You cancel free of charge 48 hours ahead; afterwards half is due, whether ill, on holiday or held up by the railway.'
  const from = (other: string): string | null =>
    sourceOf(
      answer,
      new Passages([makeArticle('a', 'Cancelling', text), makeArticle('b', 'Questions', other)]),
    )
  expect(from(`${text} Ask us anything.`)).not.toBeNull()
  expect(from(text.replace('the trip', 'departure'))).toBeNull()
})

describe('the shipped articles', () => {
  let shipped: Passages
  let articles: readonly Article[]
  beforeAll(async () => {
    articles = (await readArticles(KNOWLEDGE_BASE)).articles
    shipped = new Passages(articles)
  })

  test('are each the source of their own sections', () => {
    for (const article of articles)
      for (const { heading, text } of article.sections)
        if (text.length > 100) expect(sourceOf(text, shipped)).toBe(`${article.id} / ${heading}`)
  })

  test.each([
    'I am sorry, I cannot help with that.',
    'Hello! How can I help you today?',
    'Thanks for contacting the service desk. Is there anything else I can do for you?',
    'I found nothing about that in the knowledge base. Please describe what you are trying to do.',
    'Es tut mir leid, dazu habe ich nichts gefunden. Bitte wenden Sie sich an den Service Desk.',
  ])('are not the source of %j', (answer) => {
    expect(sourceOf(answer, shipped)).toBeNull()
  })
})

test('no articles have no source', () => {
  expect(sourceOf('Salaries arrive on the 25th of each month.', new Passages([]))).toBeNull()
})

test('a short answer and an article of tables are read in the language of most articles', () => {
  const renewal = `Une prolongation n'est pas possible si le document est réservé par un autre lecteur.`
  const kept = `Un document réservé est gardé 8 jours à l'accueil.`
  const rows = ['Livre | 3 semaines | 2 fois', 'DVD | 7 jours | non', 'Revue | 14 jours | 1 fois']
  const loans = [
    'Document | Durée du prêt | Prolongation',
    '--- | --- | ---',
    ...rows,
    'Jeu vidéo | 10 jours | non',
  ]
  const table = loans.map((row) => `| ${row} |`).join('\n')
  const online = `Vous pouvez réserver jusqu'à 5 documents en ligne, depuis votre compte lecteur.`
  const mail = 'Vous recevez un courriel dès que le document est disponible.'
  const passages = new Passages([
    makeArticle('prets', 'Durée des prêts et prolongation', `${table}\n\n${renewal}`),
    makeArticle('reservations', 'Réserver un document', `${online} ${kept}\n\n${mail}`),
  ])
  expect([kept, renewal].map((answer) => sourceOf(answer, passages))).toEqual(['reservations / ', 'prets / '])
})

const FILLER = Array.from({ length: 12 }, (_, at) => {
  const [topic, matter] = ['x', 'y'].map((letter) => letter.repeat(at))
  return makeArticle(`filler${at}`, `Filler ${at}`, `Something about topic${topic} and matter${matter} here.`)
})

/** `kind ids: values` */
const found = (...texts: readonly string[]): string[] =>
  contradictionsOf(
    new Passages([...texts.map((text, at) => makeArticle(`a${at}`, `Lockers ${at}`, text)), ...FILLER]),
  ).map(
    ({ kind, passages, values }) =>
      `${kind} ${passages.map(({ article }) => article.id).join()}: ${values.join()}`,
  )

const KEY = 'The deposit for a locker key is'
test.each([
  [
    'another value',
    'For the key of a locker you pay a deposit of 25 euro.',
    `${KEY} 40 euro, paid in cash.`,
    'value a0,a1: 25 euro,40 euro',
  ],
  ['the same value in other words', `${KEY} 90 minutes.`, `${KEY} 1.5 hours.`],
  ['another matter', `${KEY} 25 euro.`, 'Parking in the garage costs 40 euro.'],
  ['a value that the other article gives, too', `${KEY} 25 euro.`, `${KEY} 40 euro. It was 25 euro before.`],
])('%s: %j and %j', (_, one, other, ...expected) => {
  expect(found(one, other).filter((pair) => !pair.startsWith('copy'))).toEqual(expected)
})

test('two articles that nearly say the same are copies', () => {
  const text =
    'Beds are cleaned by the bed team.\nOrder a cleaning in the board under your ward.\nThe bed turns green when ready.'
  expect(found(text, `${text}\nHere, too, on weekends.`)).toEqual(['copy a0,a1: ,'])
})

test('the shipped articles contradict each other nowhere', async () => {
  expect(contradictionsOf(new Passages((await readArticles(KNOWLEDGE_BASE)).articles))).toEqual([])
})
