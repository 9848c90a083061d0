// The assistant: answers a message from the knowledge base, using the earlier turns as context.
import type { Article } from '../articles/article.ts'
import { ArticleIndex } from '../articles/index.ts'
import { LookUp, type Nearest } from '../articles/look-up.ts'
import { readArticles } from '../articles/read.ts'
import { plural } from '../domain/format.ts'

export interface AssistantAnswer {
  readonly message: string
  readonly article: string | null
  readonly section: string | null
}

export interface EarlierTurn {
  readonly message: string
  readonly article: string | null
}

export type Assistant = (message: string, earlier: readonly EarlierTurn[]) => AssistantAnswer

/** Opens an assistant, with an empty knowledge base without a `path`. Throws if it cannot be read. */
export async function openAssistant(
  path: string | undefined,
  notice: (line: string) => void,
): Promise<Assistant> {
  const { articles, unread } =
    path === undefined ? { articles: [], unread: [] } : await readArticles(path, { mayBeEmpty: true })
  if (path !== undefined) {
    const read =
      articles.length === 0
        ? `${path} contains no article: every reply is model-only`
        : `The sandbox answers from ${plural(articles.length, 'article')}`
    const more = unread.length - MAX_LISTED
    const listed = `${unread.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    notice(unread.length === 0 ? read : `${read}. Not read: ${listed}`)
  }
  const index = new ArticleIndex(articles)
  return (message, earlier) => answer(index, message, earlier)
}

const MAX_LISTED = 10

// Tuned on the shipped question sets.
/** Is the minimum fit of an article that answers a question without context. */
const RELEVANCE = 0.3
/** Is how much better another article must fit to replace the conversation's current one. */
const STICKINESS = 0.7
/** Makes a follow-up with so many terms, of which the current article has none, another topic. */
const OFF_TOPIC_TERMS = 2

/**
 * Is the weight of a word that rules an article out, as ln(1 + 2 N) among N articles: below 202 articles no
 * word does. Chosen over 1,764 articles of a bank, where 5 of 10 questions of another world were answered
 * without it.
 */
const MAX_MISSING = 6

const NOT_COVERED: AssistantAnswer = {
  message:
    'I found nothing about that in the knowledge base. Please describe what you are trying to do, or ' +
    'contact the service desk.',
  article: null,
  section: null,
}

/** Answers the same for the same conversation and knowledge base. */
export function answer(
  index: ArticleIndex,
  message: string,
  earlier: readonly EarlierTurn[],
): AssistantAnswer {
  const last = earlier.at(-1)
  const look = new LookUp(index, message)
  const current = look.find(last?.article ?? '')
  const [found] = look.nearest(1)
  const { heldByTitle = 0, titleHeld = 0 } = found?.features ?? {}
  // Question and title have the same terms.
  if (found !== undefined && Math.min(heldByTitle, titleHeld) > 0.99) return ground(found.article, look)
  const isReference = pointsBack(message, index)
  if (current !== undefined && isReference) return ground(current.article, look)
  const isContinuing = OPENING.test(message)

  if (current !== undefined) {
    if (found !== undefined && fitOf(found) > fitOf(current) + STICKINESS) return ground(found.article, look)
    const isOffTopic =
      !isContinuing && look.terms.length >= OFF_TOPIC_TERMS && look.heldTerms(current.article).length === 0
    return isOffTopic ? NOT_COVERED : ground(current.article, look)
  }
  const isIncomplete = isReference || isContinuing || look.terms.length === 0
  if (isRelevant(found, look, index) && !isIncomplete) return ground(found.article, look)
  // The previous turn found no article, but both messages together may.
  if (last === undefined) return NOT_COVERED
  const both = new LookUp(index, `${last.message} ${message}`)
  const [together] = both.nearest(1)
  return isRelevant(together, both, index) ? ground(together.article, both) : NOT_COVERED
}

function ground(article: Article, look: LookUp): AssistantAnswer {
  const { text, heading } = look.sectionOf(article)
  return { message: text, article: article.id, section: heading }
}

/** Measures, from 0 to about 1.5, how much of question and title match, and how often. */
const fitOf = ({ features: { score, held, titleHeld } }: Nearest): number => (score + held + titleHeld) / 4

/**
 * Takes one term in common as chance, unless title or heading have it; so also half of a question whose
 * heaviest word no article has: an unknown word says little beside fifty articles, and much beside two
 * thousand.
 */
function isRelevant(found: Nearest | undefined, look: LookUp, index: ArticleIndex): found is Nearest {
  if (found === undefined || fitOf(found) < RELEVANCE) return false
  const { article, features } = found
  const missing = features.missing * Math.log(1 + 2 * index.articles.length)
  if (features.held < 0.5 && features.titleHeld < 0.67 && missing >= MAX_MISSING) return false
  const heldTerms = look.heldTerms(article)
  const inHeading = index.termsOf(look.sectionOf(article).heading)
  return (
    heldTerms.length > 1 || features.heldByTitle > 0 || heldTerms.some((term) => inHeading.includes(term))
  )
}

const REFERENCE = new RegExp(
  [
    String.raw`\b(?:it|its|itself|they|them|their|theirs|those|these|he|him|his|she|her|hers|ones)\b`,
    String.raw`\b(?:an?|another|big|different|new|next|old|other|second|that|the|this|which|wrong) one\b`,
    String.raw`^(?:this|that)\b`,
    String.raw`\b(?:this|that|there)$`,
    String.raw`\b(?:es|ihn|ihm|dessen|deren|dafür|davon|dazu|damit|daran)\b`,
  ].join('|'),
)
/** Begins like a continuation ("And for Macs?"), but may name a new topic. */
const OPENING = new RegExp(
  String.raw`^\s*(?:(?:ok|okay|right|great|thanks|thank you|sure|hm+|well)\b[\s,.!]*)*` +
    '(?:and|but|or|so|then|also|plus|except|otherwise|same|what about|how about|what if|even if|only if' +
    String.raw`|how come|what else|who else|where else|anything else|und|oder|aber|dann|also)\b`,
  'i',
)

/** Finds a pronoun, which may refer to the same message: "If I lose my badge, who replaces it?" */
function pointsBack(message: string, index: ArticleIndex): boolean {
  // "IT" in capitals is a department.
  const text = message.replaceAll(/\bIT\b/g, 'helpdesk').toLowerCase()
  for (const clause of text.split(/[,.;:?!()–—]/)) {
    if (REFERENCE.test(clause.trim())) return true
    if (index.termsOf(clause).length > 0) return false
  }
  return false
}
