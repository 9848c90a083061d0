// The index of articles: their terms, what is near them, and what people taught about them.
import { mostFrequent } from '../domain/counts.ts'
import { InvertedIndex } from '../text/inverted-index.ts'
import { knownLanguage, type Language, languageOf, termsOf } from '../text/words.ts'
import type { Article } from './article.ts'
import { NearTerms, Synonyms } from './near-terms.ts'
import { TitleVectors, type Vectors } from './vectors.ts'

export interface Teaching {
  /** Each article's id has the questions that it answers: they are text of that article for the index. */
  readonly askedAs?: ReadonlyMap<string, readonly string[]>
  readonly synonyms?: readonly (readonly string[])[]
  /** Holds the articles' titles and headings, and every text that is looked up. */
  readonly vectors?: Vectors | undefined
}

/** The index reads so many characters of an article. */
export const MAX_TEXT = 100_000

export class ArticleIndex {
  readonly articles: readonly Article[]
  readonly numbers: ReadonlyMap<string, number>
  readonly language: Language | undefined
  /** An article counts as in the language of most where its own cannot be told. */
  readonly languages: readonly (Language | undefined)[]
  readonly titles = new InvertedIndex()
  readonly texts = new InvertedIndex()
  readonly meanLength: number
  readonly near: NearTerms
  readonly synonyms: Synonyms
  readonly vectors: TitleVectors | undefined

  constructor(articles: readonly Article[], { askedAs, synonyms = [], vectors }: Teaching = {}) {
    this.articles = articles
    this.numbers = new Map(articles.map(({ id }, number) => [id, number]))
    const languages = articles.map(
      (article) => knownLanguage(article.language) ?? languageOf(wholeText(article)),
    )
    this.language = mostFrequent(languages.filter((language) => language !== undefined))
    this.languages = languages.map((language) => language ?? this.language)
    const different = [...new Set(this.languages)]
    this.synonyms = new Synonyms(synonyms, (phrase) => different.map((language) => termsOf(phrase, language)))
    for (const [number, article] of articles.entries()) {
      const language = this.languages[number]
      const asked = (askedAs?.get(article.id) ?? []).flatMap((question) => this.termsOf(question))
      this.titles.add(number, this.synonyms.added(termsOf(article.title, language)))
      this.texts.add(number, this.synonyms.added([...termsOf(wholeText(article), language), ...asked]))
    }
    this.meanLength = this.texts.lengths.reduce((sum, length) => sum + length, 0) / articles.length
    this.near = new NearTerms(this.texts.terms)
    this.vectors = vectors && new TitleVectors(articles, vectors)
  }

  termsOf(text: string): string[] {
    return [...new Set(termsOf(text, languageOf(text) ?? this.language))]
  }
}

export const wholeText = ({ title, sections }: Article): string =>
  [title, ...sections.flatMap(({ heading, text }) => [heading, text])].join('\n').slice(0, MAX_TEXT)
