// Protects what is said of gaps and articles: causes and the line between them, people's word, and the mark "other article".
import { describe, expect, test } from 'vitest'
import { calibrate, causeOf, SURE, SURER, USUAL_LINES } from '../../src/analysis/articles/causes.ts'
import { consultArticles, indexArticles } from '../../src/analysis/articles/consult.ts'
import { decisionsOn } from '../../src/analysis/articles/decisions.ts'
import { fitOf } from '../../src/analysis/articles/misfits.ts'
import { createEarlier } from '../../src/analysis/gaps/collect.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
import { LookUp } from '../../src/articles/look-up.ts'
import { makeArticle } from '../articles/make-article.ts'
import { makeQuestion, makeReply, makeTurn } from '../support/recorded.ts'

const NO_WORD = 'No article has a word of the question that matters.'
const NO_LANGUAGE = 'No article is in the language of the question.'

describe('the usual line', () => {
  const reset = 'Open the portal and choose the link. It is valid for an hour.'
  const install = 'Install the client on your laptop and sign in with the address.'
  const index = new ArticleIndex([
    makeArticle('password', 'Reset your password', reset),
    makeArticle('vpn', 'Set up the VPN', install),
  ])

  test.each([
    [
      'Which link of the portal resets my password?',
      'not-used',
      'password',
      'The nearest article has link, portal, password.',
    ],
    ['Which zebra won the derby?', 'no-article', undefined, NO_WORD],
    ['Which zebra won?', 'unclear', undefined, NO_WORD],
    ['How do I reset my pasword?', 'unclear', 'password', 'The nearest article has reset.'],
    ['My laptop sends no mail', 'unclear', 'vpn', 'The nearest article has laptop; it lacks sends, mail.'],
    ['Thanks!', 'unclear', undefined, 'The question has no word that says what it is about.'],
    ['Wie kann ich mein Kennwort ändern und wo ist das?', 'unclear', undefined, NO_LANGUAGE],
  ])('%j is %s', (question, cause, nearest, because) => {
    const line = calibrate(index, [])
    expect(line).toMatchObject({
      from: 'shipped',
      model: USUAL_LINES.terms.model,
      measured: USUAL_LINES.terms.measuredSurer,
    })
    const found = causeOf(index, { message: question }, line)
    expect(found).toMatchObject({ cause, because })
    expect(found.nearest[0]?.article).toBe(nearest)
  })
})

describe('a follow-up', () => {
  const pump = 'Borrow an infusion pump for seven days. Wipe the pump before return.'
  const flat = 'A flat has a kitchen and a bed. Give notice three months before you move.'
  const index = new ArticleIndex([
    makeArticle('pump', 'Infusion pumps', pump),
    makeArticle('flat', 'Staff flats', flat),
  ])
  const opening = 'How long may I borrow an infusion pump?'

  test.each([
    ['And who wipes it before return?', 'pump', 'not-used'],
    // Nothing of the follow-up itself is in the article.
    ['Does it beep?', 'pump', 'unclear'],
    ['How is that?', 'pump', 'unclear'],
    // Its own words weigh more than those of the opening.
    ['And notice for flats?', 'flat', 'unclear'],
  ])('%s', (message, nearest, cause) => {
    const line = { ...calibrate(index, []), sure: SURE }
    const found = causeOf(index, { message, opening }, line)
    expect([found.nearest[0]?.article, found.cause]).toEqual([nearest, cause])
  })
})

