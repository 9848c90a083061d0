// The knowledge base made searchable: BM25 over sections, and how much each article is about each term.
import MiniSearch from 'minisearch'
import type { Article, Section } from './article.ts'
import { isTopic, splitWords, termOf, termsOf } from './words.ts'

export interface Place {
  readonly article: Article
  readonly section: Section
}

export interface SectionProfile {
  readonly section: Section
  readonly headingTerms: ReadonlySet<string>
  /** How often heading and text have each term. */
  readonly counts: ReadonlyMap<string, number>
}

export interface SearchIndex {
  readonly articles: readonly Article[]
  readonly sections: (article: Article) => readonly SectionProfile[]
  /** BM25 of the sections that share a term with the query, best first; equal ones in the order of the articles. */
  readonly search: (terms: readonly string[]) => readonly (Place & { readonly score: number })[]
  /** How much a term tells of a topic, from 0.3 (it is everywhere) to 1 (hardly anywhere). */
  readonly weight: (term: string) => number
  /** How much an article is about a term, from 0 to 1 (it is in the title). */
  readonly salience: (article: Article, term: string) => number
  /** The first topic of the title: what the article is about before all. */
  readonly head: (article: Article) => string | undefined
  /** How clearly a term names an article rather than another, from 0 to 1 (only its title has the term). */
  readonly naming: (article: Article, term: string) => number
}

/** Keeps weights sensible in a knowledge base of a few articles: as if so many more said nothing to the point. */
const BACKGROUND_ARTICLES = 10
const LEAST = 0.3
const UNKNOWN = 1
const HEADING = 0.8

export function buildIndex(articles: readonly Article[]): SearchIndex {
  const places: Place[] = articles.flatMap((article) =>
    article.sections.map((section) => ({ article, section })),
  )
  const engine = new MiniSearch<{ id: number; title: string; heading: string; text: string }>({
    fields: ['title', 'heading', 'text'],
    tokenize: splitWords,
    processTerm: (word) => termOf(word) ?? null,
    searchOptions: {
      boost: { title: 3, heading: 2 },
      tokenize: (text) => text.split(' '),
      processTerm: (term) => term,
    },
  })
  engine.addAll(
    places.map(({ article, section }, id) => ({
      id,
      title: article.title,
      heading: section.heading,
      text: section.text,
    })),
  )

  const sections = new Map(articles.map((article) => [article, article.sections.map(profileSection)]))
  const profiles = new Map([...sections].map(([article, own]) => [article, profileArticle(article, own)]))
  const saliences = new Map<string, number[]>()
  for (const profile of profiles.values()) {
    for (const [term, salience] of profile) saliences.set(term, [...(saliences.get(term) ?? []), salience])
  }
  const total = articles.length + BACKGROUND_ARTICLES
  const inverseFrequency = (count: number): number => Math.log(1 + (total - count + 0.5) / (count + 0.5))
  const salienceOf = (article: Article, term: string): number => profiles.get(article)?.get(term) ?? 0

  return {
    articles,
    sections: (article) => sections.get(article) ?? [],
    search: (terms) =>
      engine
        .search(terms.join(' '))
        .sort((one, other) => other.score - one.score || one.id - other.id)
        .flatMap(({ id, score }) => {
          const place = places[id as number]
          return place ? [{ ...place, score }] : []
        }),
    weight(term) {
      const count = saliences.get(term)?.length
      return count === undefined
        ? UNKNOWN
        : LEAST + (1 - LEAST) * (inverseFrequency(count) / inverseFrequency(1))
    },
    head: ({ title }) => splitWords(title).filter(isTopic).map(termOf)[0],
    salience: salienceOf,
    naming(article, term) {
      const salience = salienceOf(article, term)
      const rivals = saliences.get(term)?.filter((one) => one >= salience).length ?? 1
      const share = salience === 1 ? 1 : salience >= HEADING ? 0.5 : 0.25
      return salience === 0 ? 0 : share / Math.sqrt(rivals)
    },
  }
}

function profileSection(section: Section): SectionProfile {
  const headingTerms = new Set(termsOf(section.heading))
  const counts = new Map<string, number>()
  for (const term of [...headingTerms, ...termsOf(section.text)])
    counts.set(term, (counts.get(term) ?? 0) + 1)
  return { section, headingTerms, counts }
}

/** Title 1, heading 0.8, text by how often, never more than a heading. */
function profileArticle({ title }: Article, sections: readonly SectionProfile[]): Map<string, number> {
  const profile = new Map<string, number>()
  for (const { counts } of sections) {
    for (const [term, count] of counts) profile.set(term, (profile.get(term) ?? 0) + count)
  }
  for (const [term, count] of profile) profile.set(term, (0.75 * count) / (count + 0.5))
  for (const { headingTerms } of sections) for (const term of headingTerms) profile.set(term, HEADING)
  for (const term of termsOf(title)) profile.set(term, 1)
  return profile
}
