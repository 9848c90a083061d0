// An article of the organization, as the rest of the harness sees it.
import type { NamedSection } from '../domain/articles.ts'

/** A heading and the text below it. */
export interface ArticleSection {
  /** Empty for the text before the first heading. */
  readonly heading: string
  /** It is as written, with its markup. */
  readonly text: string
}

/** An editor wrote it in sections. */
export interface Article {
  /** The path in its folder without the extension, or the `id` of an export. Unique among those read. */
  readonly id: string
  readonly title: string
  readonly sections: readonly [ArticleSection, ...ArticleSection[]]
  /** People read it here; null for all but https. */
  readonly url: string | null
  /** The language that the article states, such as `de`. */
  readonly language: string | null
  /** `sha256:` and hexadecimal digits over title and text: another digest is an edited article. */
  readonly digest: string
}

export const nameSection = ({ id, title, url }: Article, section?: ArticleSection): NamedSection => ({
  article: id,
  title,
  section: section?.heading ?? '',
  url,
})

export interface ReadArticles {
  /** Sorted by id. */
  readonly articles: readonly Article[]
  /** Files and rows that are no articles, and why: for people. */
  readonly unread: readonly string[]
  /** What was read, but needs a look, such as ten articles of one title: for people. */
  readonly notes: readonly string[]
}

/** What a file or a row says, before it counts as an article. */
export interface Parsed {
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly url?: string | undefined
  readonly language?: string | undefined
  readonly status?: string | undefined
  readonly sections: readonly ArticleSection[]
}
