// Protects the causes of gaps: what is said without a line, the line and its measured error, and why.
import { describe, expect, test } from 'vitest'
import { calibrate, causeOf, SURE, SURER, USUAL_LINES } from '../../src/analysis/articles/causes.ts'
import { consultArticles, indexArticles } from '../../src/analysis/articles/consult.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
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
