// Finds the article and the section that answer a question, by BM25 over title, headings and text.
import MiniSearch from 'minisearch'
import type { Article, Section } from '../../articles/article.ts'
import { questionTerms, splitWords, termOf, termsOf } from './words.ts'

export interface Hit {
  readonly article: Article
  /** How well the article fits the question, in [0, 1). */
  readonly fit: number
  /**
   * Whether the match is unlikely to be chance: several words match, or one that occurs in no other title, or
   * the question's only topic word matches the title and no other article fits nearly as well.
   */
  readonly isSignificant: boolean
}

export type SearchIndex = ReturnType<typeof buildIndex>

const BOOST = { title: 3, headings: 2 }
const BM25 = { k: 1.2, b: 0.3, d: 0.3 }
/** Small talk has some weight: "a company phone" is closer to "Company phones" than "my phone". */
const SMALL_TALK_BOOST = 0.2
/** Normalized score at which the fit is 0.5. */
const HALF_FIT = 1.45
/** Deducted from the fit of a single matching word, which may be chance. */
const SINGLE_WORD_PENALTY = 0.03
/** Lead over the second-best article that a single matching word needs, as a share of the best score. */
const MIN_LEAD = 0.1
const LAST_SENTENCES = 5
/** Weight of a term in the heading, relative to one in the text. */
const HEADING_WEIGHT = 3

export function buildIndex(articles: readonly Article[]) {
  const byId = new Map(articles.map((article) => [article.id, article]))
  const byTitle = new Map(articles.toReversed().map((article) => [titleKey(article.title), article]))
  const engine = new MiniSearch<{ id: string; title: string; headings: string; text: string }>({
    fields: ['title', 'headings', 'text'],
    tokenize: splitWords,
    processTerm: (word) => termOf(word) ?? null,
    // Queries are already terms.
    searchOptions: {
      tokenize: (text) => text.split(' '),
      processTerm: (term) => term,
      boost: BOOST,
      bm25: BM25,
    },
  })
  engine.addAll(
    articles.map(({ id, title, sections }) => ({
      id,
      title,
      headings: sections.map(({ heading }) => heading).join('\n'),
      text: sections.map(({ text }) => text).join('\n'),
    })),
  )
  /** Inverse document frequency of a word that occurs in one article, as BM25 computes it. */
  const maxIdf = Math.log(1 + (articles.length - 0.5) / 1.5)

  const search = (message: string): Hit[] => {
    const { topic, smallTalk } = questionTerms(message)
    const words = Math.max(1, topic.size)
    const results = engine
      .search([...topic, ...smallTalk].join(' '), {
        boostTerm: (term) => (topic.has(term) ? 1 : SMALL_TALK_BOOST),
      })
      .map(({ id, score, queryTerms, match }) => {
        const found = queryTerms.filter((term) => topic.has(term))
        return {
          id: id as string,
          matched: found.length,
          inTitle: found.filter((term) => match[term]?.includes('title')),
          // MiniSearch multiplies by the number of words found; here each missing word lowers the score.
          score: (score / queryTerms.length / (words * maxIdf)) * (found.length / words),
        }
      })
      .sort((one, other) => other.score - one.score)
    const titles = results.flatMap(({ inTitle }) => inTitle)
    const isUniqueInTitles = (term: string): boolean => titles.filter((other) => other === term).length === 1
    const isAhead = (results[1]?.score ?? 0) <= (1 - MIN_LEAD) * (results[0]?.score ?? 0)
    return results.flatMap(({ id, matched, inTitle, score }, index) => {
      const article = byId.get(id)
      if (article === undefined) return []
      const coversTopic = index === 0 && isAhead && matched === words && inTitle.length > 0
      const fit = score / (score + HALF_FIT) - (matched > 1 ? 0 : SINGLE_WORD_PENALTY)
      return [{ article, fit, isSignificant: matched > 1 || coversTopic || inTitle.some(isUniqueInTitles) }]
    })
  }

  return {
    findArticle: (id: string): Article | undefined => byId.get(id),
    /** The article whose title equals the message, apart from word forms, word order and function words. */
    findTitle: (message: string): Article | undefined => byTitle.get(titleKey(message)),
    /** All articles that share a word with the message, best fit first. */
    rank(message: string): readonly Hit[] {
      // People often explain first and then ask ("My back hurts. Can I get a standing desk?"), so an article
      // may match the whole message or one sentence.
      const sentences = message.split(/(?<=[.?!;:])\s+/).slice(-LAST_SENTENCES)
      const best = new Map<Article, Hit>()
      for (const hit of [...new Set([message, ...sentences])].flatMap(search))
        if (hit.fit > (best.get(hit.article)?.fit ?? -1)) best.set(hit.article, hit)
      return [...best.values()].sort(
        (one, other) => other.fit - one.fit || (one.article.id < other.article.id ? -1 : 1),
      )
    },
    pickSection: makeSectionPicker(articles),
  }
}

/** Sorted terms, so that word order does not matter; the words themselves for a text without terms. */
function titleKey(text: string): string {
  const terms = [...new Set(termsOf(text))].sort()
  return (terms.length > 0 ? terms : splitWords(text)).join(' ')
}

function makeSectionPicker(articles: readonly Article[]) {
  const profiles = new Map(
    articles.map((article) => [
      article,
      article.sections.map(({ heading, text }) => ({
        heading: new Set(termsOf(heading)),
        all: new Set(termsOf(`${heading} ${text}`)),
      })),
    ]),
  )
  return (article: Article, message: string): Section => {
    const sections = profiles.get(article) ?? []
    const scores = sections.map(() => 0)
    for (const term of new Set(termsOf(message))) {
      const holders = sections.filter(({ all }) => all.has(term)).length
      // Rare terms weigh most; a term in every section weighs nothing.
      const weight = Math.log(sections.length / holders)
      for (const [index, { heading, all }] of sections.entries())
        if (all.has(term))
          scores[index] = (scores[index] ?? 0) + weight * (heading.has(term) ? HEADING_WEIGHT : 1)
    }
    // Ties go to the first section: editors put the most common answer first.
    return article.sections[scores.indexOf(Math.max(...scores))] ?? article.sections[0]
  }
}
