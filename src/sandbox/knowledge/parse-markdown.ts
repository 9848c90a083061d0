// A Markdown article: front matter (title, category, updated), then sections under `## ` headings.
import { parse } from 'yaml'
import * as z from 'zod'
import type { Article, Section } from './article.ts'

const frontMatterSchema = z.looseObject({ title: z.string().optional(), category: z.string().optional() })

/** Throws where the front matter is not YAML of the right types, or nothing is left to answer with. */
export function parseMarkdown(slug: string, text: string): Article {
  const [, yaml = '', body = ''] = /^\uFEFF?---\r?\n(.*?)\r?\n---[ \t]*\r?\n(.*)$/s.exec(text) ?? [
    text,
    '',
    text,
  ]
  const { title, category } = frontMatterSchema.parse(parse(yaml) ?? {})
  const [heading, rest] = splitHeading(body)
  const [first, ...others] = splitSections(rest)
  if (first === undefined) throw new Error('the article has no text')
  return {
    slug,
    title: title ?? heading ?? slug,
    sections: [first, ...others],
    ...(category !== undefined && { category }),
  }
}

/** A `# ` heading on top repeats the title. */
function splitHeading(body: string): [string | undefined, string] {
  const match = /^\s*# +(.+?)\s*(?:\r?\n|$)/.exec(body)
  return match ? [match[1], body.slice(match[0].length)] : [undefined, body]
}

/** A `## ` in a fenced block of code is no heading. */
function splitSections(body: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }]
  let isFenced = false
  for (const line of body.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced
    const heading = isFenced ? undefined : /^## +(.+?)\s*#*$/.exec(line)?.[1]
    if (heading === undefined) sections.at(-1)?.lines.push(line)
    else sections.push({ heading, lines: [] })
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: lines.join('\n').trim() }))
    .filter(({ text }) => text !== '')
}
