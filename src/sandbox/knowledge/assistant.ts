// The assistant: answers a message from the knowledge base, using the earlier turns as context.
import type { Article } from '../../articles/article.ts'
import { readArticles } from '../../articles/read.ts'
import { plural } from '../../domain/format.ts'
import { buildIndex, type Hit, type SearchIndex } from './search.ts'
import { isTopic, questionTerms, splitWords } from './words.ts'

export interface AssistantAnswer {
  readonly message: string
  /** Id of the article that grounds the answer, and the section's heading; null for a model-only answer. */
  readonly article: string | null
  readonly section: string | null
}

/** An earlier turn of the conversation: its question, and the id of the article that answered it. */
export interface EarlierTurn {
  readonly message: string
  readonly article: string | null
}

export type Ask = (message: string, earlier: readonly EarlierTurn[]) => AssistantAnswer

/** `path`: undefined for an empty knowledge base. Throws if the knowledge base cannot be read. */
export async function openAssistant(path: string | undefined, notice: (line: string) => void): Promise<Ask> {
  const { articles, unread } =
    path === undefined ? { articles: [], unread: [] } : await readArticles(path, { mayBeEmpty: true })
  if (path !== undefined) {
    const read =
      articles.length === 0
        ? `${path} contains no article: every reply is model-only`
        : `The sandbox answers from ${plural(articles.length, 'article')}`
    notice(unread.length === 0 ? read : `${read}. Not read: ${listed(unread)}`)
  }
  const index = buildIndex(articles)
  return (message, earlier) => answer(index, message, earlier)
}

const MAX_LISTED = 10

const listed = (files: readonly string[]): string => {
  const more = files.length - MAX_LISTED
  return `${files.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
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
    'I found nothing about that in the knowledge base. Please describe what you are trying to do, or ' +
    'contact the service desk.',
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
    return { message: text, article: article.id, section: heading }
  }
  const isRelevant = ({ fit, isSignificant }: Hit): boolean => isSignificant && fit >= RELEVANCE

  const exactTitle = index.findTitle(message)
  if (exactTitle) return ground(exactTitle)
  const last = earlier.at(-1)
  const current = last?.article ? index.findArticle(last.article) : undefined
  const isReference = pointsBack(message)
  if (current && isReference) return ground(current)
  const ranking = index.rank(message)
  const found = ranking.find(isRelevant)
  const topics = questionTerms(message).topic.size
  const isContinuing = OPENING.test(message)

  if (current) {
    const currentFit = ranking.find(({ article }) => article === current)?.fit ?? 0
    if (found && found.fit > currentFit + STICKINESS) return ground(found.article)
    const isOffTopic = !isContinuing && topics >= 2 && currentFit < FOLLOW_UP_FIT
    return isOffTopic ? NOT_COVERED : ground(current)
  }
  const isIncomplete = isReference || isContinuing || topics === 0
  if (found && !isIncomplete) return ground(found.article)
  // The previous turn found no article, but both messages together may.
  const together = last && index.rank(`${last.message} ${message}`).find(isRelevant)
  return together ? ground(together.article) : NOT_COVERED
}

/** Words that refer to an earlier turn. */
const REFERENCE =
  /\b(?:it|its|itself|they|them|their|theirs|those|these|he|him|his|she|her|hers|ones)\b|\b(?:an?|another|big|different|new|next|old|other|second|that|the|this|which|wrong) one\b|^(?:this|that)\b|\b(?:this|that|there)$/
/** Begins like a continuation ("And for Macs?"), but may name a new topic. */
const OPENING =
  /^\s*(?:(?:ok|okay|right|great|thanks|thank you|sure|hm+|well)\b[\s,.!]*)*(?:and|but|or|so|then|also|plus|except|otherwise|same|what about|how about|what if|even if|only if|how come|what else|who else|where else|anything else)\b/i

/**
 * A pronoun behind a clause with a topic refers to the same message: "If I lose my badge, who replaces it?"
 */
function pointsBack(message: string): boolean {
  // "IT" in capitals is a department.
  const text = message.replaceAll(/\bIT\b/g, 'helpdesk').toLowerCase()
  for (const clause of text.split(/[,.;:?!()–—]/)) {
    if (REFERENCE.test(clause.trim())) return true
    if (splitWords(clause).some(isTopic)) return false
  }
  return false
}
