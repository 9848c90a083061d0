// A run held against the organization's own articles: causes of gaps, likely sources of answers, facts that
// no article bears out, and what it says of each article.
import type { Article } from '../articles/article.ts'
import { ArticleIndex } from '../articles/index.ts'
import { contradictionsOf } from '../articles/contradictions.ts'
import { Passages } from '../articles/passages.ts'
import { likelySource, readAnswer } from '../articles/source.ts'
import { supportOf } from '../articles/support.ts'
import type {
  ArticleMatch,
  ArticleRecord,
  Cause,
  Contradiction,
  NamedSection,
  TurnArticles,
} from '../domain/articles.ts'
import type { Question } from '../domain/question.ts'
import { listNames } from '../domain/format.ts'
import type { Summary, SummaryDetails } from '../domain/summary.ts'
import { isGrounded, type TurnRecord } from '../domain/turn.ts'
import { type Because, calibrate, type CauseLine, causeOf } from './gaps/causes.ts'
import { createGapCollector, createOpenings, type GapItem, withContext } from './gaps/collect.ts'
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
}

export const indexArticles = (articles: readonly Article[]): ArticleIndexes => ({
  index: new ArticleIndex(articles),
  sources: openSources(articles),
})

/** One pass over the questions and their repeats, in the order of the set. */
export function consultArticles(
  questions: Iterable<Repeats>,
  articles: readonly Article[],
  groundedSources: readonly string[],
  { index, sources }: ArticleIndexes = indexArticles(articles),
): Consulted {
  const openingOf = createOpenings()
  const gaps = createGapCollector(groundedSources, Infinity)
  const answers = new Map<string, AnswerTurn>()
  const grounded: { question: string; article: string }[] = []
  const answeredFrom = new Map<string, Set<number>>()
  const tally = createSupportTally()
  for (const repeats of questions) {
    const { question } = repeats[0].turn
    const asked = withContext(question.message, openingOf(question))
    gaps.add(repeats.map(({ turn }) => turn))
    for (const { turn } of repeats) {
      if (isGrounded(turn, groundedSources) !== true || turn.result?.kind !== 'reply') continue
      const { message } = turn.result.reply
      const answer = consultAnswer(message, asked, sources)
      answers.set(keyOf(turn), answer)
      tally.add(turn, answer)
      if (answer.source === null) continue
      const id = answer.source.article
      const reached = answeredFrom.get(id) ?? new Set()
      answeredFrom.set(id, reached.add(turn.index))
      // A follow-up says too little of its topic to draw a line from.
      if (turn.repeat === 1 && asked === question.message) grounded.push({ question: asked, article: id })
    }
  }
  const line = calibrate(index, evenly(grounded, MAX_TRIED))
  const byId = new Map(gaps.finish().heaviest.map((gap) => [gap.id, gapTurn(gap, index, line)]))
  const reached = recordsOf(articles, answeredFrom, [...byId.values()], tally.byArticle)
  const isReached = new Set(
    reached.flatMap(({ article, answered, gaps: near }) => (answered + near > 0 ? [article] : [])),
  )
  const contradictions = contradictionsIn(sources, (id) => isReached.has(id))
  const records = reached.map((record): ArticleRecord => ({
    ...record,
    contradicts: contradictions.flatMap(({ sections: [first, second] }) =>
      first.article === record.article
        ? [second.article]
        : second.article === record.article
          ? [first.article]
          : [],
    ),
  }))
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
        line: measuredOf(line),
        contradictions,
      },
      unsupported: tally.figures(),
    },
  }
}

export type Sources = Passages

export const openSources = (articles: readonly Article[]): Sources => new Passages(articles)

/** The likely source of a grounded answer, and its facts that no article bears out. */
export function consultAnswer(answer: string, asked: string, passages: Sources): AnswerTurn {
  const read = readAnswer(answer)
  const source = likelySource(read, passages)
  const { checked, findings } = supportOf(read, asked, source, passages)
  return {
    kind: 'answer',
    source: source && nameOf(source),
    checked,
    doubtful: findings.map(({ fact: { text, start, end }, instead, at, ...finding }) => ({
      ...finding,
      text,
      start,
      end,
      instead: instead && { ...nameOf(instead.passage), text: instead.text },
      at: at && nameOf(at),
    })),
  }
}

const keyOf = ({ index, repeat }: TurnRecord): string => `${index} ${repeat}`

/** The nearest article of each question, by the usual line between the causes. */
export function matchArticles(
  threads: readonly { readonly turns: readonly Question[] }[],
  articles: readonly Article[],
): ArticleMatch {
  const index = new ArticleIndex(articles)
  const line = calibrate(index, [])
  const reached = new Set<string>()
  const without: ArticleMatch['without'][number][] = []
  const gaps: GapTurn[] = []
  for (const { turns } of threads) {
    const openingOf = createOpenings()
    for (const question of turns) {
      const { id, message } = question
      const gap = gapTurn({ message, context: openingOf(question) }, index, line)
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

const nameOf = ({
  article,
  section,
}: {
  readonly article: Article
  readonly section: { readonly heading: string }
}): NamedSection => ({
  article: article.id,
  title: article.title,
  section: section.heading,
  url: article.url,
})

/** The cause of a gap, with the articles that are nearest to it. */
function gapTurn(
  { message, context }: Pick<GapItem, 'message'> & { context?: string | undefined },
  index: ArticleIndex,
  line: CauseLine,
): GapTurn {
  const { cause, nearest, because } = causeOf(index, withContext(message, context), line)
  return { kind: 'gap', cause, because: sentenceOf(because), nearest: nearest.map(nameOf) }
}

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
      if (held.length === 0) return 'No article has a word of the question that matters.'
      const lacks = missing.length === 0 ? '.' : `; it lacks ${listNames(missing)}.`
      return `The nearest article has ${listNames(held)}${lacks}`
    }
    case 'language':
      return `The question is in ${LANGUAGES.of(because.language)}, and no article is.`
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
  const byArticle = new Map<string, number>()
  const counts = { answers: 0, checked: 0, elsewhere: 0 }
  return {
    add: ({ question: { id, message } }: TurnRecord, { source, checked, doubtful }: AnswerTurn): void => {
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
    figures: () => ({ rate: ratio(counts.answers, counts.checked), ...counts }),
  }
}

/** Pairs of articles that differ in a value, or hardly at all; those first that the run's questions reached. */
function contradictionsIn(passages: Passages, isReached: (id: string) => boolean): Contradiction[] {
  const named = contradictionsOf(passages).map(
    ({ kind, passages: [first, second], values }): Contradiction => ({
      kind,
      sections: [
        { ...nameOf(first), text: values[0] },
        { ...nameOf(second), text: values[1] },
      ],
    }),
  )
  const reached = ({ sections }: Contradiction): number =>
    sections.filter(({ article }) => isReached(article)).length
  return named.sort((some, other) => reached(other) - reached(some)).slice(0, MAX_CONTRADICTIONS)
}

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
