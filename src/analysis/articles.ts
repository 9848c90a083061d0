// A run held against the organization's own articles: causes of gaps, likely sources of answers, facts that
// no article bears out, and what it says of each article.
import type { Article, ArticleSection } from '../articles/article.ts'
import { ArticleIndex } from '../articles/index.ts'
import { contradictionsOf } from '../articles/contradictions.ts'
import { Passages } from '../articles/passages.ts'
import { likelySource, readAnswer } from '../articles/source.ts'
import { supportOf } from '../articles/support.ts'
import type { Vectors } from '../articles/vectors.ts'
import type {
  ArticleMatch,
  ArticleRecord,
  Cause,
  Contradiction,
  Decision,
  NamedSection,
  TurnArticles,
} from '../domain/articles.ts'
import type { Question } from '../domain/question.ts'
import { listNames } from '../domain/format.ts'
import type { Summary, SummaryDetails } from '../domain/summary.ts'
import { isGrounded, type TurnRecord } from '../domain/turn.ts'
import { type Because, calibrate, type CauseLine, causeOf } from './gaps/causes.ts'
import { type Decisions, decisionsOn } from './gaps/decisions.ts'
import { createGapCollector, createOpenings, type GapItem, withContext } from './gaps/collect.ts'
import { createEarlier, fitOf } from './gaps/misfits.ts'
import type { Repeats } from './repeats.ts'
import { ratio } from './turns.ts'

/** A run held against its articles. */
export interface Consulted {
  /** Undefined for a turn without an answer in its context. */
  readonly of: (turn: TurnRecord) => TurnArticles | undefined
  /** Of a gap question, by its id. */
  readonly gapOf: (id: string) => GapTurn | undefined
  readonly figures: Required<Pick<Summary, 'articles' | 'unsupported'>>
  /** In the order of the articles' ids. */
  readonly records: readonly ArticleRecord[]
  readonly doubtful: SummaryDetails['doubtful']
}

type GapTurn = Extract<TurnArticles, { kind: 'gap' }>
type AnswerTurn = Extract<TurnArticles, { kind: 'answer' }>

/**
 * Grounded questions that the line is drawn from; more would take seconds and move it by less than its error.
 */
const MAX_TRIED = 500
/** Answers with a doubtful fact that reports list. */
const MAX_LISTED = 200
const MAX_CONTRADICTIONS = 100

/** What is read of articles once, for any number of passes. */
export interface ArticleIndexes {
  readonly index: ArticleIndex
  readonly sources: Sources
  readonly decisions: Decisions
}

/** What people say beside the articles. */
export interface Taught {
  readonly decisions?: readonly Decision[]
  readonly synonyms?: readonly (readonly string[])[]
  /** Of the titles and headings, and of every question. */
  readonly vectors?: Vectors | undefined
}

export function indexArticles(
  articles: readonly Article[],
  { decisions: said = [], synonyms = [], vectors }: Taught = {},
): ArticleIndexes {
  const decisions = decisionsOn(said, new Set(articles.map(({ id }) => id)))
  const index = new ArticleIndex(articles, { ...decisions.teaching, synonyms, vectors })
  return { index, sources: openSources(articles), decisions }
}

/** One pass over the questions and their repeats, in the order of the set. */
export function consultArticles(
  questions: Iterable<Repeats>,
  articles: readonly Article[],
  groundedSources: readonly string[],
  { index, sources, decisions }: ArticleIndexes = indexArticles(articles),
): Consulted {
  const openingOf = createOpenings()
  const earlierOf = createEarlier()
  const gaps = createGapCollector(groundedSources, Infinity)
  const answers = new Map<string, AnswerTurn>()
  const grounded: { question: string; article: string }[] = []
  const answeredFrom = new Map<string, Set<number>>()
  const tally = createSupportTally()
  const decided = new Map<string, Decision>()
  for (const repeats of questions) {
    const { question } = repeats[0].turn
    const asked = withContext(question.message, openingOf(question))
    const earlier = earlierOf(question)
    const decision = decisions.of(question)
    if (decision !== undefined) decided.set(question.id, decision)
    gaps.add(repeats.map(({ turn }) => turn))
    for (const { turn } of repeats) {
      if (isGrounded(turn, groundedSources) !== true || turn.result?.kind !== 'reply') continue
      const { message } = turn.result.reply
      const read = consultAnswer(message, asked, sources)
      const id = read.source?.article
      const fit = id === undefined ? undefined : fitOf(index, { message: question.message, earlier }, id)
      const other = decision === undefined ? fit?.other : articleOf(index, decision.article)
      const answer = {
        ...read,
        misfit: other === undefined || id === undefined || other.id === id ? null : nameOf(other),
      }
      answers.set(keyOf(turn), answer)
      tally.add(turn, answer)
      if (id === undefined) continue
      const reached = answeredFrom.get(id) ?? new Set()
      answeredFrom.set(id, reached.add(turn.index))
      // A follow-up says too little of its topic to draw a line from.
      if (turn.repeat === 1 && asked === question.message && fit?.isDoubtful === false)
        grounded.push({ question: asked, article: id })
    }
  }
  const line = calibrate(index, evenly(grounded, MAX_TRIED))
  const byId = new Map(
    gaps.finish().heaviest.map((gap) => [gap.id, gapTurn(gap, index, line, decided.get(gap.id))]),
  )
  const reached = recordsOf(articles, answeredFrom, [...byId.values()], tally.byArticle)
  const isReached = new Set(
    reached.flatMap(({ article, answered, gaps: near }) => (answered + near > 0 ? [article] : [])),
  )
  const contradictions = contradictionsIn(sources, (id) => isReached.has(id))
  const records = reached.map((record) => withContradictions(record, contradictions))
  return {
    of: (turn) =>
      isGrounded(turn, groundedSources) === false ? byId.get(turn.question.id) : answers.get(keyOf(turn)),
    gapOf: (id) => byId.get(id),
    records,
    doubtful: tally.doubtful(),
    figures: {
      articles: {
        read: articles.length,
        unreached: records.filter((record) => record.answered + record.gaps === 0).length,
        sources: [...answers.values()].filter(({ source }) => source !== null).length,
        causes: countCauses([...byId.values()]),
        decided: [...byId.values()].filter(({ decision }) => decision !== null).length,
        line: measuredOf(line),
        contradictions,
        misfits: tally.misfits(),
      },
      unsupported: tally.figures(),
    },
  }
}