describe('the line of a run', () => {
  /** Topics of two words each that no other article has, in sentences of common words. */
  const topics = Array.from({ length: 60 }, (_, number) => [`alpha${number}x`, `beta${number}y`] as const)
  const articles = topics.map(([one, other], number) => {
    const text = `The ${one} is where the ${other} stands in the building near the door.`
    return makeArticle(`a${number}`, `About ${one}`, text)
  })
  const index = new ArticleIndex(articles)
  const grounded = topics.map(([one, other], number) => ({
    question: `Where in the building is the ${one} or ${other}?`,
    article: `a${number}`,
  }))
  const line = calibrate(index, grounded)

  test('divides questions whose article is there from those whose article is left out', () => {
    // The usual line does not know how plain these are: it leaves ten unclear.
    expect(line).toMatchObject({ from: 'grounded', measured: { tried: 120, decided: 110, wrong: 0 } })
    const causes = [grounded[7]?.question ?? '', 'Where in the building is the gamma or delta?'].map(
      (message) => causeOf(index, { message }, line).cause,
    )
    expect(causes).toEqual(['not-used', 'no-article'])
  })

  test('says of few articles only what it is surest of: one may say it in other words', () => {
    const few = new ArticleIndex(articles.slice(0, 20))
    const message = 'Is alpha1x near the gamma or the delta or the epsilon?'
    expect(causeOf(few, { message }, calibrate(few, grounded.slice(0, 5)))).toMatchObject({
      cause: 'unclear',
      because: 'One of so few articles (20) may say it in other words.',
    })
  })

  test('leaves everything unclear where the questions say nothing of their articles', () => {
    const question = 'Where is the building door?'
    const blank = calibrate(
      index,
      grounded.map(({ article }) => ({ question, article })),
    )
    expect(blank.measured).toEqual({ tried: 120, decided: 0, wrong: 0 })
    expect(causeOf(index, { message: question }, blank).cause).toBe('unclear')
  })

  test('has no cause for another language, but one where an article is written in it', () => {
    const question = 'Wie bekomme ich den Zugang zum Portal?'
    expect(causeOf(index, { message: question }, line).because).toBe(NO_LANGUAGE)
    const text =
      'Die Anleitung für den Zugang ist in der Liste und wird von der Leitung mit dem Antrag geprüft.'
    const both = new ArticleIndex([...articles, makeArticle('de', 'Zugang zum Portal', text)])
    expect(causeOf(both, { message: question }, line)).toMatchObject({
      because: expect.stringContaining('has Zugang, Portal') as string,
      nearest: [{ article: 'de' }],
    })
  })

  test('does not name a language for a single word of it', () => {
    const found = causeOf(index, { message: 'Y a-t-il un club de course à pied ?' }, line)
    expect(found.because).not.toContain('language')
  })

  test('is measured on its own questions from twenty on, and must be surer below five', () => {
    const twenty = calibrate(index, grounded.slice(0, 20))
    expect(twenty).toMatchObject({ from: 'grounded', measured: { tried: 40 } })
    const few = calibrate(index, grounded.slice(0, 19))
    expect(few).toMatchObject({ from: 'shipped', measured: USUAL_LINES.terms.measured })
    expect(few.model).not.toEqual(USUAL_LINES.terms.model)
    expect([5, 4].map((count) => calibrate(index, grounded.slice(0, count)).sure)).toEqual([SURE, SURER])
  })

  test('does not move for an answer from an article that is not in the index', () => {
    const { model } = calibrate(new ArticleIndex(articles.slice(0, 10)), grounded.slice(30))
    expect(model).toBe(USUAL_LINES.terms.model)
  })

  test('counts each question of a run once, however often it was sent', () => {
    const lineOf = (repeats: readonly number[]) => {
      const turns = grounded.map(({ question: message, article: id }, number) => {
        const question = makeQuestion(id, id, 1, { message })
        const result = makeReply('KNOWLEDGE_BASE', articles[number]?.sections[0].text)
        const turnOf = (repeat: number) => makeTurn({ index: number, question, result, repeat })
        return [turnOf(1), ...repeats.map(turnOf)] as const
      })
      return consultArticles(turns, ['KNOWLEDGE_BASE'], indexArticles(articles)).figures.articles.line
    }
    expect(lineOf([])).toMatchObject({ by: 'grounded', tried: 120 })
    expect(lineOf([2, 3])).toEqual(lineOf([]))
  })
})

const said = (id: string, message: string, article: string | null) => {
  return { id, message, article, by: null, at: null }
}
const ids = new Set(['vpn', 'toner'])

describe('a decision belongs to', () => {
  const decisions = decisionsOn(
    [
      said('a', 'Where is the canoe?', 'vpn'),
      said('b', '', null),
      said('c', 'What is gone?', 'lost'),
      said('', 'How  long? ', 'toner'),
    ],
    ids,
  )
  test.each([
    ['the question with its id and text', 'a', 1, 'Where is the canoe?', 'vpn'],
    ['no other text with its id', 'a', 1, 'Where is the kayak?', undefined],
    ['a question with its id, where it has no text', 'b', 2, 'And the kayak?', null],
    ['a first question with its text', 'z', 1, 'where is the CANOE?', 'vpn'],
    ['no follow-up with its text alone', 'z', 2, 'Where is the canoe?', undefined],
    ['texts, white space aside', 'z', 1, 'How long?', 'toner'],
    ['nothing, where its article does not exist', 'c', 1, 'What is gone?', undefined],
  ])('%s', (_, id, turn, message, article) => {
    expect(decisions.of(makeQuestion(id, id, turn, { message }))?.article).toBe(article)
  })
  test('articles that do not exist are named', () => {
    expect(decisions.unknown).toEqual(['lost'])
  })
})

