// Parses an article in Markdown: front matter, a title, sections under `## ` headings.
import { parse } from 'yaml'
import * as z from 'zod'
import type { Parsed, ArticleSection } from './article.ts'

const FRONT_MATTER = /^---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n(.*))?$/s
const OPEN_FRONT_MATTER = /^---[ \t]*\r?\n\w+:/

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String).optional().catch(undefined)
const frontMatterSchema = z
  .looseObject({
    title: z.string().optional(),
    id: scalar,
    url: scalar,
    language: scalar,
    lang: scalar,
    status: scalar,
    draft: scalar,
  })
  .nullable()

function readFrontMatter(yaml: string): Omit<Parsed, 'sections'> {
  let values: unknown
  try {
    values = parse(yaml)
  } catch (error) {
    throw new Error(`its front matter is not YAML: ${(error as Error).message.split('\n')[0]}`, {
      cause: error,
    })
  }
  const read = frontMatterSchema.safeParse(values)
  if (!read.success) throw new Error('its front matter must hold a text: title: VPN access')
  const { title, id, url, language, lang, status, draft } = read.data ?? {}
  return { title, id, url, language: language ?? lang, status: draft === 'true' ? 'draft' : status }
}

/** Throws why the front matter is invalid. The text has no byte order mark. */
export function parseMarkdown(text: string): Parsed {
  const [matter, yaml = '', rest = ''] = FRONT_MATTER.exec(text) ?? []
  if (matter === undefined && OPEN_FRONT_MATTER.test(text))
    throw new Error('its front matter has no end (---)')
  const body = matter === undefined ? text : rest
  const { title, ...values } = readFrontMatter(yaml)
  // A `# ` heading at the top is the title, not a section.
  const [top = '', heading] = /^\s*# +(.+)/.exec(body) ?? []
  return {
    ...values,
    title: title ?? (heading === undefined ? undefined : withoutClosing(heading)),
    sections: splitSections(body.slice(top.length)),
  }
}

export function splitSections(body: string): ArticleSection[] {
  const [start = '', ...others] = body.split(/^## +/m)
  const headed = others.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    return { heading: withoutClosing(heading), text: lines.join('\n') }
  })
  return [{ heading: '', text: start }, ...headed]
    .map(({ heading, text }) => ({ heading, text: text.trim() }))
    .filter(({ text }) => text !== '')
}

/** A loop removes the `##` that may close a heading: a pattern would take quadratic time. */
function withoutClosing(heading: string): string {
  const written = heading.trim()
  let end = written.length
  while (written[end - 1] === '#') end -= 1
  return written.slice(0, end).trim()
}
