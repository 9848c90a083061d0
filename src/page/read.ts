// Reads a report page as data: the document and the conversations that it carries.
import { gunzipSync } from 'node:zlib'
import type { Document } from '../report/document.ts'
import { CONTENTS_ID, DOCUMENT_ID, turnBlockId, type PageContents, type PageData } from './store.ts'

/** Undefined for any other file, and for a page of an older version. */
export function readPage(html: string): PageData | undefined {
  const document = dataOf(html, DOCUMENT_ID)
  if (document === undefined) return undefined
  const contents = dataOf(html, CONTENTS_ID)
  const found = contents === undefined ? null : (JSON.parse(contents) as PageContents)
  return {
    document: JSON.parse(gunzipSync(Buffer.from(document, 'base64')).toString()) as Document,
    contents: found,
    turns: Array.from({ length: found?.blocks ?? 0 }, (_, index) => dataOf(html, turnBlockId(index)) ?? ''),
  }
}

function dataOf(html: string, id: string): string | undefined {
  // No data has a `<`.
  const mark = ` id="${id}">`
  const start = html.lastIndexOf(mark)
  return start === -1 ? undefined : html.slice(start + mark.length, html.indexOf('<', start + mark.length))
}