export type Sources = Passages

export const openSources = (articles: readonly Article[]): Sources => new Passages(articles)

/** The likely source of a grounded answer, and its facts that no article bears out. */
export function consultAnswer(answer: string, asked: string, passages: Sources): Omit<AnswerTurn, 'misfit'> {
  const read = readAnswer(answer)
  const source = likelySource(read, passages)
  const { checked, findings } = supportOf(read, asked, source, passages)
  return {
    kind: 'answer',
    source: source && nameOf(source.article, source.section),
    checked,
    doubtful: findings.map(({ fact: { text, start, end }, instead, at, ...finding }) => ({
      ...finding,
      text,
      start,
      end,
      instead: instead && { ...nameOf(instead.passage.article, instead.passage.section), text: instead.text },
      at: at && nameOf(at.article, at.section),
    })),
  }
}

const keyOf = ({ index, repeat }: TurnRecord): string => `${index} ${repeat}`

/** The nearest article of each question, by the usual line between the causes. */
export function matchArticles(
  threads: readonly { readonly turns: readonly Question[] }[],
  articles: readonly Article[],
  taught: Taught = {},
): ArticleMatch {
  const { index, decisions } = indexArticles(articles, taught)
  const line = calibrate(index, [])
  const reached = new Set<string>()
  const without: ArticleMatch['without'][number][] = []
  const gaps: GapTurn[] = []
  for (const { turns } of threads) {
    const openingOf = createOpenings()
    for (const question of turns) {
      const { id, message } = question
      const asked = { message, context: openingOf(question) }
      const gap = gapTurn(asked, index, line, decisions.of(question))
      const [nearest = null] = gap.nearest
      gaps.push(gap)
      if (nearest !== null) reached.add(nearest.article)
      if (gap.cause === 'no-article') without.push({ id, message, nearest })
    }
  }
  const unreached = articles
    .filter(({ id }) => !reached.has(id))
    .map(({ id, title }) => ({ article: id, title }))
  return { read: articles.length, counts: countCauses(gaps), without, unreached }
}

const nameOf = ({ id, title, url }: Article, section?: ArticleSection): NamedSection => ({
  article: id,
  title,
  section: section?.heading ?? '',
  url,
})

/** The cause of a gap, with the articles that are nearest to it. */
function gapTurn(
  { message, context }: Pick<GapItem, 'message'> & { context?: string | undefined },
  index: ArticleIndex,
  line: CauseLine,
  decision?: Decision,
): GapTurn {
  const asked = { message, opening: context }
  const found = causeOf(index, asked, line)
  const nearest = found.nearest.map(({ article, section }) => nameOf(article, section))
  if (decision === undefined)
    return { kind: 'gap', cause: found.cause, because: sentenceOf(found.because), decision: null, nearest }
  const { by, at } = decision
  const said = {
    kind: 'gap',
    because: `${by ?? 'A person'} decided this${at === null ? '' : ` (${at})`}.`,
  } as const
  if (decision.article === null) return { ...said, cause: 'no-article', decision: { by, at }, nearest }
  const chosen = index.matchOf(decision.article, message, { opening: context })
  const first = chosen === undefined ? [] : [nameOf(chosen.article, chosen.section)]
  const others = nearest.filter(({ article }) => article !== decision.article)
  return { ...said, cause: 'not-used', decision: { by, at }, nearest: [...first, ...others].slice(0, 3) }
}

const articleOf = ({ articles }: ArticleIndex, id: string | null): Article | undefined =>
  articles.find((article) => article.id === id)

