// The knowledge base: Markdown articles in sections, read from a folder.
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod'

export interface Section {
  /** Empty for the text before the first heading. */
  readonly heading: string
  readonly text: string
}

export interface Article {
  /** Path of the file in the folder, without `.md`. */
  readonly slug: string
  readonly title: string
  readonly sections: readonly [Section, ...Section[]]
}

/** The articles, sorted by slug. Throws an error that names the file and the problem. */
export async function loadKnowledgeBase(path: string): Promise<Article[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new Error(`${path} is not a folder`, { cause: error })
  })
  const files = entries
    .filter((entry) => entry.isFile() && isArticle(entry.name))
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
  return Promise.all(
    files.map(async (file) => {
      const place = join(path, file)
      try {
        return parseMarkdown(file.slice(0, -'.md'.length), await readFile(place, 'utf8'))
      } catch (error) {
        throw new Error(`${place}: ${(error as Error).message}`, { cause: error })
      }
    }),
  )
}

/** Excludes READMEs, which are for editors, and names that start with a dot or an underscore (drafts). */
const isArticle = (name: string): boolean => /^[^._].*\.md$/.test(name) && name.toLowerCase() !== 'readme.md'

const FRONT_MATTER = /^\uFEFF?---\r?\n(.*?)\r?\n---[ \t]*\r?\n(.*)$/s
const frontMatterSchema = z.looseObject({ title: z.string().optional() })

/**
 * Parses optional front matter with a title, then sections under `## ` headings. Throws if the front matter is
 * invalid or the article has no text.
 */
export function parseMarkdown(slug: string, text: string): Article {
  const [, yaml = '', body = text] = FRONT_MATTER.exec(text) ?? []
  const { title } = frontMatterSchema.parse(parse(yaml) ?? {})
  // A `# ` heading at the top is the title, not a section.
  const [top = '', heading] = /^\s*# +(.+?)\s*(?:\r?\n|$)/.exec(body) ?? []
  const [first, ...others] = splitSections(body.slice(top.length))
  if (first === undefined) throw new Error('the article has no text')
  return { slug, title: title ?? heading ?? slug, sections: [first, ...others] }
}

function splitSections(body: string): Section[] {
  const [start = '', ...others] = body.split(/^## +/m)
  const headed = others.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    return { heading: heading.replace(/\s*#*\s*$/, ''), text: lines.join('\n') }
  })
  return [{ heading: '', text: start }, ...headed]
    .map(({ heading, text }) => ({ heading, text: text.trim() }))
    .filter(({ text }) => text !== '')
}
