// The assistant: it answers a message from the knowledge base, in the light of the turns before it.
import { type Article, loadKnowledgeBase } from './articles.ts'
import { classifyDependence } from './dependence.ts'
import { buildIndex, type Hit, type SearchIndex } from './search.ts'
import { questionTerms } from './words.ts'

export interface AssistantAnswer {
  readonly message: string
  /** Slug of the article that grounds it, and the heading of the section; null where the model speaks on its own. */
  readonly article: string | null
  readonly section: string | null
}

/** What the assistant needs to know of an earlier turn: the question, and the slug of the article it got. */
export interface EarlierTurn {
  readonly message: string
  readonly article: string | null
}

export type Ask = (message: string, earlier: readonly EarlierTurn[]) => AssistantAnswer

/** `path`: absent for an empty knowledge base. Throws where it cannot be read. */
export async function openAssistant(path: string | undefined, notice: (line: string) => void): Promise<Ask> {
  const articles = path === undefined ? [] : await loadKnowledgeBase(path)
  if (path !== undefined && articles.length === 0)
    notice(`${path} contains no article: every reply is model-only`)
  const index = buildIndex(articles)
  return (message, earlier) => answer(index, message, earlier)
}

/** Below this fit an article does not answer a question that stands alone. Tuned, as the rest, on the shipped sets. */
const RELEVANCE = 0.38
/** A later turn leaves the article of the thread only where another fits better by so much. */
const STICKINESS = 0.15
/** Below this the thread's article has nothing to say on a question with a topic of its own. */
const FOLLOW_UP_FIT = 0.25

const NOT_COVERED: AssistantAnswer = {
  message:
    'I found nothing about that in the knowledge base. Please describe what you are trying to do, or contact the service desk.',
  article: null,
  section: null,
}

/** The same for the same conversation and knowledge base. */
export function answer(
  index: SearchIndex,
  message: string,
  earlier: readonly EarlierTurn[],
): AssistantAnswer {
  const ground = (article: Article): AssistantAnswer => {
    const { text, heading } = index.pickSection(article, message)
    return { message: text, article: article.slug, section: heading }
  }
  const answers = ({ fit, isNamed }: Hit): boolean => isNamed && fit >= RELEVANCE

  const titled = index.findTitle(message)
  if (titled) return ground(titled)
  const last = earlier.at(-1)
  const current = last?.article ? index.findArticle(last.article) : undefined
  const dependence = classifyDependence(message)
  if (current && dependence === 'reference') return ground(current)
  const ranking = index.rank(message)
  const found = ranking.find(answers)
  const topics = questionTerms(message).topic.size

  if (current) {
    const currentFit = ranking.find(({ article }) => article === current)?.fit ?? 0
    if (found && found.fit > currentFit + STICKINESS) return ground(found.article)
    const isElsewhere = dependence === 'none' && topics >= 2 && currentFit < FOLLOW_UP_FIT
    return isElsewhere ? NOT_COVERED : ground(current)
  }
  const isHanging = dependence !== 'none' || topics === 0
  if (found && !isHanging) return ground(found.article)
  // The turn before found nothing; it and this message may make sense together.
  const together = last && index.rank(`${last.message} ${message}`).find(answers)
  return together ? ground(together.article) : NOT_COVERED
}
