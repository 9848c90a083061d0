// An article of the organization, as the rest of the harness sees it.
import type { NamedSection } from '../domain/articles.ts'
import type { BrokenLetters } from '../text/broken-letters.ts'
import type { Publication } from './publication.ts'

export interface ArticleSection {
  /** It is empty for the text before the first heading. */
  readonly heading: string
  /** It is as written, with its markup. */
  readonly text: string
}

export interface Article {
  /** The path in its folder without the extension, or the `id` of an export, is unique among those read. */
  readonly id: string
  readonly title: string
  readonly sections: readonly [ArticleSection, ...ArticleSection[]]
  /** People read it there; null for all but https. */
  readonly url: string | null
  /** The article itself states it, such as `de`. */
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
  /** They are sorted by id. */
  readonly articles: readonly Article[]
  /** People read here which files and rows are no articles, and why. */
  readonly unread: readonly string[]
  /** People read here what needs a look, such as ten articles of one title. */
  readonly notes: readonly string[]
}

export interface Parsed {
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly url?: string | undefined
  readonly language?: string | undefined
  readonly publication?: Publication
  /** The line of its file counts from 1. */
  readonly broken?: { readonly line: number; readonly letters: BrokenLetters } | undefined
  readonly sections: readonly ArticleSection[]
}
