// The assistant: answers a message from the knowledge base, using the earlier turns as context.
import { type Article, loadKnowledgeBase } from './articles.ts'
import { classifyDependence } from './dependence.ts'
import { buildIndex, type Hit, type SearchIndex } from './search.ts'
import { questionTerms } from './words.ts'

export interface AssistantAnswer {
  readonly message: string
  /** Slug of the article that grounds the answer, and the section's heading; null for a model-only answer. */
  readonly article: string | null
  readonly section: string | null
}

/** An earlier turn of the conversation: its question, and the slug of the article that answered it. */
export interface EarlierTurn {
  readonly message: string
  readonly article: string | null
}

export type Ask = (message: string, earlier: readonly EarlierTurn[]) => AssistantAnswer

/** `path`: undefined for an empty knowledge base. Throws if the knowledge base cannot be read. */
export async function openAssistant(path: string | undefined, notice: (line: string) => void): Promise<Ask> {
  const articles = path === undefined ? [] : await loadKnowledgeBase(path)
  if (path !== undefined && articles.length === 0)
    notice(`${path} contains no article: every reply is model-only`)
  const index = buildIndex(articles)
  return (message, earlier) => answer(index, message, earlier)
}

// Thresholds of fit, tuned on the shipped question sets.
/** Minimum fit of an article that answers a question without context. */
const RELEVANCE = 0.38
/** How much better another article must fit to replace the conversation's current one. */
const STICKINESS = 0.15
/** Minimum fit of the current article for a follow-up that names its own topic. */
const FOLLOW_UP_FIT = 0.25

const NOT_COVERED: AssistantAnswer = {
  message:
    'I found nothing about that in the knowledge base. Please describe what you are trying to do, or contact the service desk.',
  article: null,
  section: null,
}

/** Deterministic for a given conversation and knowledge base. */
export function answer(
  index: SearchIndex,
  message: string,
  earlier: readonly EarlierTurn[],
): AssistantAnswer {
  const ground = (article: Article): AssistantAnswer => {
    const { text, heading } = index.pickSection(article, message)
    return { message: text, article: article.slug, section: heading }
  }
  const isRelevant = ({ fit, isSignificant }: Hit): boolean => isSignificant && fit >= RELEVANCE

  const exactTitle = index.findTitle(message)
  if (exactTitle) return ground(exactTitle)
  const last = earlier.at(-1)
  const current = last?.article ? index.findArticle(last.article) : undefined
  const dependence = classifyDependence(message)
  if (current && dependence === 'reference') return ground(current)
  const ranking = index.rank(message)
  const found = ranking.find(isRelevant)
  const topics = questionTerms(message).topic.size

  if (current) {
    const currentFit = ranking.find(({ article }) => article === current)?.fit ?? 0
    if (found && found.fit > currentFit + STICKINESS) return ground(found.article)
    const isOffTopic = dependence === 'none' && topics >= 2 && currentFit < FOLLOW_UP_FIT
    return isOffTopic ? NOT_COVERED : ground(current)
  }
  const isIncomplete = dependence !== 'none' || topics === 0
  if (found && !isIncomplete) return ground(found.article)
  // The previous turn found no article, but both messages together may.
  const together = last && index.rank(`${last.message} ${message}`).find(isRelevant)
  return together ? ground(together.article) : NOT_COVERED
}
