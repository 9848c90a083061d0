// The knowledge base in use: read at the start and when an editor changes it, and asked by the assistant.
import { dirname, resolve as toAbsolute, sep } from 'node:path'
import { type Article, loadKnowledgeBase, pickSection, type Section } from './articles.ts'
import { type Dependence, dependenceOf } from './dependence.ts'
import { buildIndex, type Hit, questionTerms, type SearchIndex } from './search.ts'
import { isTopic } from './words.ts'

export interface Library {
  readonly ask: (message: string, earlier: readonly EarlierTurn[]) => AssistantAnswer
  readonly close: () => Promise<void>
}

export interface LibraryOptions {
  /** Absent: an empty knowledge base. */
  readonly path: string | undefined
  readonly relevance: number | undefined
  readonly watch: boolean
  readonly log: (line: string) => void
}

/** Editors write a file in several steps; this long after the last of them it is read. */
const SETTLE_MS = 80

/** Throws where the knowledge base cannot be read. A change that cannot be read later is logged, and waits for its fix. */
export async function openLibrary({ path, relevance, watch, log }: LibraryOptions): Promise<Library> {
  const read = async () => buildIndex(path === undefined ? [] : await loadKnowledgeBase(path))
  let index = await read()
  if (path !== undefined && index.size === 0) log(`${path} holds no article: every reply is model-only`)
  const reload = async (): Promise<void> => {
    try {
      index = await read()
      log(`knowledge base reloaded: ${index.size} articles`)
    } catch (error) {
      log(`knowledge base not reloaded, the last good one stays: ${(error as Error).message}`)
    }
  }
  return {
    ask: (message, earlier) => answer(index, message, earlier, relevance),
    close: watch && path !== undefined ? await watchPath(path, reload, log) : async () => {},
  }
}

/** Resolves, once it watches, with how to stop. */
async function watchPath(
  path: string,
  changed: () => Promise<void>,
  log: (line: string) => void,
): Promise<() => Promise<void>> {
  const { watch } = await import('chokidar')
  const watched = toAbsolute(path)
  // The folder around it: a watch on the path itself would end, unnoticed, when it is removed and made anew.
  const parent = dirname(watched)
  const below = watched.endsWith(sep) ? watched : watched + sep
  const isOurs = (one: string): boolean => one === parent || one === watched || one.startsWith(below)
  const watcher = watch(parent, { ignoreInitial: true, ignored: (one) => !isOurs(toAbsolute(one)) })
  const ended = (why: string): void =>
    log(`${path} is no longer watched (${why}): restart the sandbox to watch it again`)
  watcher.on('error', (error) => ended((error as Error).message))
  watcher.on('unlinkDir', (gone) => {
    if (toAbsolute(gone) === parent && parent !== watched) ended(`${parent} is gone`)
  })
  let timer: NodeJS.Timeout | undefined
  let reloading = Promise.resolve()
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      // One after the other, or an older state could overtake a newer one.
      reloading = reloading.then(changed)
    }, SETTLE_MS)
  })
  await new Promise<void>((resolve) => {
    watcher.once('ready', resolve)
  })
  return async () => {
    clearTimeout(timer)
    await watcher.close()
  }
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
