// Articles for tests, from their texts alone.
import type { Article } from '../../src/articles/article.ts'

/** `parts`: texts, or pairs of heading and text. */
export function makeArticle(id: string, title: string, ...parts: (string | [string, string])[]): Article {
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
