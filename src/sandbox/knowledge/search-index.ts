// The knowledge base made searchable: BM25 over sections, and what a term tells of the articles that have it.
import MiniSearch from 'minisearch'
import type { Article } from './article.ts'
import { IN_HEADING, IN_TITLE, profileArticle, type ArticleProfile } from './profile.ts'
import { splitWords, termOf } from './words.ts'

export interface SearchIndex {
  /** Of an article of this index. */
  readonly profile: (article: Article) => ArticleProfile
  readonly findArticle: (slug: string) => Article | undefined
  readonly size: number
  /** Articles that share a term with the query, each with the BM25 score of its best section. */
  readonly search: (terms: readonly string[]) => ReadonlyMap<Article, number>
  /** How much a term tells of a topic, from 0.3 (it is everywhere) to 1 (at most one article has it). */
  readonly weight: (term: string) => number
  /** How clearly a term names an article rather than another, from 0 to 1 (only its title has the term). */
  readonly naming: (article: Article, term: string) => number
}

/** Keeps weights sensible in a knowledge base of a few articles: as if so many more said nothing to the point. */
const BACKGROUND_ARTICLES = 10
const LEAST_WEIGHT = 0.3

export function buildIndex(articles: readonly Article[]): SearchIndex {
  const profiles = new Map(articles.map((article) => [article, profileArticle(article)]))
  /** Of each term, in all articles that have it. */
  const saliences = new Map<string, number[]>()
  for (const { salience } of profiles.values()) {
    for (const [term, value] of salience) saliences.set(term, [...(saliences.get(term) ?? []), value])
  }
  const total = articles.length + BACKGROUND_ARTICLES
  const rarity = (count: number): number => Math.log(1 + (total - count + 0.5) / (count + 0.5))
  const weights = new Map(
    [...saliences].map(([term, { length }]) => [
      term,
      LEAST_WEIGHT + (1 - LEAST_WEIGHT) * (rarity(length) / rarity(1)),
    ]),
  )
  const profile = (article: Article): ArticleProfile => profiles.get(article) ?? profileArticle(article)

  return {
    profile,
    findArticle: (slug) => articles.find((article) => article.slug === slug),
    size: articles.length,
    search: openEngine(articles),
    weight: (term) => weights.get(term) ?? 1,
    naming(article, term) {
      const own = profile(article).salience.get(term)
      if (own === undefined) return 0
      const rivals = saliences.get(term)?.filter((value) => value >= own).length ?? 1
      return (own === IN_TITLE ? 1 : own >= IN_HEADING ? 0.5 : 0.25) / Math.sqrt(rivals)
    },
  }
}

function openEngine(articles: readonly Article[]): SearchIndex['search'] {
  const sections = articles.flatMap((article) =>
    article.sections.map(({ heading, text }) => ({ article, title: article.title, heading, text })),
  )
  const engine = new MiniSearch<{ id: number; title: string; heading: string; text: string }>({
    fields: ['title', 'heading', 'text'],
    tokenize: splitWords,
    processTerm: (word) => termOf(word) ?? null,
    // A query comes as terms already.
    searchOptions: {
      boost: { title: 3, heading: 2 },
      tokenize: (text) => text.split(' '),
      processTerm: (term) => term,
    },
  })
  engine.addAll(sections.map((section, id) => ({ ...section, id })))
  return (terms) => {
    const best = new Map<Article, number>()
    for (const { id, score } of engine.search(terms.join(' '))) {
      const article = sections[id as number]?.article
      if (article) best.set(article, Math.max(score, best.get(article) ?? 0))
    }
    return best
  }
}
