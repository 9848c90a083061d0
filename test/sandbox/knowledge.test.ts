// Protects the sandbox's assistant: answers to single questions and follow-ups, and model-only answers.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Article } from '../../src/articles/article.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
import { readArticles } from '../../src/articles/read.ts'
import { answer, type EarlierTurn } from '../../src/sandbox/assistant.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { makeArticle } from '../articles/make-article.ts'
import { KNOWLEDGE_BASE, startClient } from './client.ts'

let articles: readonly Article[]
let index: ArticleIndex
beforeAll(async () => {
  articles = (await readArticles(KNOWLEDGE_BASE)).articles
  index = new ArticleIndex(articles)
})

/**
 * Sends the messages in one thread. Returns `id / heading` of what grounded the last answer, or null for
 * model-only.
 */
function ask(...messages: string[]): string | null {
  const turns: EarlierTurn[] = []
  let last: string | null = null
  for (const message of messages) {
    const { article, section } = answer(index, message, turns)
    last = article === null ? null : `${article} / ${section}`
    turns.push({ message, article })
  }
  return last
}

test.each([
  ['How do I set up the VPN?', 'vpn / First set-up'],
  ['paper jam in the printer', 'printing / Paper jam'],
  ['Can I carry leave over into next year?', 'leave / Carrying days over'],
  ['Which planets have rings?', null],
  ['???', null],
  ['Thanks!', null],
])('%j is answered from %s', (message, place) => {
  expect(ask(message)).toBe(place)
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

describe('a follow-up', () => {
  test.each([
    ['How do I set up the VPN?', 'What are its symptoms?', 'vpn / Symptoms of an expired certificate'],
    ['I lost my badge', 'What does a new one cost?', 'badges / A lost badge'],
    ['I lost my badge', 'And who approves access at night?', 'badges / Doors outside office hours'],
  ])('after %j, %j is answered from %s; alone it is model-only', (first, second, place) => {
    expect(ask(first, second)).toBe(place)
    expect(ask(second)).toBeNull()
  })
  test('that names another article changes the topic for later turns, too', () => {
    const messages = ['I lost my badge', 'How do I set up the VPN?', 'What are its symptoms?']
    expect(ask(...messages.slice(0, 2))).toBe('vpn / First set-up')
    expect(ask(...messages)).toBe('vpn / Symptoms of an expired certificate')
  })
  test('can complete an earlier turn that was model-only', () => {
    expect(ask('It shows an error')).toBeNull()
    expect(ask('And it says VPN certificate')).toBeNull()
    expect(ask('It shows an error', 'And it says VPN certificate')).toMatch(/^vpn/)
  })
})

describe('German articles', () => {
  const german = new ArticleIndex([
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
  ])
  test.each([
    [['Wie setze ich mein Kennwort zurück?'], 'kennwort'],
    [['Wie übertrage ich Urlaubstage?'], 'urlaub'],
    // A part of a compound, and a heading of one word.
    [['Urlaubsantrag stellen'], 'urlaub'],
    [['Papierstau!'], 'drucker'],
    [['Drucker installieren', 'Und wo steht er?'], 'drucker'],
    [['Wie wird das Wetter morgen?'], null],
  ])('%j is answered from %s', (messages, id) => {
    const turns: EarlierTurn[] = []
    for (const message of messages) turns.push({ message, article: answer(german, message, turns).article })
    expect(turns.at(-1)?.article).toBe(id)
  })
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
