// Protects the sandbox's assistant: answers to single questions and follow-ups, and model-only answers.
import { expect, test } from 'vitest'
import { ArticleIndex } from '../../src/articles/index.ts'
import { readArticles } from '../../src/articles/read.ts'
import { answer, type EarlierTurn } from '../../src/sandbox/assistant.ts'
import { readRows } from '../support/rows.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { makeArticle } from '../articles/make-article.ts'
import { KNOWLEDGE_BASE, startClient } from './client.ts'

const german = [
  makeArticle(
    'kennwort',
    'Kennwort zurücksetzen',
    'Wenn Sie Ihr Kennwort vergessen haben, klicken Sie im Portal auf den Link. Er ist 30 Minuten gültig.',
    ['Regeln für das neue Kennwort', 'Das Kennwort hat mindestens 12 Zeichen.'],
  ),
  makeArticle(
    'urlaub',
    'Urlaub beantragen',
    'Den Antrag stellen Sie im Personalportal. Ihre Führungskraft genehmigt ihn.',
    ['Resturlaub ins nächste Jahr übertragen', 'Bis zu fünf Tage können übertragen werden.'],
  ),
  makeArticle('drucker', 'Drucker einrichten', 'Der Drucker steht im Flur. Installieren Sie den Treiber.', [
    'Papierstau beheben',
    'Öffnen Sie die Klappe.',
  ]),
]
const { articles } = await readArticles(KNOWLEDGE_BASE)
const indexes = { en: new ArticleIndex(articles), de: new ArticleIndex(german) }

/** The article and the heading that answer the last message of a conversation, or null for model-only. */
test.each(
  readRows<[language: 'en' | 'de', place: string | null, ...messages: string[]]>(
    new URL('answered.ndjson', import.meta.url),
  ),
)('from articles in %s, %j answers %j %j %j', (language, place, ...messages) => {
  const turns: EarlierTurn[] = []
  let last: string | null = null
  for (const message of messages) {
    const { article, section } = answer(indexes[language], message, turns)
    last = article === null ? null : `${article} / ${section}`
    turns.push({ message, article })
  }
  expect(last).toBe(place)
})

test('a question in the words of a title is answered from that article, however common they are', async () => {
  const shipped = new ArticleIndex((await readArticles('datasets/knowledge-base')).articles)
  expect(answer(shipped, 'Calendars and sharing them', []).article).toBe('calendars')
})

test('beside many articles, one word in common answers no question of another world', () => {
  const numbered = (count: number): ArticleIndex =>
    new ArticleIndex([
      makeArticle(
        'attack',
        'Report an attack',
        'If somebody attacks your account, report the attack at once.',
      ),
      ...Array.from({ length: count }, (_, number) =>
        makeArticle(
          `a${number}`,
          `Fee ${number + 100}`,
          `The fee of tariff ${number + 100} is due in spring.`,
        ),
      ),
    ])
  const [few, many] = [numbered(100), numbered(1000)]
  for (const foreign of ['What are the symptoms of a heart attack?', 'Why do sharks attack surfers?'])
    expect([few, many].map((some) => answer(some, foreign, []).article)).toEqual(['attack', null])
  expect(answer(many, 'Somebody attacks my account', []).article).toBe('attack')
  expect(answer(many, 'When is tariff 345 due?', []).article).toBe('a245')
})

test('a heading that nearly repeats the question answers it', () => {
  const headed = new ArticleIndex([
    makeArticle('mail', 'E-mail', 'Open the client.', ['How large may an attachment be?', 'At most 25 MB.']),
    makeArticle('files', 'File shares', 'Large files go to the share.', ['Quota', '50 GB.']),
    makeArticle('desk', 'The service desk', 'It is open from 8 to 5.'),
  ])
  expect(answer(headed, 'How large can an attachment be at most?', [])).toMatchObject({
    message: 'At most 25 MB.',
  })
  expect(answer(headed, 'attachments too large', [])).toMatchObject({ article: 'mail' })
})

test('an empty knowledge base answers model-only, with the configured source', async () => {
  const { ask: send } = await startClient({
    knowledgeBase: temporaryFolder(),
    config: { assistant: { modelOnlySource: 'GENERAL' } },
  })
  expect((await send({ message: 'How do I set up the VPN?' })).body.contextSource).toBe('GENERAL')
})
