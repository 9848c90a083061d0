// Protects how articles are read: folders of Markdown, HTML and text, exports, what is left out and why, and
// bad input.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Article } from '../../src/articles/article.ts'
import { parseHtml } from '../../src/articles/html.ts'
import { publicationOf } from '../../src/articles/publication.ts'
import { ArticlesError, readArticles } from '../../src/articles/read.ts'
import { readRows } from '../support/rows.ts'
import { temporaryFolder } from '../support/temporary.ts'

type Files = Readonly<Record<string, string | Uint8Array>>

function put(files: Files): string {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** `id|title|url|language|heading: text|…` */
const shown = ({ id, title, url, language, sections }: Article): string =>
  [id, title, url, language, ...sections.map(({ heading, text }) => `${heading}: ${text}`)].join('|')

/** The articles of these files, and what is said of the others; or the error. */
async function read(files: Files, path: string, column: readonly string[] = []) {
  const folder = put(files)
  const said = (texts: readonly string[]) => texts.map((text) => text.replaceAll(folder, 'kb'))
  try {
    const { articles, unread, notes } = await readArticles(join(folder, path), { column })
    return { articles, said: said([...unread, ...notes]) }
  } catch (error) {
    if (!(error instanceof ArticlesError)) throw error
    return { articles: [], said: said([error.message]) }
  }
}

test.each(
  readRows<[string, files: Files, path: string, column: string[], articles: string[], said: string[]]>(
    new URL('read.ndjson', import.meta.url),
  ),
)('%s', async (_, files, path, column, articles, said) => {
  const found = await read(files, path, column)
  expect(found.articles.map(shown)).toEqual(articles)
  expect(found.said).toEqual(said)
})

test.each(
  readRows<[fields: Record<string, string>, said: string]>(new URL('publication.ndjson', import.meta.url)),
)('%j tells whether an article is published', (fields, said) => {
  const { unpublished = '', unknown } = publicationOf(Object.entries(fields))
  expect(unknown === undefined ? unpublished : `?${unknown}`).toBe(said)
})

test.each(readRows<[string, html: string, expected: object]>(new URL('html.ndjson', import.meta.url)))(
  'HTML has %s',
  (_, html, expected) => {
    const { sections, ...rest } = parseHtml(html)
    const flat = sections.map(({ heading, text }) => `${heading}: ${text}`)
    expect({ ...rest, sections: flat }).toMatchObject(expected)
  },
)

test('files in other encodings are read; one that is not text, and a link that leads nowhere, are named', async () => {
  const folder = put({
    '1252.md': Buffer.from('# Urlaub\n\n14 Tage f\u00fcr 5 \u0080', 'latin1'),
    'utf16.md': Buffer.from('\uFEFF# Büro\r\n\r\nText', 'utf16le'),
    'image.md': Uint8Array.of(1, 0, 2),
  })
  symlinkSync(join(folder, 'nowhere.md'), join(folder, 'link.md'))
  const { articles, unread } = await readArticles(folder)
  expect(articles.map(shown)).toEqual(['1252|Urlaub|||: 14 Tage für 5 €', 'utf16|Büro|||: Text'])
  expect(unread).toEqual(['image.md (not text; save it as UTF-8)', 'link.md (ENOENT)'])
})

test('an article has another digest where its title, a heading or its text differs', async () => {
  const digestOf = async (text: string): Promise<string | undefined> =>
    (await readArticles(put({ 'a.md': text }))).articles[0]?.digest
  const digests = await Promise.all(
    ['# A\nb', '# A\nb\n', '# B\nb', '# A\nc', '# A\n## b\nc', '# A\n## c\nc'].map(digestOf),
  )
  // sha256 of ["A","","b"], by another program.
  expect(digests[0]).toBe('sha256:157c824628563036ab840e80d755f56b0a2fcbe41dee378738e882fca2e34449')
  expect(new Set(digests).size).toBe(5)
})

test('ten articles of one title, and an article of 5 MB, are noted', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`${index}.md`, `# Test\nText ${index}`]),
  )
  const { notes } = await readArticles(put({ ...files, 'big.txt': 'word '.repeat(1_000_000) }))
  expect(notes).toEqual([
    expect.stringMatching(/^10 articles have the title "Test"/),
    expect.stringMatching(/^longer than 1,000,000 characters: "big"/),
  ])
})
