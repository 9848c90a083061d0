// An article of the organization, as the rest of the harness sees it.
import type { NamedSection } from '../domain/articles.ts'

/** A heading and the text below it. */
export interface ArticleSection {
  /** Empty for the text before the first heading. */
  readonly heading: string
  /** As written, markup included. */
  readonly text: string
}

/** What an editor wrote, in sections. */
export interface Article {
  /** The path in its folder without the extension, or the `id` of an export. Unique among those read. */
  readonly id: string
  readonly title: string
  readonly sections: readonly [ArticleSection, ...ArticleSection[]]
  /** Where people read it; null without one, and for all but https. */
  readonly url: string | null
  /** As the article states it, such as `de`; null where it does not. */
  readonly language: string | null
  /** `sha256:` and hexadecimal digits, of title and text: another digest is an edited article. */
  readonly digest: string
}

/** As reports name it. */
export const nameSection = ({ id, title, url }: Article, section?: ArticleSection): NamedSection => ({
  article: id,
  title,
  section: section?.heading ?? '',
  url,
})

/** The articles of a folder or an export, and what was not read. */
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
  /** Such as `draft`, as written. */
  readonly status?: string | undefined
  readonly sections: readonly ArticleSection[]
}