test('a question that is nearly the same is looked up with it', () => {
  const install = 'Install the client on your laptop and sign in with the gateway address.'
  const articles = [
    makeArticle('vpn', 'Set up the VPN', install),
    makeArticle('toner', 'Printer toner', 'Toner lies in the cupboard beside the printer.'),
  ]
  const decisions = [
    said('a', 'Where do I moor my canoe overnight?', 'toner'),
    said('b', 'Which zebra won the derby?', null),
  ]
  const { index, none } = indexArticles(articles, { decisions })
  const line = calibrate(index, [])
  const found = (message: string) => causeOf(index, { message }, line, none)
  expect(found('Can I moor a canoe overnight here?').nearest[0]?.article).toBe('toner')
  expect(found('Which horse won the derby?')).toMatchObject({
    cause: 'no-article',
    because: expect.stringMatching(/nearly the same .*: Which zebra won the derby\?$/) as string,
  })
  expect(found('Which derby?').because).not.toContain('nearly the same')
  // Words of a decided question do not stand in the article.
  expect(found('Can I moor a canoe overnight here?').because).toContain('has only words like')
})

test('synonyms stand for one another, phrases with all of their words', () => {
  const articles = [
    makeArticle('quiet', 'Room of silence', 'The room of silence is open at night.'),
    makeArticle('bleep', 'Bleeps', 'A bleep has a battery.'),
    makeArticle('meeting', 'Meeting room', 'Book a room.'),
  ]
  const synonyms = ['prayer space|room of silence', 'pager|bleep'].map((words) => words.split('|'))
  const index = new ArticleIndex(articles, { synonyms })
  const nearest = (question: string) => new LookUp(index, question).nearest().map(({ article }) => article.id)
  expect(nearest('Is there a prayer space?')).toEqual(['quiet'])
  expect(nearest('Is there a prayer?')).toEqual([])
  expect(nearest('my pager')).toEqual(['bleep'])
  const [pager] = new LookUp(index, 'pager').nearest()
  expect(pager?.features).toMatchObject({ held: 1, titleHeld: 1, missing: 0 })
})

const index = new ArticleIndex([
  makeArticle('lockers', 'Bike lockers in the garage', 'Rent a bike locker for five euros a month.'),
  makeArticle('vpn', 'Set up the VPN', 'Install the client. Sign in on your laptop at the gateway address.'),
  makeArticle('leave', 'Annual leave', 'Request leave in the portal. Your manager agrees within a week.'),
  makeArticle('toner', 'Replace the printer toner', 'Toner lies in the cupboard beside the printer.'),
])

const RENT = 'How do I rent a bike locker in the garage?'
const INSTALL = 'Does my manager install the printer client?'

test.each([
  [RENT, 'vpn', undefined, 'lockers'],
  [RENT, 'lockers', undefined, undefined],
  // Its words are in no article: nothing is nearer.
  ['Which zebra won the derby?', 'vpn', undefined, undefined],
  ['And the cupboard?', 'leave', undefined, undefined],
  // What was said before speaks for the source.
  [INSTALL, 'vpn', 'How do I set up the VPN gateway address?', undefined],
])('the answer to %j from %s after %s fits %s better', (message, source, earlier, other) => {
  expect(fitOf(index, { message, earlier }, source).other?.id).toBe(other)
})

test('the questions before one are those of its conversation', () => {
  const earlierOf = createEarlier()
  const ask = (thread: string, turn: number, message: string) =>
    earlierOf(makeQuestion(`${thread}${turn}`, thread, turn, { message }))
  const asked = [ask('a', 1, 'One'), ask('a', 2, 'Two'), ask('a', 3, 'Three'), ask('b', 1, 'Four')]
  expect(asked).toEqual([undefined, 'One', 'One\nTwo', undefined])
})
