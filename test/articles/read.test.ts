// Protects how articles are read: folders of Markdown, HTML and text, exports, what is left out and why, and
// bad input.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseHtml } from '../../src/articles/html.ts'
import { parseMarkdown } from '../../src/articles/markdown.ts'
import { publicationOf } from '../../src/articles/publication.ts'
import { ArticlesError, readArticles } from '../../src/articles/read.ts'
import { readRows } from '../support/rows.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { cpuMs } from '../support/cpu-time.ts'

type Files = Readonly<Record<string, string | Uint8Array>>

function put(files: Files): string {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Reads an export that is written to a file of this name. */
const readExport = async (name: string, text: string, column: readonly string[] = []) =>
  readArticles(join(put({ [name]: text }), name), { column })

describe('Markdown', () => {
  test.each([
    ['front matter', '---\ntitle: VPN\nupdated: 2026-01-01\n---\n\nText', 'VPN'],
    ['its heading without front matter', '# Printing\n\nText', 'Printing'],
    ['its heading, without the signs that close it', '# Printing ##\n\nText', 'Printing'],
    ['neither', 'Text', undefined],
    ['front matter rather than the heading', '---\ntitle: A\n---\n# B\nText', 'A'],
    ['front matter with Windows line ends', '---\r\ntitle: A\r\n---\r\n\r\nText', 'A'],
  ])('has its title from %s', (_, text, title) => {
    expect(parseMarkdown(text)).toMatchObject({ title, sections: [{ heading: '', text: 'Text' }] })
  })
  test('has a section for each heading with text', () => {
    expect(parseMarkdown('First.\n\n## Empty\n\n## Errors ##\n\n- one\n- two\n').sections).toEqual([
      { heading: '', text: 'First.' },
      { heading: 'Errors', text: '- one\n- two' },
    ])
  })
  test('states its id, url, language and status', async () => {
    const matter = 'title: A\nid: 7\nurl: https://kb.example/a\nlang: de'
    const folder = put({
      'a.md': `---\n${matter}\n---\nText`,
      'b.md': '---\ndraft: true\n---\nText',
      'c.md': '---\nstatus: Archived\n---\nText',
    })
    const { articles, unread } = await readArticles(folder)
    expect(articles).toMatchObject([{ id: '7', title: 'A', url: 'https://kb.example/a', language: 'de' }])
    expect(unread).toEqual(['b.md (not published: "draft")', 'c.md (not published: "Archived")'])
  })
})

test.each(
  readRows<[fields: Record<string, string>, said: string]>(new URL('publication.ndjson', import.meta.url)),
)('%j tells whether an article is published', (fields, said) => {
  const { unpublished = '', unknown } = publicationOf(Object.entries(fields))
  expect(unknown === undefined ? unpublished : `?${unknown}`).toBe(said)
})

test('articles with an unknown status are read, and named with their number', async () => {
  const rows = ['A', 'B', 'C'].map(
    (title, index) => `${title},Text ${index},${index < 2 ? 'Legacy' : 'Live'}`,
  )
  const { articles, notes } = await readExport('kb.csv', ['title,body,Lifecycle', ...rows].join('\n'))
  expect(articles).toHaveLength(3)
  expect(notes).toEqual([
    expect.stringMatching(/^articles with a status .* are read: "Legacy" 2; if readers/),
  ])
})

test.each([
  [
    'TOML',
    'a.md',
    '+++\ntitle = "VPN \\"access\\""\nid = 7\ndraft = false\n[extra]\ntitle = "x"\n+++\nText',
    'VPN "access"',
  ],
  ['YAML with a year as title', 'a.md', '---\ntitle: 2024\n---\nText', '2024'],
  ['YAML with zeros in the title', 'a.md', '---\ntitle: 007\nweight: 3\ntags: [a]\n---\nText', '007'],
  ['YAML without a title', 'a.md', '---\ntitle:\n---\n# Heading\nText', 'Heading'],
  ['nothing', 'a.md', '---\n---\n# Heading\nText', 'Heading'],
  [
    'MDX',
    'a.mdx',
    "---\ntitle: VPN\n---\nimport Tabs from '@theme/Tabs'\nimport {\n  A,\n} from \"./a\"\n\nexport const x = {\n  a: 1,\n}\n\n{/* a note */}\n<Tabs items={['a', 'b']} onClick={() => { go(1 > 0) }}>\nText\n</Tabs>\n<Image\n  src=\"/a.png\"\n/>",
    'VPN',
  ],
])('the front matter is %s', async (_, name, text, title) => {
  const { articles } = await readArticles(put({ [name]: text }))
  expect(articles).toMatchObject([{ title, sections: [{ heading: '', text: 'Text' }] }])
})

test('code in MDX is kept', async () => {
  const code = '```jsx\nimport A from "a"\n<Card>{/* c */}</Card>\n```'
  const { articles } = await readArticles(
    put({ 'a.mdx': `# A\n\nWrite:\n\n${code}\n\n<Note>Important</Note>` }),
  )
  expect(articles[0]?.sections[0]?.text).toBe(`Write:\n\n${code}\n\nImportant`)
})

test('an article that two files give counts once', async () => {
  const { articles, unread } = await readArticles(
    put({
      'a/vpn.md': '---\ntitle: VPN\nurl: https://kb.example/vpn\n---\nOpen the client.',
      'b/vpn.html': '<h1>VPN</h1><p>Open the <b>client</b>.</p>',
      'c/vpn.md': '---\ntitle: VPN\nurl: https://kb.example/vpn\n---\nOpen the new client.',
      'd/other.md': '---\ntitle: Other\nurl: https://kb.example/vpn\n---\nSomething else.',
    }),
  )
  expect(articles.map(({ id }) => id)).toEqual(['a/vpn', 'd/other'])
  expect(unread).toEqual([
    'b/vpn.html (the same article as "a/vpn")',
    'c/vpn.md (the same article as "a/vpn")',
  ])
})

test('broken letters are named with the line of the first, and read as they are', async () => {
  const files = { 'a.md': '# A\n\nKäse', 'b.md': '# B\n\nGrÃ¼ÃŸe', 'c.html': '<h1>C</h1><p>Donâ€™t</p>' }
  const { articles, notes } = await readArticles(put(files))
  expect(articles[1]?.sections[0]?.text).toBe('GrÃ¼ÃŸe')
  expect(notes).toEqual([
    expect.stringMatching(/^b\.md:3: broken letters, such as "GrÃ¼ÃŸe"; files with such: 2; a tool read/),
  ])
  const sheet = await readExport('kb.csv', 'title,body\nA,Käse\nB,GrÃ¼ÃŸe\n')
  expect(sheet.notes).toEqual([
    expect.stringMatching(/kb\.csv:3: broken letters, such as "GrÃ¼ÃŸe"; rows with such: 1/),
  ])
})

describe('HTML', () => {
  test.each(readRows<[string, html: string, expected: object]>(new URL('html.ndjson', import.meta.url)))(
    'has %s',
    (_, html, expected) => {
      const { sections, ...rest } = parseHtml(html)
      const flat = sections.map(({ heading, text }) => `${heading}: ${text}`)
      expect({ ...rest, sections: flat }).toMatchObject(expected)
    },
  )
})

test('a folder is read with its subfolders, in the order of ids; files that are no articles are named with the reason', async () => {
  const names = ['b.md', 'it/hr/a.MD', 'c.Markdown', '.git/x.md', '.hidden.md', 'README.md', '_draft.md']
  const folder = put({
    ...Object.fromEntries([...names, 'b.markdown'].map((name) => [name, `# ${name}\n\nText`])),
    '1252.md': Buffer.from('# Urlaub\n\n14 Tage f\u00fcr 5 \u0080', 'latin1'),
    'utf16.md': Buffer.from('\uFEFF# Büro\r\n\r\nText', 'utf16le'),
    'bom.md': '\uFEFF# BOM\n\nText',
    'notes.txt': 'Notes\n\nText\n\nmore',
    'plain.txt': 'Text\nmore',
    'page.html': '<h1>Page</h1><p>Text',
    'photo.png': 'x',
    'empty.md': '',
    'empty.html': '<script>x</script>',
    'image.md': Uint8Array.of(1, 0, 2),
    'open.md': '---\ntitle: A\n\nText',
    'yaml.md': '---\ntitle: [\n---\nText',
    'title.md': '---\ntitle: 5\n---\nText',
    'text.md': '---\nVPN access\n---\nText',
  })
  symlinkSync(join(folder, 'nowhere.md'), join(folder, 'link.md'))
  const { articles, unread } = await readArticles(folder)
  expect(articles.map(({ id, title }) => [id, title])).toEqual([
    ['1252', 'Urlaub'],
    ['b', 'b.markdown'],
    ['bom', 'BOM'],
    ['c', 'c.Markdown'],
    ['it/hr/a', 'it/hr/a.MD'],
    ['notes', 'Notes'],
    ['page', 'Page'],
    ['plain', 'plain'],
    ['title', '5'],
    ['utf16', 'Büro'],
  ])
  expect(articles[0]?.sections).toEqual([{ heading: '', text: '14 Tage für 5 €' }])
  expect(articles[5]?.sections).toEqual([{ heading: '', text: 'Text\n\nmore' }])
  expect(unread).toEqual([
    'README.md (a README is for editors)',
    '_draft.md (a draft: its name begins with _)',
    'b.md (another article has the id "b", too)',
    'empty.html (it has no text)',
    'empty.md (it has no text)',
    'image.md (not text; save it as UTF-8)',
    'link.md (ENOENT)',
    'open.md (its front matter has no end (---))',
    'text.md (its front matter must hold a text: title: VPN access)',
    expect.stringMatching(/^yaml\.md \(its front matter is not YAML: /),
    'photo.png (not Markdown, HTML or text)',
  ])
})

describe('an export', () => {
  test('is CSV: drafts are left out, HTML becomes text, one id may come in two languages', async () => {
    const { articles, unread } = await readExport(
      'kb.csv',
      'Id,Name,Body,Html URL,Locale,State\n' +
        '1,VPN,"<h2>Set up</h2><p>Wait <b>5</b> minutes</p>",https://kb.example/1,en,published\n' +
        '1,VPN,Warten,javascript:alert(1),de,published\n' +
        '2,Old,Text,,en,Not published\n3,Empty,,,en,published\n,Nameless,"a\n## b\nc",http://kb.example,,\n' +
        '1,VPN,Again,,en,published\n',
    )
    expect(
      articles.map(({ id, url, language, sections }) => [
        id,
        url,
        language,
        ...sections.map(({ heading, text }) => `${heading}: ${text}`),
      ]),
    ).toEqual([
      ['1', 'https://kb.example/1', 'en', 'Set up: Wait 5 minutes'],
      ['1 (de)', null, 'de', ': Warten'],
      ['1 (en)', null, 'en', ': Again'],
      ['Nameless', null, null, ': a', 'b: c'],
    ])
    expect(unread.map((one) => one.replace(/^.*kb/, 'kb'))).toEqual([
      'kb.csv:4 (not published: "Not published")',
      'kb.csv:5 (it has no text)',
    ])
  })
  test('is JSON: a list, or an object with one', async () => {
    const rows = [
      { id: 5, title: 'A', body: '<p>Text</p>', draft: false },
      { id: 6, title: 'B', body: 'x', draft: true },
      'no row',
    ]
    for (const value of [rows, { count: 2, articles: rows }]) {
      const { articles, unread } = await readExport('kb.json', JSON.stringify(value))
      expect(articles).toMatchObject([{ id: '5', sections: [{ heading: '', text: 'Text' }] }])
      expect(unread).toHaveLength(2)
    }
  })
  test.each(['Betreff;Inhalt;text\nA;B;C\n', 'body;Inhalt;Betreff\nC;B;A\n'])(
    'has the columns that --column names: %j',
    async (text) => {
      const columns = ['title=Betreff', 'body=Inhalt', 'message=Frage']
      const { articles } = await readExport('kb.csv', text, columns)
      expect(articles).toMatchObject([{ id: 'A', title: 'A', sections: [{ text: 'B' }] }])
    },
  )
  test.each([
    [
      'Confluence',
      { title: 'VPN', body: { storage: { value: '<p>Install the client.</p>', representation: 'storage' } } },
    ],
    ['WordPress', { title: { rendered: 'VPN' }, content: { rendered: '<p>Install the client.</p>' } }],
  ])('texts that %s wraps', async (_, entry) => {
    const { articles } = await readExport('kb.json', JSON.stringify({ results: [entry] }))
    expect(articles).toMatchObject([{ title: 'VPN', sections: [{ text: 'Install the client.' }] }])
  })

  test('of a help center holds articles beside sections and people', async () => {
    const section = {
      id: 1,
      name: 'Everything about the network at work',
      description: 'Long, long, long text',
    }
    const article = { id: 2, title: 'VPN', body: '<p>Open it.</p>', label_names: ['a'], draft: false }
    const value = {
      count: 2,
      sections: [section, section],
      articles: [article, { ...article, id: 3, draft: true }],
    }
    const { articles, unread, notes } = await readExport('kb.json', JSON.stringify(value))
    expect(articles).toMatchObject([{ id: '2', title: 'VPN' }])
    expect(unread).toEqual([expect.stringMatching(/entry 2 \(not published: "draft"\)$/)])
    expect(notes).toEqual([expect.stringMatching(/lists with such keys that are not read: "sections"$/)])
  })

  test('is below a title, and behind a sheet of instructions', async () => {
    const { articles } = await readExport('kb.csv', 'Our articles\n\ntitle,body\nA,B\n')
    expect(articles).toMatchObject([{ title: 'A' }])
  })

  test('keeps text with code in it as written', async () => {
    const body = 'Write <b>bold</b> or a < b && c > d.'
    const { articles } = await readExport('kb.json', JSON.stringify([{ title: 'A', body }]))
    expect(articles[0]?.sections).toEqual([{ heading: '', text: body }])
  })
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

test.each<readonly [what: string, files: Files, path: string, message: RegExp]>([
  ['a missing path', {}, 'nowhere', /nowhere: no such file or folder$/],
  [
    'another file',
    { 'a.pdf': 'x' },
    'a.pdf',
    /a\.pdf is not a folder of articles, nor an export: \.csv, \.xlsx or \.json$/,
  ],
  ['an empty folder', { 'a/.x': '' }, 'a', /a contains no article \(it is empty\)$/],
  [
    'a folder without an article',
    { 'a.png': '', 'b.png': '', 'c.png': '', 'd.md': '' },
    '.',
    /contains no article \(not read: d\.md \(it has no text\), a\.png \(.*\), b\.png \(.*\), …\)$/,
  ],
  [
    'no title column',
    { 'a.csv': 'Betreff,body\nA,B\n' },
    'a.csv',
    /a\.csv: no title column \(found: "Betreff", "body"\); name it: --column title=…$/,
  ],
  [
    'no body column',
    { 'a.json': '[{"title":"A"}]' },
    'a.json',
    /no body column \(found: "title"\); name it: --column body=…$/,
  ],
  ['an empty export', { 'a.csv': '' }, 'a.csv', /a\.csv: the file is empty/],
  ['no JSON', { 'a.json': '[' }, 'a.json', /a\.json: this is not JSON \(/],
  ['no list', { 'a.json': '{"a":[1]}' }, 'a.json', /this JSON holds no list of objects; write \[\{ "title"/],
  [
    'only drafts',
    { 'a.csv': 'title,body,status\nA,B,draft\n' },
    'a.csv',
    /a\.csv contains no article \(not read: .*a\.csv:2 \(not published: "draft"\)\)$/,
  ],
])('%s is one clear error', async (_, files, path, message) => {
  const reading = readArticles(join(put(files), path))
  await expect(reading).rejects.toThrow(message)
  await expect(reading).rejects.toThrow(ArticlesError)
})

test('a --column that names no column is an error', async () => {
  const message = /no column is called so: --column title=Betreff \(found: "a", "body"\)$/
  await expect(readExport('kb.csv', 'a,body\n1,2\n', ['title=Betreff'])).rejects.toThrow(message)
})

test('a row that cannot be read is named, and the others are read', async () => {
  const { articles, unread } = await readExport('kb.csv', 'title,body\nA,B\nC,D,E\nF,G\n')
  expect(articles.map(({ title }) => title)).toEqual(['A', 'F'])
  expect(unread).toEqual([expect.stringMatching(/kb\.csv:3.*the row has 3 cells/)])
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

test.each([
  '<div>',
  '<b a>x<p>',
  '<a href=https://a.example>',
  '<h2>',
  '<li>',
  '<ol><li>',
  '<nav>',
  '</p>',
  '<',
  '&amp',
  '<!--',
  '<td>',
  ' ',
  '\n',
  '# ',
  '## \n',
  '#',
  '---\n',
  '---\na:',
  'a ',
])('250 kB of %j are read in linear time', (piece) => {
  const text = piece.repeat(250_000 / piece.length)
  const read = (): void => {
    parseHtml(text)
    for (const one of [text, `# ${text}`, `## ${text}a`, `---\ntitle: a\n${text}`])
      try {
        parseMarkdown(one)
      } catch {
        // Its front matter is invalid.
      }
  }
  expect(cpuMs(5000, read)).toBeLessThan(5000)
})
