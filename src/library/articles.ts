// The organization's own articles, of `--articles` or of the sandbox, that answers are held against.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Taught } from '../analysis/articles/consult.ts'
import type { RunArticles } from '../analysis/comparing/judged-run.ts'
import type { Article } from '../articles/article.ts'
import { readDecisions } from '../dataset/decisions.ts'
import { collectMessages } from '../dataset/messages.ts'
import { openTable } from '../dataset/table.ts'
import { decodeText, describeFileError } from '../dataset/text.ts'
import type { ArticleRecord, WholeArticle } from '../domain/articles.ts'
import { listNames, plural } from '../domain/format.ts'
import { faultsError, optionError, UsageError } from '../options/faults.ts'
import { ARTICLE_COLUMNS } from '../report/tables.ts'
import { runFolder, type RunFolder } from '../store/folder.ts'
import { readManifest, requireRun } from '../store/manifest.ts'
import { readEmbeddings, tryVectors, VECTORS_FILE } from './embeddings.ts'
import { type Ports, SHIPPED_KNOWLEDGE_BASE } from './ports.ts'
import type { RecordedRun, RunRecord } from './recorded-run.ts'

/** Reads `--articles`, and says what was not read. Throws UsageError if there is nothing to read. */
export async function openArticles(
  path: string,
  { column }: { readonly column?: readonly string[] | undefined },
  note: (text: string) => void,
): Promise<readonly Article[]> {
  const { ArticlesError, readArticles } = await import('../articles/read.ts')
  try {
    const read = await readArticles(path, { column })
    const unread = read.unread.length === 0 ? '' : `; not read: ${listNames(read.unread)}`
    note(`${plural(read.articles.length, 'article')} read from ${path}${unread}`)
    for (const text of read.notes) note(`--articles ${path}: ${text}`)
    return read.articles
  } catch (error) {
    throw error instanceof ArticlesError ? optionError('articles', error.message) : error
  }
}

interface TaughtFiles {
  readonly synonyms?: string | null | undefined
  readonly decisions?: string | null | undefined
  /** Names the articles that synonyms lie in or beside. */
  readonly articles?: string | undefined
  /** Names the run folder that decisions lie beside. */
  readonly run?: string
}

export async function readTaught({ synonyms, decisions, articles, run }: TaughtFiles): Promise<Taught> {
  const find = (...paths: readonly string[]): string | undefined => paths.find((path) => existsSync(path))
  const beside = articles === undefined ? [] : [articles, dirname(articles)]
  const words = synonyms ?? find(...beside.map((folder) => join(folder, 'synonyms.txt')))
  const files = decisions ? [decisions] : run === undefined ? [] : decisionFiles(run)
  const read = await readDecisions(...files)
  if (read.faults.length > 0) throw faultsError(read.faults, 'sent or written')
  return { decisions: read.decisions, synonyms: words === undefined ? [] : await readSynonyms(words) }
}

/** Reads what the run was taught, but for files that are named anew. */
export async function taughtOf(
  { path, manifest: { options } }: RunRecord,
  articles: string | undefined,
  { synonyms, decisions }: TaughtFiles,
): Promise<Taught> {
  const recorded = (file: string | null) => file && join(path, file)
  return readTaught({
    synonyms: synonyms ?? recorded(options.synonyms),
    decisions: decisions ?? recorded(options.decisions),
    articles,
    run: path,
  })
}

/** Those of a nightly run in a folder of its own may lie beside that folder. */
export function decisionFiles(run: string): string[] {
  const parent = dirname(resolve(run))
  return [dirname(parent), parent]
    .map((folder) => join(folder, 'decisions.csv'))
    .filter((path) => existsSync(path))
}

/** Reads a group a line, its words and phrases separated by commas. */
async function readSynonyms(path: string): Promise<string[][]> {
  try {
    return (await decodeText(readFileSync(path)))
      .split('\n')
      .map((line) => line.split(/[,;]/).flatMap((word) => word.trim() || []))
      .filter((group) => group.length > 1)
  } catch (error) {
    throw optionError('synonyms', `${path}: ${describeFileError(error) ?? String(error)}`)
  }
}

export function knowledgeBaseOf({ path, manifest }: RunRecord): string | undefined {
  const { sandbox, knowledgeBase } = manifest.target
  if (!sandbox) return undefined
  return knowledgeBase === undefined ? SHIPPED_KNOWLEDGE_BASE : join(path, knowledgeBase)
}

