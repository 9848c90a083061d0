// How well the articles fit a question, best first.
import type { Article } from './article.ts'
import type { SearchIndex } from './search-index.ts'
import { isTopic, splitWords, termOf } from './words.ts'

export interface Fit {
  readonly article: Article
  /** Share of the question's topic that the article covers, moderated by its rank in the search; seldom above 1. */
  readonly fit: number
  /** How clearly the question names this article: 1 for a word that only its title has. */
  readonly naming: number
  /** Whether one of the terms is what the article is about before all. */
  readonly isHead: boolean
  /** How many of the terms the article has at all. */
  readonly matched: number
}

/** What a question is about, and the rest of it; each term once. */
export interface QuestionTerms {
  readonly topic: readonly string[]
  readonly smallTalk: readonly string[]
}

const LAST_SENTENCES = 5
/** Coverage counts by this share, the rank in the search by the rest. */
const COVERAGE_SHARE = 0.7
/** An article fits better what it is about before all. */
const HEAD_BONUS = 1.1
/** Small talk names an article a little: "a company phone" is nearer to "Company phones" than "my phone". */
const SMALL_TALK_NAMING = 0.3

export function questionTerms(message: string): QuestionTerms {
  const topic = new Set<string>()
  const smallTalk = new Set<string>()
  for (const word of splitWords(message)) {
    const term = termOf(word)
    if (term !== undefined) (isTopic(word) ? topic : smallTalk).add(term)
  }
  return { topic: [...topic], smallTalk: [...smallTalk] }
}

/**
 * People tell a story and then ask ("My back hurts. Can I get a standing desk?"): an article that fits one
 * sentence well counts as well as one that fits the whole.
 */
export function rankArticles(index: SearchIndex, message: string): Fit[] {
  const best = new Map<Article, Fit>()
  const sentences = message.split(/(?<=[.?!;:])\s+/).slice(-LAST_SENTENCES)
  for (const part of new Set([message, ...sentences])) {
    for (const one of fitsOf(index, questionTerms(part))) {
      const known = best.get(one.article)
      if (known === undefined || known.fit < one.fit) best.set(one.article, one)
    }
  }
  return [...best.values()].sort(
    (one, other) => other.fit - one.fit || (one.article.slug < other.article.slug ? -1 : 1),
  )
}

function fitsOf(index: SearchIndex, { topic, smallTalk }: QuestionTerms): Fit[] {
  const sum = (terms: readonly string[], value: (term: string) => number): number =>
    terms.reduce((total, term) => total + value(term), 0)
  const mass = sum(topic, index.weight)
  if (mass === 0) return []
  const scores = index.search([...topic, ...smallTalk])
  const top = Math.max(...scores.values())
  return [...scores].map(([article, score]) => {
    const { salience, head } = index.profile(article)
    const naming = (term: string): number => index.naming(article, term)
    const covered = sum(topic, (term) => index.weight(term) * (salience.get(term) ?? 0)) / mass
    const isHead = head !== undefined && topic.includes(head)
    return {
      article,
      fit: covered * (COVERAGE_SHARE + (1 - COVERAGE_SHARE) * (score / top)) * (isHead ? HEAD_BONUS : 1),
      naming: sum(topic, naming) + SMALL_TALK_NAMING * sum(smallTalk, naming),
      isHead,
      matched: topic.filter((term) => salience.has(term)).length,
    }
  })
}
