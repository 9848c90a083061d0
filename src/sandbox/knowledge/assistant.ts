// The assistant: answers from the article a question is about, alone or in the light of earlier turns.
import type { Article, Section } from './article.ts'
import { dependenceOf } from './dependence.ts'
import { questionTerms, rankArticles, type Fit } from './relevance.ts'
import type { SearchIndex } from './search-index.ts'
import { pickSection } from './section.ts'
import { isTopic } from './words.ts'

export type AssistantAnswer =
  | {
      readonly kind: 'grounded'
      readonly message: string
      readonly article: Article
      readonly section: Section
    }
  /** Nothing in the knowledge base, or nothing to look for: the model speaks on its own. */
  | { readonly kind: 'model-only'; readonly message: string }

/** What the assistant needs to know of an earlier turn: the question, and the slug of the article it got. */
export interface EarlierTurn {
  readonly message: string
  readonly article: string | null
}

/** Below this fit an article does not answer a question that stands alone. */
export const DEFAULT_RELEVANCE = 0.38
/** One matching word alone may be chance: it must fit better, and be more of a name. */
const EXTRA_FIT_OF_ONE = 0.03
const NAMING = { ofOne: 0.75, ofSeveral: 0.55 }
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
  const dependence = dependenceOf(message, isTopic)
  const terms = questionTerms(message)
  const ranking = rankArticles(index, message)
  const named = ranking.find(
    (one) => namesArticle(one, relevance) && (one.isHead || dependence !== 'definite'),
  )
  const current = threadArticle(index, earlier)

  if (current === undefined) {
    const isHanging = dependence === 'reference' || dependence === 'opening'
    if (isHanging || terms.topic.length === 0) return { kind: 'model-only', message: NO_TOPIC }
    return named ? ground(index, named.article, message) : { kind: 'model-only', message: NOT_COVERED }
  }
  if (dependence === 'reference') return ground(index, current, message)
  const currentFit = ranking.find((one) => one.article === current)?.fit ?? 0
  if (named && currentFit < GOOD_FIT && named.fit > currentFit + STICKINESS) {
    return ground(index, named.article, message)
  }
  const isElsewhere = dependence === 'none' && terms.topic.length >= 2 && currentFit < FOLLOW_UP_FIT
  return isElsewhere ? { kind: 'model-only', message: NOT_COVERED } : ground(index, current, message)
}

/** Whether a question stands for this article on its own. */
function namesArticle({ fit, naming, matched }: Fit, relevance: number): boolean {
  return matched >= 2
    ? fit >= relevance && naming >= NAMING.ofSeveral
    : fit >= relevance + EXTRA_FIT_OF_ONE && naming >= NAMING.ofOne
}

function ground(index: SearchIndex, article: Article, message: string): AssistantAnswer {
  const section = pickSection(index, article, message)
  return { kind: 'grounded', message: section.text, article, section }
}

/** The article the thread is about: of the last turn, or, where that had no topic of its own, of one before. */
function threadArticle(index: SearchIndex, earlier: readonly EarlierTurn[]): Article | undefined {
  for (const turn of earlier.toReversed()) {
    if (turn.article !== null) return index.articles.find(({ slug }) => slug === turn.article)
    const hasTopic = questionTerms(turn.message).topic.length > 0
    if (hasTopic && dependenceOf(turn.message, isTopic) === 'none') return undefined
  }
  return undefined
}
