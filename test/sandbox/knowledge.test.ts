// Protects the sandbox's assistant: answers to single questions and follow-ups, model-only answers, and how
// articles are read.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadKnowledgeBase, parseMarkdown, type Article } from '../../src/sandbox/knowledge/articles.ts'
import { answer, type EarlierTurn } from '../../src/sandbox/knowledge/assistant.ts'
import { buildIndex, type SearchIndex } from '../../src/sandbox/knowledge/search.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { KNOWLEDGE_BASE, startClient } from './client.ts'

let articles: readonly Article[]
let index: SearchIndex
beforeAll(async () => {
  articles = (await loadKnowledgeBase(KNOWLEDGE_BASE)).articles
  index = buildIndex(articles)
})

/**
 * Sends the messages in one thread. Returns `slug / heading` of what grounded the last answer, or null for
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
  ['I lost my badge', 'badges / A lost badge'],
  ['How much annual leave is there?', 'leave / How much you have'],
  ['paper jam in the printer', 'printing / Paper jam'],
  ['Can I carry leave over into next year?', 'leave / Carrying days over'],
  ['Which planets have rings?', null],
  ['How do I cook rice?', null],
  ['Who wins the league?', null],
  ['???', null],
  ['Thanks!', null],
])('%j is answered from %s', (message, place) => {
  expect(ask(message)).toBe(place)
})

test('an article is found by its title even if all its words are stop words', () => {
  const text = 'Two days a week at home, the others at work in the office.'
  const small = buildIndex(
    ['Work from home', 'The office', 'Work'].map((title, place) => ({
      slug: `a${place}`,
      title,
      sections: [{ heading: '', text }],
    })),
  )
  for (const message of ['Work from home', 'work from home?', 'Can I work from home?'])
    expect(answer(small, message, []).article).toBe('a0')
})

describe('a follow-up', () => {
  test.each([
    ['How do I set up the VPN?', 'What are its symptoms?', 'vpn / Symptoms of an expired certificate'],
    ['I lost my badge', 'What does a new one cost?', 'badges / A lost badge'],
    ['I lost my badge', 'And who approves access at night?', 'badges / Doors outside office hours'],
    ['How do I print?', 'And in colour?', 'printing / Colour'],
  ])('after %j, %j is answered from %s; alone it is model-only', (first, second, place) => {
    expect(ask(first, second)).toBe(place)
    expect(ask(second)).toBeNull()
  })
  test('that names another article changes the topic for later turns, too', () => {
    const messages = ['I lost my badge', 'How do I set up the VPN?', 'What are its symptoms?']
    expect(ask(...messages.slice(0, 2))).toBe('vpn / First set-up')
    expect(ask(...messages)).toBe('vpn / Symptoms of an expired certificate')
  })
  test('on an unknown topic is model-only, and so are its own follow-ups', () => {
    expect(ask('I lost my badge', 'Which planets have rings?')).toBeNull()
    expect(ask('I lost my badge', 'Which planets have rings?', 'How big are they?')).toBeNull()
  })
  test('can complete an earlier turn that was model-only', () => {
    expect(ask('It shows an error')).toBeNull()
    expect(ask('And it says VPN certificate')).toBeNull()
    expect(ask('It shows an error', 'And it says VPN certificate')).toMatch(/^vpn/)
  })
  test('keeps the topic after a thank-you', () => {
    expect(ask('I lost my badge', 'Thank you!', 'What does a new one cost?')).toBe('badges / A lost badge')
  })
})

test('answers do not depend on the order of articles', () => {
  const turned = buildIndex(articles.toReversed())
  for (const message of ['access', 'manager badge', 'certificate', 'days'])
    expect(answer(turned, message, [])).toEqual(answer(index, message, []))
})

test('an empty knowledge base answers model-only, with the configured source', async () => {
  const { ask: send } = await startClient({
    knowledgeBase: temporaryFolder(),
    config: { assistant: { modelOnlySource: 'GENERAL' } },
  })
  expect((await send({ message: 'How do I set up the VPN?' })).body.contextSource).toBe('GENERAL')
})

describe('an article', () => {
  test.each([
    ['front matter', '---\ntitle: VPN\nupdated: 2026-01-01\n---\n\nText', 'VPN'],
    ['its heading without front matter', '# Printing\n\nText', 'Printing'],
    ['the slug without either', 'Text', 'slug'],
    ['front matter rather than the heading', '---\ntitle: A\n---\n# B\nText', 'A'],
    ['front matter with Windows line ends', '\uFEFF---\r\ntitle: A\r\n---\r\n\r\nText', 'A'],
  ])('has its title from %s', (_, text, title) => {
    expect(parseMarkdown('slug', text)).toMatchObject({ title, sections: [{ heading: '', text: 'Text' }] })
  })
  test('has a section for each heading with text', () => {
    expect(parseMarkdown('a', 'First.\n\n## Empty\n\n## Errors ##\n\n- one\n- two\n').sections).toEqual([
      { heading: '', text: 'First.' },
      { heading: 'Errors', text: '- one\n- two' },
    ])
  })
  test.each(['', '---\ntitle: A\n---\n', '---\ntitle: [\n---\nText', '---\ntitle: 5\n---\nText'])(
    '%j is not an article',
    (text) => expect(() => parseMarkdown('a', text)).toThrow(),
  )
})

test('a folder is read with its subfolders, in the order of slugs; files that are no articles are named with the reason', async () => {
  const folder = temporaryFolder()
  const put = (name: string, text: string | Uint8Array = `# ${name}\n\nText`): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const name of [
    'b.md',
    'it/hr/a.MD',
    'c.Markdown',
    '.git/x.md',
    '.hidden.md',
    'README.md',
    '_draft.md',
  ])
    put(name)
  put('1252.md', Buffer.from('# Urlaub\n\n14 Tage f\u00fcr 5 \u0080', 'latin1'))
  put('utf16.md', Buffer.from('\uFEFF# Büro\r\n\r\nText', 'utf16le'))
  put('notes.txt')
  put('empty.md', '')
  put('image.md', Uint8Array.of(1, 0, 2))
  put('open.md', '---\ntitle: A\n\nText')
  put('yaml.md', '---\ntitle: [\n---\nText')
  put('title.md', '---\ntitle: 5\n---\nText')
  put('b.markdown')
  symlinkSync(join(folder, 'nowhere.md'), join(folder, 'link.md'))
  const { articles: read, unread } = await loadKnowledgeBase(folder)
  expect(read.map(({ slug, title }) => [slug, title])).toEqual([
    ['1252', 'Urlaub'],
    ['b', 'b.markdown'],
    ['c', 'c.Markdown'],
    ['it/hr/a', 'it/hr/a.MD'],
    ['utf16', 'Büro'],
  ])
  expect(read[0]?.sections).toEqual([{ heading: '', text: '14 Tage für 5 €' }])
  expect(unread).toEqual([
    'README.md (a README is for editors)',
    '_draft.md (a draft: its name begins with _)',
    'b.md (another file is named b, too)',
    'empty.md (it has no text)',
    'image.md (not text; save it as UTF-8)',
    'link.md (ENOENT)',
    'open.md (its front matter has no end (---))',
    'title.md (its front matter must hold a text: title: VPN access)',
    expect.stringMatching(/^yaml\.md \(its front matter is not YAML: /),
    'notes.txt (not Markdown)',
  ])
  await expect(loadKnowledgeBase(join(folder, 'c.Markdown'))).rejects.toThrow(/c\.Markdown is not a folder/)
})
