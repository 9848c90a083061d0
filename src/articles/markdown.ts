// Parses an article in Markdown: front matter, a title, sections under `## ` headings.
import { parse } from 'yaml'
import type { Parsed, ArticleSection } from './article.ts'
import { markdownOfMdx } from './mdx.ts'
import { publicationOf } from './publication.ts'

/** YAML stands between `---`, TOML between `+++`. */
const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\r?\n(?:(.*?)\r?\n)?\1[ \t]*(?:\r?\n(.*))?$/s
const OPEN_FRONT_MATTER = /^(?:---[ \t]*\r?\n\w+:|\+\+\+[ \t]*\r?\n\w+[ \t]*=)/

/** Every value is a text: `title: 2024` and `title: 007` stay as written. Lists and tables are left out. */
function readYaml(yaml: string): Map<string, string> {
  let values: unknown
  try {
    values = parse(yaml, { schema: 'failsafe' })
  } catch (error) {
    throw new Error(`its front matter is not YAML: ${(error as Error).message.split('\n')[0]}`, {
      cause: error,
    })
  }
  if (typeof values === 'string' && values !== '')
    throw new Error('its front matter must hold a text: title: VPN access')
  const entries: [string, unknown][] = Object.entries(values ?? {})
  return new Map(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )
}

/** Reads the lines above the first table: an article needs no more of TOML. */
function readToml(toml: string): Map<string, string> {
  const [top = ''] = toml.split(/^\s*\[/m)
  const lines = top.matchAll(
    /^[ \t]*["']?([\w-]+)["']?[ \t]*=[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([^\s"'[{#][^\n#]*))/gm,
  )
  return new Map(
    Array.from(lines, ([, name = '', quoted, plain, bare = '']) => [
      name,
      quoted?.replaceAll(/\\(["\\])/g, '$1') ?? plain ?? bare.trim(),
    ]),
  )
}

/** A heading at the top is the title, not a section. */
const TITLE = /^\s*(?:# +(.+)|(\S.*)\r?\n=+[ \t\r]*(?=\n|$))/

/** Throws why the front matter is invalid. The text has no byte order mark. */
export function parseMarkdown(text: string, isMdx = false): Parsed {
  const [matter, fence, written = '', rest = ''] = FRONT_MATTER.exec(text) ?? []
  if (matter === undefined && OPEN_FRONT_MATTER.test(text))
    throw new Error(`its front matter has no end (${text.slice(0, 3)})`)
  const markdown = matter === undefined ? text : rest
  const body = isMdx ? markdownOfMdx(markdown) : markdown
  const values = fence === '+++' ? readToml(written) : readYaml(written)
  const valueOf = (name: string): string | undefined =>
    values.get(name)?.replace(/^(?:null|~)$/, '') || undefined
  const [top = '', marked, underlined] = TITLE.exec(body) ?? []
  const heading = marked ?? underlined
  return {
    id: valueOf('id'),
    url: valueOf('url'),
    language: valueOf('language') ?? valueOf('lang'),
    publication: publicationOf([...values]),
    title: valueOf('title') ?? (heading === undefined ? undefined : withoutClosing(heading)),
    sections: splitSections(body.slice(top.length)),
  }
}

export function splitSections(body: string): ArticleSection[] {
  let lines: string[] = []
  const sections = [{ heading: '', lines }]
  const begin = (heading: string): void => void sections.push({ heading, lines: (lines = []) })
  let fence = ''
  for (const line of body.split('\n')) {
    const [, mark = ''] = /^\s*(`{3,}(?!.*`)|~{3,})/.exec(line) ?? []
    if (mark !== '' && mark.startsWith(fence)) fence = fence === '' ? mark : ''
    const [, heading] = fence === '' ? (/^## +(.*)/.exec(line) ?? []) : []
    const [over = '', blank = ''] = [lines.at(-1), lines.at(-2)]
    // Code has no headings. A line alone that is underlined is one.
    if (heading !== undefined) begin(withoutClosing(heading))
    else if (fence === '' && /^-{3,}\s*$/.test(line) && /^[^\s#<>|*+-]/.test(over) && blank.trim() === '')
      begin((lines.pop() ?? '').trim())
    else lines.push(line)
  }
  return sections
    .map((section) => ({ heading: section.heading, text: section.lines.join('\n').trim() }))
    .filter(({ text }) => text !== '')
}

/** A loop removes the `##` that may close a heading: a pattern would take quadratic time. */
function withoutClosing(heading: string): string {
  const written = heading.trim()
  let end = written.length
  while (written[end - 1] === '#') end -= 1
  return written.slice(0, end).trim()
}
