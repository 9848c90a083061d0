// The assistant over a small knowledge base: alone, in a thread, and where it has nothing to say.
import { beforeAll, describe, expect, test } from 'vitest'
import { answer, type EarlierTurn } from '../../../src/sandbox/knowledge/library.ts'
import { loadKnowledgeBase } from '../../../src/sandbox/knowledge/articles.ts'
import { buildIndex, type SearchIndex } from '../../../src/sandbox/knowledge/search.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { KNOWLEDGE_BASE, startClient } from '../client.ts'

let index: SearchIndex
beforeAll(async () => {
  index = buildIndex(await loadKnowledgeBase(KNOWLEDGE_BASE))
})

/** `slug / heading` of what grounded the last of the messages, asked in one thread; null for model-only. */
function ask(...messages: string[]): string | null {
  const turns: EarlierTurn[] = []
  let last: string | null = null
  for (const message of messages) {
    const given = answer(index, message, turns)
    last = given.kind === 'grounded' ? `${given.article.slug} / ${given.section.heading}` : null
    turns.push({ message, article: given.kind === 'grounded' ? given.article.slug : null })
  }
  return last
}

describe('a question that stands alone', () => {
  test.each([
    ['How do I set up the VPN?', 'vpn / First set-up'],
    ['I lost my badge', 'badges / A lost badge'],
    ['How much annual leave is there?', 'leave / How much you have'],
    ['paper jam in the printer', 'printing / Paper jam'],
    ['Can I carry leave over into next year?', 'leave / Carrying days over'],
  ])('%j is answered from %s', (message, place) => {
    expect(ask(message)).toBe(place)
  })
  test.each(['Which planets have rings?', 'How do I cook rice?', 'Who wins the league?', '???', 'Thanks!'])(
    '%j has no article',
    (message) => {
      expect(ask(message)).toBeNull()
    },
  )
})

test('an article is found by its title, though every word of it is small talk', () => {
  const articles = ['Work from home', 'The office', 'Work'].map((title, place) => ({
    slug: `a${place}`,
    title,
    sections: [{ heading: '', text: 'Two days a week at home, the others at work in the office.' }] as const,
  }))
  const small = buildIndex(articles)
  for (const message of ['Work from home', 'work from home?', 'Can I work from home?'])
    expect(answer(small, message, [])).toMatchObject({ kind: 'grounded', article: { slug: 'a0' } })
})

describe('a follow-up', () => {
  test.each([
    ['How do I set up the VPN?', 'What are its symptoms?', 'vpn / Symptoms of an expired certificate'],
    ['How do I set up the VPN?', 'How long does it take?', 'vpn / Getting a new certificate'],
    ['I lost my badge', 'What does a new one cost?', 'badges / A lost badge'],
    ['I lost my badge', 'And who approves access at night?', 'badges / Doors outside office hours'],
    ['How do I print?', 'And in colour?', 'printing / Colour'],
  ])('after %j, %j is answered from %s, but not alone', (first, second, place) => {
    expect(ask(first, second)).toBe(place)
    expect(ask(second)).toBeNull()
  })
  test('that names another article changes the topic, for the turns after it too', () => {
    const messages = ['I lost my badge', 'How do I set up the VPN?', 'How long does it take?']
    expect(ask(...messages.slice(0, 2))).toBe('vpn / First set-up')
    expect(ask(...messages)).toBe('vpn / Getting a new certificate')
  })
  test('about something no article has is model-only, and so is what hangs on it', () => {
    expect(ask('I lost my badge', 'Which planets have rings?')).toBeNull()
    expect(ask('I lost my badge', 'Which planets have rings?', 'How big are they?')).toBeNull()
  })
  test('may complete what a turn before left open', () => {
    const [first, second] = ['It shows an error', 'And it says VPN certificate']
    expect(ask(first)).toBeNull()
    expect(ask(second)).toBeNull()
    expect(ask(first, second)).toMatch(/^vpn/)
  })
  test('after a thank-you the topic stays', () => {
    expect(ask('I lost my badge', 'Thank you!', 'What does a new one cost?')).toBe('badges / A lost badge')
  })
})

test('the threshold can be set: at 1 nothing is good enough, at 0 the name of an article is', () => {
  const message = 'I want to print my thesis about volcanoes'
  expect(answer(index, message, [], 0).kind).toBe('grounded')
  expect(answer(index, message, [], 1).kind).toBe('model-only')
})

test('an article that is gone leaves the thread without one', () => {
  expect(answer(index, 'How long does it take?', [{ message: 'x', article: 'was-deleted' }]).kind).toBe(
    'model-only',
  )
})

test('is the same whatever the order of the articles', async () => {
  const articles = await loadKnowledgeBase(KNOWLEDGE_BASE)
  const turned = buildIndex(articles.toReversed())
  for (const message of ['access', 'manager badge', 'certificate', 'days']) {
    expect(answer(turned, message, [])).toEqual(answer(index, message, []))
  }
})

test('an empty knowledge base answers model-only, with the source that was set', async () => {
  const { ask: send } = await startClient({
    knowledgeBase: temporaryFolder(),
    config: { assistant: { modelOnlySource: 'GENERAL' } },
  })
  expect((await send({ message: 'How do I set up the VPN?' })).body.contextSource).toBe('GENERAL')
})
