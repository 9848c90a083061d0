import { describe, expect, test } from 'vitest'
import type { Article } from '../../src/articles/article.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
import { Wording } from '../../src/articles/wording.ts'
import { cpuMs } from '../support/cpu-time.ts'

function article(
  id: string,
  title: string,
  ...sections: (readonly [heading: string, text: string])[]
): Article {
  const [first = ['', ''], ...others] = sections
  const toSection = ([heading, text]: readonly [string, string]) => ({ heading, text })
  return {
    id,
    title,
    sections: [toSection(first), ...others.map(toSection)],
    url: null,
    language: null,
    digest: 'sha256:00',
  }
}

const DESK = [
  article('password', 'Password reset', [
    '',
    'Open the portal and choose a new password. The link is good for an hour.',
  ]),
  article(
    'wifi',
    'Guest Wi-Fi',
    ['', 'Visitors get a voucher at the front desk.'],
    ['Devices', 'Printers cannot join.'],
  ),
  article('strike', 'Strikethrough in Markdown', ['', 'Put tildes around the letters.']),
  article(
    'monitor',
    'Monitors and docks',
    ['', 'Order a second screen with the form.'],
    ['Sleep', 'The dock wakes the laptop.'],
  ),
]
const GERMAN = [
  article('urlaub', 'Urlaubsantrag stellen', [
    '',
    'Der Antrag wird im Portal gestellt und von der Leitung genehmigt.',
  ]),
  article('drucker', 'Drucker einrichten', [
    '',
    'Die Drucker sind in der Liste und werden mit einem Klick verbunden.',
  ]),
  article('passwort', 'Passwort zurücksetzen', ['', 'Das neue Passwort gilt sofort für alle Systeme.']),
]

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
    expect(new ArticleIndex(articles).nearest(question)[0]?.article.id).toBe(id)
  })

  test('of none is none, and so it is for a question without a word that articles know', () => {
    expect(new ArticleIndex([]).nearest('password')).toEqual([])
    for (const question of ['', '???', 'xylophone', 'how do I']) {
      expect(new ArticleIndex(DESK).nearest(question)).toEqual([])
    }
  })

  test('comes with its section', () => {
    const section = (question: string) => new ArticleIndex(DESK).nearest(question)[0]?.section.heading
    expect(section('Does the dock wake the laptop from sleep?')).toBe('Sleep')
    expect(section('How do I order a second screen with monitors?')).toBe('')
  })

  test('is another one where it is left out, as if it had never been there', () => {
    const index = new ArticleIndex(DESK)
    const without = new ArticleIndex(DESK.filter(({ id }) => id !== 'password'))
    const question = 'new password for the portal, or a voucher'
    const [left] = index.nearest(question, { without: 'password' })
    expect(left?.article.id).toBe('wifi')
    expect(left?.features.missing).toBeCloseTo(without.nearest(question)[0]?.features.missing ?? NaN, 10)
    expect(left?.features.held).toBeCloseTo(without.nearest(question)[0]?.features.held ?? NaN, 10)
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
    const features = new ArticleIndex(DESK).nearest(question)[0]?.features
    for (const [name, value] of Object.entries(expected))
      expect([name, features?.[name as keyof typeof expected]]).toEqual([name, expect.closeTo(value, 4)])
  })

  test('the terms that it holds, and those it does not', () => {
    const [nearest] = new ArticleIndex(DESK).nearest('Password expired on the portal')
    expect(nearest?.heldTerms).toEqual(['password', 'portal'])
  })
})

describe('wording', () => {
  const index = new ArticleIndex([
    article('a', 'Facebook privacy'),
    article('b', 'Facebook photos'),
    article('c', 'Facebook events'),
    article('d', 'Twitter search'),
  ])
  const wording = new Wording(
    index,
    [
      ['fb privacy settings', 'a'],
      ['fb photos again', 'b'],
      ['fb events kindly', 'c'],
      ['search tweets kindly', 'd'],
      ['my fb privacy', 'a'],
    ].map(([question = '', id = '']) => ({ question, article: id })),
  )

  test.each([
    ['fb', undefined, { facebook: 2 / 3 }],
    ['fb', 'a', { facebook: 1 / 2 }],
    ['kindli', undefined, {}],
    ['unheard', undefined, {}],
  ])('%s means, apart from %s', (term, apart, expected) => {
    expect(Object.fromEntries(wording.meanings(term, apart))).toEqual(expected)
  })

  test.each([
    ['fb', undefined, 3 / 4],
    ['fb', 'a', 2 / 3],
    ['kindli', undefined, 1 / 2],
    ['unheard', undefined, 0],
  ])('%s is asked for with this share of articles, apart from %s', (term, apart, share) => {
    expect(wording.share(term, apart)).toBe(share)
  })

  test('a learned meaning finds the article', () => {
    expect(index.nearest('fb')).toEqual([])
    expect(index.nearest('fb', { wording })[0]?.article.title).toMatch(/^Facebook/)
  })
})

test('hostile text takes no longer than any other', () => {
  const long = 'a'.repeat(200_000)
  const articles = [
    article('long', long, ['', long]),
    article('many', 'x', ['', Array.from({ length: 50_000 }, (_, at) => `w${at}`).join(' ')]),
    article('proto', '__proto__ constructor toString', [
      'hasOwnProperty',
      '\u0000\ud800 <script>alert(1)</script>',
    ]),
  ]
  const search = (): void => {
    const index = new ArticleIndex(articles)
    for (const question of [long, 'w1 '.repeat(100_000), '__proto__', 'constructor', '\ud800'])
      index.nearest(question)
    expect(index.nearest('constructor')[0]?.article.id).toBe('proto')
  }
  expect(cpuMs(5000, search)).toBeLessThan(5000)
})
