// Reads the organization's articles: a folder of Markdown, HTML and text files, or one export.
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { columnKey } from '../dataset/columns.ts'
import { describeBroken, excerpt, excerptList } from '../dataset/messages.ts'
import { decodeText, describeFileError } from '../dataset/text.ts'
import { findWorkbook } from '../dataset/workbook/address.ts'
import { countEach } from '../domain/counts.ts'
import { digits, listNames } from '../domain/format.ts'
import { compareTexts } from '../domain/text.ts'
import { type BrokenLetters, findBroken } from '../text/broken-letters.ts'
import type { Article, Parsed, ReadArticles } from './article.ts'
import { isContents } from './contents.ts'
import { isExport, readExport } from './export.ts'
import { parseHtml } from './html.ts'
import { parseMarkdown } from './markdown.ts'

/** The user must correct the path, a column, or a folder without an article. The message is one line. */
export class ArticlesError extends Error {
  override readonly name = 'ArticlesError'
}

export interface ArticleOptions {
  /** Values of `--column`; those for columns of question sets are ignored. */
  readonly column?: readonly string[] | undefined
  readonly mayBeEmpty?: boolean | undefined
}

interface Found {
  readonly rows: readonly {
    /** People read here the file in its folder, or the row of the export. */
    readonly place: string
    /** It counts where the article states none. */
    readonly id?: string
    /** A text says why it is no article. */
    readonly parsed: Parsed | string
  }[]
  readonly unread: readonly string[]
  readonly notes: readonly string[]
}

/** Throws ArticlesError. */
export async function readArticles(
  path: string,
  { column = [], mayBeEmpty = false }: ArticleOptions = {},
): Promise<ReadArticles> {
  const { rows, unread, notes } = await open(path, column)
  const articles = new Map<string, Article>()
  const known = new Map<string, string>()
  const leftOut: string[] = []
  const unknown: string[] = []
  const broken: { readonly at: string; readonly letters: BrokenLetters }[] = []
  for (const { place, id, parsed } of rows) {
    const article = typeof parsed === 'string' ? parsed : toArticle(parsed, id, articles)
    const same =
      typeof article === 'string'
        ? undefined
        : keysOf(article)
            .map((key) => known.get(key))
            .find(Boolean)
    if (typeof article === 'string') leftOut.push(`${place} (${article})`)
    else if (same !== undefined) leftOut.push(`${place} (the same article as ${excerpt(same)})`)
    else {
      articles.set(article.id, article)
      for (const key of keysOf(article)) known.set(key, article.id)
      if (typeof parsed === 'string') continue
      if (parsed.publication?.unknown !== undefined) unknown.push(parsed.publication.unknown)
      if (parsed.broken !== undefined)
        broken.push({ at: `${place}:${parsed.broken.line}`, letters: parsed.broken.letters })
    }
  }
  const all = [...leftOut, ...unread]
  if (articles.size === 0 && !mayBeEmpty) {
    const found = all.length === 0 ? 'it is empty' : `not read: ${all.slice(0, 3).join(', ')}`
    throw new ArticlesError(`${path} contains no article (${found}${all.length > 3 ? ', …' : ''})`)
  }
  const sorted = [...articles.values()].sort((one, other) => compareTexts(one.id, other.id))
  const [first] = broken
  const mojibake = first ? [`${first.at}: ${describeBroken(first.letters, 'files', broken.length)}`] : []
  return { articles: sorted, unread: all, notes: [...notes, ...mojibake, ...notesOn(sorted, unknown)] }
}

/** Two files, or two rows, with one of these are one article, whatever their markup. */
function keysOf({ title, url, sections, language }: Article): string[] {
  const name = columnKey(title)
  const texts = sections.flatMap(({ heading, text }) => [columnKey(heading), columnKey(text)])
  const content = texts.filter((text) => text !== name).join('')
  const address = url === null ? [] : [JSON.stringify([url, name, language])]
  return [
    ...address,
    createHash('sha256')
      .update(JSON.stringify([name, content]))
      .digest('hex'),
  ]
}

function toArticle(
  { id, title, url, language, publication = {}, sections }: Parsed,
  fallback: string | undefined,
  known: ReadonlyMap<string, Article>,
): Article | string {
  if (publication.unpublished !== undefined) return `not published: ${publication.unpublished}`
  const [first, ...others] = sections
  if (first === undefined) return 'it has no text'
  const name = title ?? fallback
  if (name === undefined) return 'it has no title'
  const stated = id ?? fallback ?? name
  // An article in two languages has one id in most exports.
  const unique = known.has(stated) && language !== undefined ? `${stated} (${language})` : stated
  if (known.has(unique)) return `another article has the id ${excerpt(unique)}, too`
  const text = sections.flatMap((section) => [section.heading, section.text])
  return {
    id: unique,
    title: name,
    sections: [first, ...others],
    url: url !== undefined && /^https:/i.test(url) && URL.canParse(url) ? new URL(url).href : null,
    language: language ?? null,
    digest: `sha256:${createHash('sha256')
      .update(JSON.stringify([name, ...text]))
      .digest('hex')}`,
  }
}

