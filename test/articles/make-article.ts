// Articles for tests, from their texts alone.
import type { Article, ArticleSection } from '../../src/articles/article.ts'

/** `parts`: texts, or pairs of heading and text. */
export function makeArticle(
  id: string,
  title: string,
  ...parts: readonly [string | [string, string], ...(string | [string, string])[]]
): Article {
  const [first, ...others] = parts.map((part): ArticleSection =>
    typeof part === 'string' ? { heading: '', text: part } : { heading: part[0], text: part[1] },
  )
  const sections = [first ?? { heading: '', text: '' }, ...others] as const
  return { id, title, sections, url: `https://kb.example/${id}`, language: null, digest: id }
}
