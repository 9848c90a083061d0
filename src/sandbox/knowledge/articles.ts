// What the assistant knows: Markdown articles in sections, read from a folder.
import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod'

export interface Section {
  /** Empty for text before the first heading. */
  readonly heading: string
  readonly text: string
}

export interface Article {
  /** Unique in its knowledge base: the file's path without `.md`. */
  readonly slug: string
  readonly title: string
  readonly category?: string
  /** Never empty. */
  readonly sections: readonly [Section, ...Section[]]
}

/** Throws an error that names the file and what is wrong with it. Articles come in the order of their slugs. */
export async function loadKnowledgeBase(path: string): Promise<Article[]> {
  const entries = await listFolder(path)
  const files = entries
    .filter((entry) => entry.isFile() && isArticle(entry.name))
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
  return Promise.all(
    files.map(async (file) =>
      inFile(join(path, file), async () =>
        parseMarkdown(file.slice(0, -'.md'.length), await readFile(join(path, file), 'utf8')),
      ),
    ),
  )
}

async function listFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { recursive: true, withFileTypes: true })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    throw new Error(`${path} is no folder`, { cause: error })
  }
}

/** A folder's README speaks to its editors. Names with a leading dot or underscore are drafts and editors' files. */
const isArticle = (name: string): boolean => /^[^._].*\.md$/.test(name) && name.toLowerCase() !== 'readme.md'

async function inFile<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error })
  }
}

// A Markdown article: front matter (title, category, updated), then sections under `## ` headings.
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