export function articlesPath(run: RunRecord): string | undefined {
  const { articles } = run.manifest.options
  return articles === null ? knowledgeBaseOf(run) : join(run.path, articles)
}

/** Reads the run's articles as they are now; tells `missing` where they are gone. */
export async function articlesOf(
  run: RunRecord,
  missing: (text: string) => void,
): Promise<readonly Article[] | undefined> {
  const { options } = run.manifest
  const path = articlesPath(run)
  if (path === undefined) return undefined
  const { ArticlesError, readArticles } = await import('../articles/read.ts')
  try {
    // A sandbox may answer from an empty folder.
    const reading = { column: options.column, mayBeEmpty: options.articles === null }
    const { articles } = await readArticles(path, reading)
    return articles.length === 0 ? undefined : articles
  } catch (error) {
    if (!(error instanceof ArticlesError)) throw error
    missing(`The articles cannot be read: ${error.message}.`)
    return undefined
  }
}

/** Reads the run's `articles.csv`, and leaves out rows that cannot be read. */
export async function recordedArticles({ articles }: RunFolder): Promise<ArticleRecord[] | undefined> {
  if (!existsSync(articles)) return undefined
  const table = await openTable(articles, collectMessages(articles), { isDefused: () => true })
  if (table === undefined) return []
  const records: ArticleRecord[] = []
  const indexes = ARTICLE_COLUMNS.map(([name]) => table.header.cells.indexOf(name))
  for await (const { cells } of table.rows) {
    const [article = '', title = '', url = '', digest = '', ...others] = indexes.map(
      (index) => cells[index] ?? '',
    )
    const [answered = 0, gaps = 0, unsupported = 0] = others.slice(0, 3).map(Number)
    const counts = { answered, gaps, unsupported }
    const [contradicts, questions] = others.slice(3).map((ids) => ids.split(';').filter((id) => id !== ''))
    const lists = { contradicts: contradicts ?? [], ...(questions?.[0] === undefined ? {} : { questions }) }
    records.push({ article, title, url: url === '' ? null : url, digest, ...counts, ...lists })
  }
  return records
}

export const articlesOfRun = async (path: string): Promise<readonly ArticleRecord[]> =>
  (await recordedArticles(runFolder(path))) ?? []

export async function wholeArticle(path: string, id: string): Promise<WholeArticle> {
  const folder = runFolder(path)
  const run = { path, folder, manifest: requireRun(readManifest(folder), path, 'has no articles') }
  const notes: string[] = []
  const record = (await recordedArticles(folder))?.find(({ article }) => article === id)
  const now = await articlesOf(run, (text) => void notes.push(text))
  const article = now?.find((candidate) => candidate.id === id)
  const { visibleSections } = await import('../analysis/articles/consult.ts')
  if (article === undefined && notes.length === 0) notes.push('This article is gone since the run.')
  else if (article !== undefined && record !== undefined && article.digest !== record.digest)
    notes.push('This article was edited after the run: its answers are held against the older text.')
  return {
    title: article?.title ?? record?.title ?? id,
    sections: article ? visibleSections(article) : [],
    note: notes.join(' '),
  }
}

/** Reads what a run is held against; `areGiven` leaves out articles that an earlier report recorded. */
export async function openRunArticles(
  run: RecordedRun,
  areGiven: boolean,
  ports: Ports,
  missing: (text: string) => void,
): Promise<RunArticles | undefined> {
  const { path, manifest, model } = run
  const { options } = manifest
  const articles = await articlesOf(run, missing)
  if (articles === undefined) return undefined
  const recorded = areGiven ? undefined : await recordedArticles(run.folder)
  const taught = await taughtOf(run, articlesPath(run), {}).catch((error: unknown): Taught => {
    if (!(error instanceof UsageError)) throw error
    missing(`Synonyms and decisions do not count: ${error.message}.`)
    return {}
  })
  // The address was checked before the first call.
  const embedding = { ...options, allowHttp: true }
  const endpoint = readEmbeddings(embedding, ports)
  const cache = join(path, '..', VECTORS_FILE)
  const questions = model.questions.flatMap((question) => question?.message ?? [])
  const vectors = await tryVectors(endpoint, cache, { articles, questions }, (text) => missing(`${text}.`))
  const { indexArticles } = await import('../analysis/articles/consult.ts')
  const indexes = indexArticles(articles, { ...taught, vectors })
  const { unknown } = indexes.decisions
  if (unknown.length > 0)
    missing(`Decisions name articles that do not exist, and do not count: ${listNames(unknown)}.`)
  return { articles, indexes, recorded }
}
