// Reads the rows of an export of articles: CSV, a workbook, or JSON with a list of objects.
import { createRenamer, findHeaders, isOfArticles } from '../dataset/columns.ts'
import { collectMessages, excerptList, formatFault } from '../dataset/messages.ts'
import { openTable } from '../dataset/table.ts'
import { findWorkbook } from '../dataset/workbook/address.ts'
import type { Parsed } from './article.ts'
import { isHtml, parseHtml } from './html.ts'
import { splitSections } from './markdown.ts'
import { publicationOf, saysPublication } from './publication.ts'

/** The names of each column stand in order of preference. */
const COLUMNS = {
  title: ['title', 'name', 'subject', 'question'],
  body: ['body', 'content', 'text', 'description', 'answer'],
  id: ['id'],
  url: ['url', 'html url'],
  language: ['language', 'locale', 'lang'],
} as const

export const isExport = (path: string): boolean =>
  findWorkbook(path) !== undefined || /\.(?:csv|tsv|json|jsonl|ndjson)$/i.test(path)

export interface Export {
  readonly rows: readonly { readonly place: string; readonly parsed: Parsed }[]
  readonly unread: readonly string[]
  readonly notes: readonly string[]
}

/** Throws what is wrong with the file. */
export async function readExport(path: string, column: readonly string[]): Promise<Export> {
  const renamer = createRenamer(column.filter((value) => isOfArticles(value) || value.startsWith('id=')))
  const messages = collectMessages(path)
  const isHeader = (names: readonly string[]): boolean => {
    const columns = findHeaders(names, COLUMNS)
    return columns.has('title') && columns.has('body')
  }
  const json = 'write [{ "title": …, "body": … }]'
  const table = await openTable(path, messages, { renamer, isHeader, json })
  if (table === undefined) throw new Error(messages.faults()[0]?.message ?? 'the file cannot be read')
  const { names, cells: written } = table.header
  const named = [...new Set(names.flatMap((name) => name.trim() || []))]
  const found = named.length === 0 ? 'nothing' : excerptList(named)
  const [missing] = renamer.missing()
  if (missing !== undefined) throw new Error(`no column is called so: --column ${missing} (found: ${found})`)
  const columns = findHeaders(names, COLUMNS, written)
  for (const name of ['title', 'body'] as const)
    if (!columns.has(name))
      throw new Error(`no ${name} column (found: ${found}); name it: --column ${name}=…`)
  const telling = names.flatMap((name, index) => (saysPublication(name) ? [[name, index] as const] : []))
  const rows: Export['rows'][number][] = []
  for await (const { line, cells } of table.rows) {
    const cell = (name: keyof typeof COLUMNS): string | undefined =>
      cells[columns.get(name) ?? -1]?.trim() || undefined
    const body = cell('body') ?? ''
    const parsed = {
      title: cell('title'),
      id: cell('id'),
      url: cell('url'),
      language: cell('language'),
      publication: publicationOf(telling.map(([name, index]) => [name, cells[index] ?? ''])),
      sections: isHtml(body) ? parseHtml(body).sections : splitSections(body),
    }
    rows.push({ place: messages.place(line), parsed })
  }
  const broken = messages.faults().find(({ line }) => line === undefined)
  if (broken !== undefined) throw new Error(broken.message)
  return { rows, unread: messages.faults().map(formatFault), notes: messages.warnings() }
}
