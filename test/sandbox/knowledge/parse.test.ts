// Articles from Markdown files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadKnowledgeBase, parseMarkdown } from '../../../src/sandbox/knowledge/articles.ts'

describe('Markdown', () => {
  test('front matter, then sections', () => {
    const text =
      '---\ntitle: VPN\ncategory: network\nupdated: 2026-01-01\n---\n\nFirst.\n\n## Errors ##\n\n- one\n- two\n'
    expect(parseMarkdown('vpn', text)).toEqual({
      slug: 'vpn',
      title: 'VPN',
      category: 'network',
      sections: [
        { heading: '', text: 'First.' },
        { heading: 'Errors', text: '- one\n- two' },
      ],
    })
  })
  test.each([
    ['without front matter the heading is the title', '# Printing\n\nText', 'Printing'],
    ['without either, the slug', 'Text', 'slug'],
    ['front matter wins', '---\ntitle: A\n---\n# B\nText', 'A'],
    ['Windows line ends and a byte order mark', '\uFEFF---\r\ntitle: A\r\n---\r\n\r\nText', 'A'],
    ['empty front matter', '---\n\n---\n# B\nText', 'B'],
  ])('%s', (_, text, title) => {
    expect(parseMarkdown('slug', text)).toMatchObject({ title, sections: [{ heading: '', text: 'Text' }] })
  })
  test('a heading in a block of code is none; sections without text are left out', () => {
    const text = '## Empty\n\n## Shell\n\n```\n## not a heading\n```\n'
    expect(parseMarkdown('a', text).sections).toEqual([
      { heading: 'Shell', text: '```\n## not a heading\n```' },
    ])
  })
  test.each(['', '---\ntitle: A\n---\n', '---\ntitle: [\n---\nText', '---\ntitle: 5\n---\nText'])(
    '%j is refused',
    (text) => {
      expect(() => parseMarkdown('a', text)).toThrow()
    },
  )
})

test('a folder is read with its subfolders, in the order of slugs, without README and drafts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-'))
  try {
    mkdirSync(join(folder, 'it'))
    for (const name of ['b.md', 'it/a.md', 'README.md', '_draft.md', '.hidden.md', 'notes.txt']) {
      writeFileSync(join(folder, name), `# ${name}\n\nText`)
    }
    expect((await loadKnowledgeBase(folder)).map(({ slug }) => slug)).toEqual(['b', 'it/a'])
    writeFileSync(join(folder, 'broken.md'), '---\ntitle: [\n---\nText')
    await expect(loadKnowledgeBase(folder)).rejects.toThrow(/broken\.md: /)
    for (const path of [join(folder, 'nowhere'), join(folder, 'b.md')])
      await expect(loadKnowledgeBase(path)).rejects.toThrow(`${path} is no folder`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
