// Which article a question is about: one with that title, else the best by BM25 over title, headings and text.
import MiniSearch from 'minisearch'
import type { Article } from './articles.ts'
import { isTopic, splitWords, termOf, termsOf } from './words.ts'

export interface Hit {
  readonly article: Article
  /** How well the article fits the question, from 0 to 1, which nothing reaches. */
  readonly fit: number
  /** How many words of the question's topic the article has. */
  readonly matched: number
  /** Whether its title has one of them. */
  readonly isInTitle: boolean
  /** Whether one word is enough: no other title has it, or it is all of the topic and no other article fits nearly as well. */
  readonly isNamed: boolean
}

export interface SearchIndex {
  readonly size: number
  readonly findArticle: (slug: string) => Article | undefined
  /** The article whose title the message is, but for word forms, order and words like "the" and "where". */
  readonly findTitle: (message: string) => Article | undefined
  /** All articles that share a word with the message, best first. */
  readonly rank: (message: string) => readonly Hit[]
}

const BOOST = { title: 3, headings: 2 }
const BM25 = { k: 1.2, b: 0.3, d: 0.3 }
/** Small talk ranks a little: "a company phone" is nearer to "Company phones" than "my phone". */
const SMALL_TALK_BOOST = 0.2
/** The score, as a share of what a rare word is worth for each word of the topic, at which the fit is a half. */
const HALF_FIT = 1.45
/** So much must the next article score less, where one word is all there is. */
const LEAD = 0.1
const LAST_SENTENCES = 5

export function buildIndex(articles: readonly Article[]): SearchIndex {
  const bySlug = new Map(articles.map((article) => [article.slug, article]))
  const byTitle = new Map(articles.toReversed().map((article) => [titleKey(article.title), article]))
  const engine = new MiniSearch<{ id: string; title: string; headings: string; text: string }>({
    fields: ['title', 'headings', 'text'],
    tokenize: splitWords,
    processTerm: (word) => termOf(word) ?? null,
    // A query comes as terms already.
    searchOptions: {
      tokenize: (text) => text.split(' '),
      processTerm: (term) => term,
      boost: BOOST,
      bm25: BM25,
    },
  })
  engine.addAll(
    articles.map(({ slug, title, sections }) => ({
      id: slug,
      title,
      headings: sections.map(({ heading }) => heading).join('\n'),
      text: sections.map(({ text }) => text).join('\n'),
    })),
  )
  /** What a word is worth that one article alone has. */
  const rarest = Math.log(1 + (articles.length - 0.5) / 1.5)

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
          slug: id as string,
          found,
          inTitle: found.filter((term) => match[term]?.includes('title')),
          // MiniSearch multiplies by the number of words found; here each word that is missing counts against the article.
          score: (score / queryTerms.length / (words * rarest)) * (found.length / words),
        }
      })
      .sort((one, other) => other.score - one.score)
    const titles = results.flatMap(({ inTitle }) => inTitle)
    const isOnly = (term: string): boolean => titles.filter((one) => one === term).length === 1
    const isAhead = (results[1]?.score ?? 0) <= (1 - LEAD) * (results[0]?.score ?? 0)
    return results.flatMap(({ slug, found, inTitle, score }, place) => {
      const article = bySlug.get(slug)
      if (article === undefined) return []
      const isAll = place === 0 && isAhead && inTitle.length > 0 && found.length === words
      return [
        {
          article,
          fit: score / (score + HALF_FIT),
          matched: found.length,
          isInTitle: inTitle.length > 0,
          isNamed: isAll || inTitle.some(isOnly),
        },
      ]
    })
  }

  return {
    size: articles.length,
    findArticle: (slug) => bySlug.get(slug),
    findTitle: (message) => {
      const key = titleKey(message)
      return key === '' ? undefined : byTitle.get(key)
    },
    rank(message) {
      // People tell a story and then ask ("My back hurts. Can I get a standing desk?"): an article that fits one sentence
      // well counts as well as one that fits the whole.
      const sentences = message.split(/(?<=[.?!;:])\s+/).slice(-LAST_SENTENCES)
      const best = new Map<Article, Hit>()
      for (const hit of [...new Set([message, ...sentences])].flatMap(search))
        if (hit.fit > (best.get(hit.article)?.fit ?? -1)) best.set(hit.article, hit)
      return [...best.values()].sort(
        (one, other) => other.fit - one.fit || (one.article.slug < other.article.slug ? -1 : 1),
      )
    },
  }
}

/** Its terms in any order, so that a question of no other word than the title's is that title; of a title without terms its words. */
function titleKey(text: string): string {
  const terms = [...new Set(termsOf(text))].sort()
  return (terms.length > 0 ? terms : splitWords(text)).join(' ')
}

/** What a question is about, and the rest of it. */
export function questionTerms(message: string): {
  readonly topic: ReadonlySet<string>
  readonly smallTalk: ReadonlySet<string>
} {
  const topic = new Set<string>()
  const smallTalk = new Set<string>()
  for (const word of splitWords(message)) {
    const term = termOf(word)
    if (term !== undefined) (isTopic(word) ? topic : smallTalk).add(term)
  }
  return { topic, smallTalk }
}