/** At most `max` of them, spread over the whole list. */
function evenly<T>(all: readonly T[], max: number): T[] {
  const step = Math.ceil(all.length / max)
  return all.filter((_, index) => index % step === 0)
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' })

function sentenceOf(because: Because): string {
  switch (because.kind) {
    case 'words': {
      const { held, missing } = because
      const lacks = `lacks ${listNames(missing)}.`
      if (held.length > 0)
        return `The nearest article has ${listNames(held)}${missing.length === 0 ? '.' : `; it ${lacks}`}`
      return `The nearest article ${missing.length === 0 ? 'has only words like those of the question.' : lacks}`
    }
    case 'like':
      return `A person said of nearly the same question that no article answers it: ${because.question}`
    case 'nothing':
      return 'No article has a word of the question that matters.'
    case 'language': {
      const are = because.articles === 0 ? 'no article is' : 'few articles are'
      return `The question is in ${LANGUAGES.of(because.language)}, and ${are}.`
    }
    case 'no-terms':
      return 'The question has no word that says what it is about.'
  }
}

/** How often the line was wrong where the cause was known. */
function measuredOf({ measured, from }: CauseLine): NonNullable<Summary['articles']>['line'] {
  const { tried, decided, wrong } = measured
  return {
    tried,
    by: from,
    decided: ratio(decided, tried),
    wrong: ratio(wrong, decided),
  }
}

function countCauses(gaps: readonly GapTurn[]): Record<Cause, number> {
  const count = (cause: Cause): number => gaps.filter((gap) => gap.cause === cause).length
  return { 'not-used': count('not-used'), 'no-article': count('no-article'), unclear: count('unclear') }
}

/** Facts of grounded answers, counted once for each answer, and listed. */
function createSupportTally() {
  const listed: SummaryDetails['doubtful']['items'][number][] = []
  const misfits: NonNullable<Summary['articles']>['misfits']['items'] = []
  const byArticle = new Map<string, number>()
  const counts = { answers: 0, checked: 0, elsewhere: 0 }
  const misfitCount = { misfits: 0 }
  return {
    add: (
      { question: { id, message } }: TurnRecord,
      { source, misfit, checked, doubtful }: AnswerTurn,
    ): void => {
      if (misfit !== null && source !== null) {
        misfitCount.misfits += 1
        if (misfits.length < MAX_LISTED)
          misfits.push({ id, message, source: source.article, article: misfit.article })
      }
      if (checked > 0) counts.checked += 1
      if (source !== null)
        byArticle.set(source.article, (byArticle.get(source.article) ?? 0) + doubtful.length)
      if (doubtful.length === 0) return
      counts.answers += 1
      if (doubtful.every(({ kind }) => kind === 'elsewhere')) counts.elsewhere += 1
      if (listed.length < MAX_LISTED) listed.push({ id, message, facts: doubtful })
    },
    byArticle,
    doubtful: () => ({ count: counts.answers, items: listed }),
    misfits: () => ({ count: misfitCount.misfits, items: misfits }),
    figures: () => ({ rate: ratio(counts.answers, counts.checked), ...counts }),
  }
}

/** Pairs of articles that differ in a value, or hardly at all; those first that the run's questions reached. */
function contradictionsIn(passages: Passages, isReached: (id: string) => boolean): Contradiction[] {
  const named = contradictionsOf(passages).map(
    ({ kind, passages: [first, second], values }): Contradiction => ({
      kind,
      sections: [
        { ...nameOf(first.article, first.section), text: values[0] },
        { ...nameOf(second.article, second.section), text: values[1] },
      ],
    }),
  )
  const reached = ({ sections }: Contradiction): number =>
    sections.filter(({ article }) => isReached(article)).length
  return named.sort((some, other) => reached(other) - reached(some)).slice(0, MAX_CONTRADICTIONS)
}

const withContradictions = (
  record: Omit<ArticleRecord, 'contradicts'>,
  contradictions: readonly Contradiction[],
): ArticleRecord => ({
  ...record,
  contradicts: contradictions.flatMap(({ sections }) => {
    const ids = sections.map(({ article }) => article)
    return ids.includes(record.article) ? ids.filter((id) => id !== record.article) : []
  }),
})

function recordsOf(
  articles: readonly Article[],
  answeredFrom: ReadonlyMap<string, ReadonlySet<number>>,
  gaps: readonly GapTurn[],
  unsupported: ReadonlyMap<string, number>,
): Omit<ArticleRecord, 'contradicts'>[] {
  const nearest = new Map<string, number>()
  for (const {
    nearest: [first],
  } of gaps)
    if (first !== undefined) nearest.set(first.article, (nearest.get(first.article) ?? 0) + 1)
  return articles.map(({ id, title, url, digest }) => ({
    article: id,
    title,
    url,
    digest,
    answered: answeredFrom.get(id)?.size ?? 0,
    gaps: nearest.get(id) ?? 0,
    unsupported: unsupported.get(id) ?? 0,
  }))
}
