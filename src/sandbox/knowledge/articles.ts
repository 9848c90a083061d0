// The knowledge base: Markdown articles in sections, read from a folder.
import { isUtf8 } from 'node:buffer'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import iconv from 'iconv-lite'
import { parse } from 'yaml'
import * as z from 'zod'

export interface Section {
  /** Empty for the text before the first heading. */
  readonly heading: string
  readonly text: string
}

export interface Article {
  /** Path of the file in the folder, without its extension. */
  readonly slug: string
  readonly title: string
  readonly sections: readonly [Section, ...Section[]]
}

export interface KnowledgeBase {
  /** Sorted by slug. */
  readonly articles: readonly Article[]
  /** Files that are no articles, and why: for people. */
  readonly unread: readonly string[]
}

const MARKDOWN = /\.(?:md|markdown)$/i

/** Reads a folder and its subfolders, except hidden files and folders. Throws if `path` is not a folder. */
export async function loadKnowledgeBase(path: string): Promise<KnowledgeBase> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new Error(`${path} is not a folder`, { cause: error })
  })
  const files = entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !file.split('/').some((name) => name.startsWith('.')))
    .sort()
    // Other files come last: a list of what was not read may be cut.
    .sort((one, other) => Number(MARKDOWN.test(other)) - Number(MARKDOWN.test(one)))
  const articles = new Map<string, Article>()
  const unread: string[] = []
  for (const file of files) {
    try {
      const article = await readArticle(path, file)
      if (articles.has(article.slug)) throw new Error(`another file is named ${article.slug}, too`)
      articles.set(article.slug, article)
    } catch (error) {
      unread.push(`${file} (${reasonOf(error)})`)
    }
  }
  return { articles: [...articles.values()], unread }
}

/** Throws why the file is no article. */
async function readArticle(folder: string, file: string): Promise<Article> {
  const name = file.slice(file.lastIndexOf('/') + 1)
  if (!MARKDOWN.test(name)) throw new Error('not Markdown')
  if (/^readme\./i.test(name)) throw new Error('a README is for editors')
  if (name.startsWith('_')) throw new Error('a draft: its name begins with _')
  return parseMarkdown(file.replace(MARKDOWN, ''), decode(await readFile(join(folder, file))))
}

const reasonOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? (error as Error).message

/** By byte order mark, else UTF-8 if valid, else Windows-1252, as question sets are read. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return iconv.decode(bytes, 'utf-16le')
  if (first === 0xfe && second === 0xff) return iconv.decode(bytes, 'utf-16be')
  if (bytes.includes(0)) throw new Error('not text; save it as UTF-8')
  return iconv.decode(bytes, isUtf8(bytes) ? 'utf-8' : 'windows-1252')
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n(.*))?$/s
/** Front matter without its end. */
const OPEN_FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n\w+:/
const frontMatterSchema = z.looseObject({ title: z.string().optional() }).nullable()

/** Throws what is wrong with it. */
function readTitle(yaml: string): string | undefined {
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
  return read.data?.title
}

/**
 * Parses optional front matter with a title, then sections under `## ` headings. Throws if the front matter
 * is invalid or the article has no text.
 */
export function parseMarkdown(slug: string, text: string): Article {
  const [matter, yaml = '', rest = ''] = FRONT_MATTER.exec(text) ?? []
  if (matter === undefined && OPEN_FRONT_MATTER.test(text))
    throw new Error('its front matter has no end (---)')
  const body = matter === undefined ? text.replace(/^\uFEFF/, '') : rest
  const title = readTitle(yaml)
  // A `# ` heading at the top is the title, not a section.
  const [top = '', heading] = /^\s*# +(.+?)\s*(?:\r?\n|$)/.exec(body) ?? []
  const [first, ...others] = splitSections(body.slice(top.length))
  if (first === undefined) throw new Error('it has no text')
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