/** More of one title are copies or placeholders: a gap's nearest article could be any of them. */
const MAX_OF_ONE_TITLE = 9
/** A text of about 150,000 words is no article, but a book, which is near to every question. */
const MAX_CHARACTERS = 1_000_000

function notesOn(articles: readonly Article[], statuses: readonly string[]): string[] {
  const repeated = [...countEach(articles.map(({ title }) => title))]
    .filter(([, count]) => count > MAX_OF_ONE_TITLE)
    .sort(([, some], [, other]) => other - some)
  const [most] = repeated
  const long = articles.filter(
    ({ sections }) => sections.reduce((sum, { text }) => sum + text.length, 0) > MAX_CHARACTERS,
  )
  const unknown = [...countEach(statuses)].map(([status, count]) => `${excerpt(status)} ${digits(count)}`)
  return [
    ...(unknown.length === 0
      ? []
      : [
          `articles with a status that is not known, and are read: ${listNames(unknown)}; ` +
            'if readers do not see them, leave them out of the export',
        ]),
    ...(most === undefined
      ? []
      : [
          `${digits(most[1])} articles have the title ${excerpt(most[0])}` +
            `${repeated.length === 1 ? '' : `, and ${digits(repeated.length - 1)} more titles repeat`}; ` +
            'a title of its own makes each easier to find',
        ]),
    ...(long.length === 0
      ? []
      : [
          `longer than ${digits(MAX_CHARACTERS)} characters: ${excerptList(long.map(({ id }) => id))}; ` +
            'an article of this length seems close to every question: split it',
        ]),
  ]
}

async function open(path: string, column: readonly string[]): Promise<Found> {
  try {
    const stats = await stat(findWorkbook(path)?.file ?? path)
    if (stats.isDirectory()) return { rows: await readFolder(path), unread: [], notes: [] }
    if (stats.isFile() && isExport(path)) return await readExport(path, column)
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
    const what = isMissing ? 'no such file or folder' : (describeFileError(error) ?? (error as Error).message)
    throw new ArticlesError(`${path}: ${what}`, { cause: error })
  }
  throw new ArticlesError(`${path} is not a folder of articles, nor an export: .csv, .xlsx or .json`)
}

const FILE = /\.(?:mdx?|markdown|html?|txt)$/i

/** So many files are read at a time: enough to keep the disk busy. */
const BATCH = 64

/** Reads the subfolders, too, except hidden files and folders. */
async function readFolder(path: string): Promise<Found['rows']> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => file !== 'synonyms.txt' && !file.split('/').some((name) => name.startsWith('.')))
    .sort()
    // Other files come last: a list of what was not read may be cut.
    .sort((one, other) => Number(FILE.test(other)) - Number(FILE.test(one)))
  const names = new Set(files)
  const rows: Found['rows'][number][] = []
  for (let from = 0; from < files.length; from += BATCH)
    rows.push(
      ...(await Promise.all(
        files.slice(from, from + BATCH).map(async (file) => {
          const parsed = await readFileOf(path, file, names).catch(
            (error: NodeJS.ErrnoException): string => error.code ?? error.message,
          )
          return { place: file, id: file.replace(FILE, ''), parsed }
        }),
      )),
    )
  return rows
}

/** Throws why the file is no article. */
async function readFileOf(folder: string, file: string, files: ReadonlySet<string>): Promise<Parsed> {
  const name = file.slice(file.lastIndexOf('/') + 1)
  if (!FILE.test(name)) throw new Error('not Markdown, HTML or text')
  if (/^readme\./i.test(name)) throw new Error('a README is for editors')
  if (name.startsWith('_')) throw new Error('a draft: its name begins with _')
  const content = await readFile(join(folder, file))
  const isUtf16 = /^(?:\u00ff\u00fe|\u00fe\u00ff)/.test(content.toString('latin1', 0, 2))
  if (!isUtf16 && content.includes(0)) throw new Error('not text; save it as UTF-8')
  const text = await decodeText(content)
  const letters = findBroken(text)
  const broken = letters && { line: text.slice(0, letters.index).split('\n').length, letters }
  const parse = /\.html?$/i.test(name)
    ? parseHtml
    : /\.txt$/i.test(name)
      ? parseText
      : (markdown: string) => parseMarkdown(markdown, /\.mdx$/i.test(name))
  if (isContents(file, text, files, parse)) throw new Error('a table of contents')
  return { ...parse(text), broken }
}

/** The first line of a text is its title where a blank line follows. */
function parseText(text: string): Parsed {
  const [title = '', blank = '', ...rest] = text.trim().split('\n')
  const isTitled = rest.length > 0 && blank.trim() === '' && title.trim().length <= MAX_TITLE
  const body = isTitled ? rest.join('\n').trim() : text.trim()
  return {
    title: isTitled ? title.trim() : undefined,
    sections: body === '' ? [] : [{ heading: '', text: body }],
  }
}

/** A longer line is a paragraph. */
const MAX_TITLE = 120
