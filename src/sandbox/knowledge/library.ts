// The assistant: it answers from the knowledge base, which is read at the start.
import { type Article, loadKnowledgeBase, pickSection, type Section } from './articles.ts'
import { type Dependence, dependenceOf } from './dependence.ts'
import { buildIndex, type Hit, questionTerms, type SearchIndex } from './search.ts'
import { isTopic } from './words.ts'

/** Answers a message in the light of the turns before it. */
export type Ask = (message: string, earlier: readonly EarlierTurn[]) => AssistantAnswer

/** `path`: absent for an empty knowledge base. Throws where it cannot be read. */
export async function openLibrary(
  path: string | undefined,
  relevance: number | undefined,
  log: (line: string) => void,
): Promise<Ask> {
  const index = buildIndex(path === undefined ? [] : await loadKnowledgeBase(path))
  if (path !== undefined && index.size === 0) log(`${path} holds no article: every reply is model-only`)
  return (message, earlier) => answer(index, message, earlier, relevance)
}

export type AssistantAnswer =
  | {
      readonly kind: 'grounded'
      readonly message: string
      readonly article: Article
      readonly section: Section
    }
  /** Nothing in the knowledge base, or nothing to look for: the model speaks on its own. `nearest` comes nearest to the question. */
  | { readonly kind: 'model-only'; readonly message: string; readonly nearest: Article | undefined }

/** What the assistant needs to know of an earlier turn: the question, and the slug of the article it got. */
export interface EarlierTurn {
  readonly message: string
  readonly article: string | null
}

/** Below this fit an article does not answer a question that stands alone. Tuned, as the rest, on the shipped sets. */
const DEFAULT_RELEVANCE = 0.38
/** One matching word alone may be chance. */
const EXTRA_FIT_OF_ONE = 0.03
/** A later turn leaves the article of the thread only where that fits less than this, and another better by so much. */
const GOOD_FIT = 0.5
const STICKINESS = 0.15
/** Below this the thread's article has nothing to say on a question with a topic of its own. */
const FOLLOW_UP_FIT = 0.25

const NOT_COVERED =
  'I found nothing about that in the knowledge base. Please describe what you are trying to do, or contact the service desk.'
const NO_TOPIC =
  'I am not sure what this is about. Which device, service or request do you mean? Please ask again with its name.'

/** The same for the same conversation and knowledge base. */
export function answer(
  index: SearchIndex,
  message: string,
  earlier: readonly EarlierTurn[],
  relevance = DEFAULT_RELEVANCE,
): AssistantAnswer {
  const titled = index.findTitle(message)
  if (titled !== undefined) return ground(titled, message)
  const article = threadArticle(index, earlier)
  return article === undefined
    ? answerAlone(index, message, earlier.at(-1)?.message, relevance)
    : answerInThread(index, message, article, relevance)
}

/** In a first turn, or where the turns before found nothing: then `previous` and the message may make sense together. */
function answerAlone(
  index: SearchIndex,
  message: string,
  previous: string | undefined,
  relevance: number,
): AssistantAnswer {
  const dependence = dependenceOf(message, isTopic)
  const isHanging =
    dependence === 'reference' || dependence === 'opening' || questionTerms(message).topic.size === 0
  const ranking = index.rank(message)
  const found =
    (isHanging ? undefined : ranking.find((hit) => namesArticle(hit, relevance, dependence))) ??
    (previous === undefined
      ? undefined
      : index.rank(`${previous} ${message}`).find((hit) => namesArticle(hit, relevance, 'none')))
  return found === undefined
    ? { kind: 'model-only', message: isHanging ? NO_TOPIC : NOT_COVERED, nearest: ranking[0]?.article }
    : ground(found.article, message)
}

/** The thread's article answers, unless the message clearly names another, or is about something else altogether. */
function answerInThread(
  index: SearchIndex,
  message: string,
  current: Article,
  relevance: number,
): AssistantAnswer {
  const dependence = dependenceOf(message, isTopic)
  if (dependence === 'reference') return ground(current, message)
  const ranking = index.rank(message)
  const named = ranking.find((hit) => namesArticle(hit, relevance, dependence))
  const currentFit = ranking.find(({ article }) => article === current)?.fit ?? 0
  if (named && currentFit < GOOD_FIT && named.fit > currentFit + STICKINESS)
    return ground(named.article, message)
  const isElsewhere =
    dependence === 'none' && questionTerms(message).topic.size >= 2 && currentFit < FOLLOW_UP_FIT
  return isElsewhere
    ? { kind: 'model-only', message: NOT_COVERED, nearest: ranking[0]?.article }
    : ground(current, message)
}

/** Whether a question stands for this article on its own. */
function namesArticle(
  { fit, matched, isInTitle, isNamed }: Hit,
  relevance: number,
  dependence: Dependence,
): boolean {
  if (dependence === 'definite' && matched < 3 && !isInTitle) return false
  return matched > 1 ? fit >= relevance : isNamed && fit >= relevance + EXTRA_FIT_OF_ONE
}

function ground(article: Article, message: string): AssistantAnswer {
  const section = pickSection(article, message)
  return { kind: 'grounded', message: section.text, article, section }
}

/** The article the thread is about: of the last turn, or, where that had no topic of its own, of one before. */
function threadArticle(index: SearchIndex, earlier: readonly EarlierTurn[]): Article | undefined {
  for (const turn of earlier.toReversed()) {
    if (turn.article !== null) return index.findArticle(turn.article)
    const hasTopic = questionTerms(turn.message).topic.size > 0
    if (hasTopic && dependenceOf(turn.message, isTopic) === 'none') return undefined
  }
  return undefined
}
