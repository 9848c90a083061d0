// Protects people's word on gaps: which questions a decision belongs to, and what it says of others.
import { describe, expect, test } from 'vitest'
import { calibrate, causeOf } from '../../src/analysis/articles/causes.ts'
import { indexArticles } from '../../src/analysis/articles/consult.ts'
import { decisionsOn } from '../../src/analysis/articles/decisions.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
import { LookUp } from '../../src/articles/look-up.ts'
import { makeArticle } from '../articles/make-article.ts'
import { makeQuestion } from '../support/recorded.ts'

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
