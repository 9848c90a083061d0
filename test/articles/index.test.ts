// Protects the index of articles: the nearest one to a question, what speaks for it, and what people ask for.
import { describe, expect, test } from 'vitest'
import type { Article } from '../../src/articles/article.ts'
import { AskedFor } from '../../src/articles/asked-for.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
import { LookUp, type LookUpOptions } from '../../src/articles/look-up.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { articlesOf, makeArticle } from './make-article.ts'

const DESK = articlesOf('DESK')
const nearest = (articles: readonly Article[], question: string, options?: LookUpOptions) =>
  new LookUp(new ArticleIndex(articles), question, options).nearest()

const GERMAN = articlesOf('GERMAN')

describe('the nearest article', () => {
  test.each([
    ['as titled', DESK, 'password reset', 'password'],
    ['another form of a word', DESK, 'resetting passwords', 'password'],
    ['a typo', DESK, 'How do I write stikethrough text?', 'strike'],
    ['a word of a section', DESK, 'Can printers join?', 'wifi'],
    ['German forms', GERMAN, 'Wie kann ich mein Passwort zurückgesetzt bekommen?', 'passwort'],
    ['a part of a German compound', GERMAN, 'Wo stelle ich den Antrag auf Urlaub?', 'urlaub'],
    ['a German plural', GERMAN, 'Wie werden die Druckern eingerichtet?', 'drucker'],
  ])('%s', (_, articles, question, id) => {
    expect(nearest(articles, question)[0]?.article.id).toBe(id)
  })

  test('of none is none, and so it is for a question without a word that articles know', () => {
    expect(nearest([], 'password')).toEqual([])
    for (const question of ['', '???', 'xylophone', 'how do I']) {
      expect(nearest(DESK, question)).toEqual([])
    }
  })

  test('comes with its section', () => {
    const look = (question: string) => new LookUp(new ArticleIndex(DESK), question)
    const section = (question: string) => look(question).sectionOf(DESK[3] as Article).heading
    expect(section('Does the dock wake the laptop from sleep?')).toBe('Sleep')
    expect(section('How do I order a second screen with monitors?')).toBe('')
  })

  test('is another one where it is left out, as if it had never been there', () => {
    const question = 'new password for the portal, or a voucher'
    const [left] = nearest(DESK, question, { without: 'password' })
    const [never] = nearest(DESK.slice(1), question)
    expect(left?.article.id).toBe('wifi')
    expect(left?.features.missing).toBeCloseTo(never?.features.missing ?? NaN, 10)
    expect(left?.features.held).toBeCloseTo(never?.features.held ?? NaN, 10)
  })
})

describe('what speaks for an article', () => {
  // Four articles: a term of one weighs ln(1 + 1/(1/4 + 1/8)) = 1.2993, a term of none ln(1 + 1/(1/8)) = 2.1972.
  test.each([
    ['password reset', { held: 1, heldByTitle: 1, titleHeld: 1, lead: 1, missing: 0, terms: 2 }],
    [
      'password xylophone',
      { held: 0.3716, heldByTitle: 0.3716, titleHeld: 0.5, lead: 1, missing: 1, terms: 2 },
    ],
    ['password hour', { held: 1, heldByTitle: 0.5, titleHeld: 0.5, lead: 1, missing: 0, terms: 2 }],
  ])('%s', (question, expected) => {
    const features = nearest(DESK, question)[0]?.features
    for (const [name, value] of Object.entries(expected))
      expect([name, features?.[name as keyof typeof expected]]).toEqual([name, expect.closeTo(value, 4)])
  })

  test('the terms that it holds, and those it does not', () => {
    const look = new LookUp(new ArticleIndex(DESK), 'Password expired on the portal')
    expect(look.heldTerms(DESK[0] as Article)).toEqual(['password', 'portal'])
  })
})

describe('what people ask for', () => {
  const index = new ArticleIndex([
    makeArticle('a', 'Facebook privacy'),
    makeArticle('b', 'Facebook photos'),
    makeArticle('c', 'Facebook events'),
    makeArticle('d', 'Twitter search'),
  ])
  const asked = new AskedFor(
    index,
    [
      ['fb privacy settings', 'a'],
      ['fb photos again', 'b'],
      ['fb events kindly', 'c'],
      ['search tweets kindly', 'd'],
      ['my fb privacy', 'a'],
    ].map(([question = '', id = '']) => ({ question, article: id })),
  )
  const [facebook = ''] = index.termsOf('Facebook')
  const [kindly = ''] = index.termsOf('kindly')

  test.each([
    ['fb', undefined, 3 / 4, { [facebook]: 2 / 3 }],
    ['fb', 'a', 2 / 3, { [facebook]: 1 / 2 }],
    [kindly, undefined, 1 / 2, {}],
    ['unheard', undefined, 0, {}],
  ])('with %s, without the questions of %s', (term, answer, share, meanings) => {
    expect(asked.share(term, answer)).toBe(share)
    expect(Object.fromEntries(asked.meanings(term, answer))).toEqual(meanings)
  })

  test('finds an article by a meaning', () => {
    expect(new LookUp(index, 'fb').nearest()).toEqual([])
    expect(new LookUp(index, 'fb', { asked }).nearest()[0]?.article.title).toMatch(/^Facebook/)
  })
})

test('hostile text takes no longer than any other', () => {
  const long = 'a'.repeat(200_000)
  const articles = [
    makeArticle('long', long, long),
    makeArticle('many', 'x', Array.from({ length: 50_000 }, (_, at) => `w${at}`).join(' ')),
    makeArticle('proto', '__proto__ constructor toString', [
      'hasOwnProperty',
      '\u0000\ud800 <script>alert(1)</script>',
    ]),
  ]
  const search = (): void => {
    const index = new ArticleIndex(articles)
    for (const question of [long, 'w1 '.repeat(100_000), '__proto__', 'constructor', '\ud800'])
      new LookUp(index, question).nearest()
    expect(new LookUp(index, 'constructor').nearest()[0]?.article.id).toBe('proto')
  }
  expect(cpuMs(5000, search)).toBeLessThan(5000)
})
