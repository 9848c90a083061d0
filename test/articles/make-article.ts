// Articles for tests, from their texts alone.
import type { Article } from '../../src/articles/article.ts'
import { readRows } from '../support/rows.ts'

type Part = string | [heading: string, text: string]

/** `parts`: texts, or pairs of heading and text. */
export function makeArticle(id: string, title: string, ...parts: readonly Part[]): Article {
  const [first = { heading: '', text: '' }, ...others] = parts.map((part) =>
    typeof part === 'string' ? { heading: '', text: part } : { heading: part[0], text: part[1] },
  )
  return {
    id,
    title,
    sections: [first, ...others],
    url: `https://kb.example/${id}`,
    language: null,
    digest: id,
  }
}

const SETS = readRows<[set: string, id: string, title: string, ...parts: Part[]]>(
  new URL('articles.ndjson', import.meta.url),
)

/** A set of articles.ndjson. */
export const articlesOf = (name: string): Article[] =>
  SETS.flatMap(([set, id, title, ...parts]) => (set === name ? [makeArticle(id, title, ...parts)] : []))
