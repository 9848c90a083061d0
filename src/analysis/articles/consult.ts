// A run held against the organization's own articles: causes of gaps, likely sources of answers, facts that
// no article bears out, and what it says of each article.
import { type Article, nameSection } from '../../articles/article.ts'
import { contradictionsOf } from '../../articles/contradictions.ts'
import { ArticleIndex } from '../../articles/index.ts'
import { LookUp } from '../../articles/look-up.ts'
import { Passages } from '../../articles/passages.ts'
import { likelySource, readAnswer } from '../../articles/source.ts'
import { supportOf } from '../../articles/support.ts'
import type { Vectors } from '../../articles/vectors.ts'
import {
  type AnswerTurn,
  type ArticleMatch,
  type ArticleRecord,
  CAUSES,
  type Cause,
  type Contradiction,
  type Decision,
  type GapTurn,
  type TurnArticles,
} from '../../domain/articles.ts'
import { countEach } from '../../domain/counts.ts'
import type { Question } from '../../domain/question.ts'
import type { Summary, SummaryDetails } from '../../domain/summary.ts'
import { type AnsweredTurn, isGrounded } from '../../domain/turn.ts'
import { createEarlier, createGapCollector, createOpenings, withContext } from '../gaps/collect.ts'
import { calibrate, type CauseLine, causeOf, type Grounded } from './causes.ts'
import { type Decisions, decisionsOn, NoneEntries } from './decisions.ts'
import { fitOf } from './misfits.ts'

/** A run held against its articles. */
export interface Consulted {
  /** Undefined for a turn without an answer in its context. */
  readonly of: (turn: AnsweredTurn) => TurnArticles | undefined
  /** Of a gap question, by its id. */
  readonly gapOf: (id: string) => GapTurn | undefined
  readonly figures: Required<Pick<Summary, 'articles' | 'unsupported'>>
  /** In the order of the articles' ids. */
  readonly records: readonly ArticleRecord[]
  readonly doubtful: SummaryDetails['doubtful']
}

/** Grounded questions that the line is drawn from; more would take seconds and move it by less than its error. */
const MAX_TRIED = 500
/** Answers with a doubtful fact, or from another article, that reports list. */
const MAX_LISTED = 200
const MAX_CONTRADICTIONS = 100

/** What people say beside the articles. */
export interface Taught {
  readonly decisions?: readonly Decision[]
  readonly synonyms?: readonly (readonly string[])[]
  /** Of the titles and headings, and of every question. */
  readonly vectors?: Vectors | undefined
}

/** What is read of articles once, for any number of passes. */
export interface ArticleIndexes {
  readonly index: ArticleIndex
  readonly passages: Passages
  readonly decisions: Decisions
  readonly none: NoneEntries
}

export function indexArticles(
  articles: readonly Article[],
  { decisions: said = [], synonyms = [], vectors }: Taught = {},
): ArticleIndexes {
  const decisions = decisionsOn(said, new Set(articles.map(({ id }) => id)))
  const index = new ArticleIndex(articles, { askedAs: decisions.askedAs, synonyms, vectors })
  const none = new NoneEntries(index, decisions.none)
  return { index, passages: new Passages(articles), decisions, none }
}

/** An answer with its turn. */
interface Consultation {
  readonly turn: AnsweredTurn
  readonly answer: AnswerTurn
}

/** One pass over the questions and their repeats, in the order of the set. */
export function consultArticles(
  questions: Iterable<readonly [AnsweredTurn, ...AnsweredTurn[]]>,
  groundedSources: readonly string[],
  indexes: ArticleIndexes,
): Consulted {
  const { index, passages, decisions } = indexes
  const openingOf = createOpenings()
  const earlierOf = createEarlier()
  const gaps = createGapCollector(groundedSources, Infinity)
  const answers = new Map<string, Consultation>()
  const grounded: Grounded[] = []
  const decided = new Map<string, Decision>()
  for (const repeats of questions) {
    const { question } = repeats[0]
    const { id, message } = question
    const opening = openingOf(question)
    const earlier = earlierOf(question)
    const asked = withContext(message, opening)
    const decision = decisions.of(question)
    if (decision !== undefined) decided.set(id, decision)
    gaps.add(repeats)
    for (const turn of repeats) {
      if (isGrounded(turn, groundedSources) !== true || turn.result?.kind !== 'reply') continue
      const read = consultAnswer(turn.result.reply.message, asked, passages)
      const source = read.source?.article
      const fit = source === undefined ? undefined : fitOf(index, { message, earlier }, source)
      const other =
        decision === undefined
          ? fit?.other
          : index.articles.find((article) => article.id === decision.article)
      const misfit =
        fit === undefined || other === undefined || other.id === source ? null : nameSection(other)
      answers.set(keyOf(turn), { turn, answer: { ...read, misfit } })
      // A follow-up says too little of its topic to draw a line from.
      const isPlain = turn.repeat === 1 && asked === message && fit?.isDoubtful === false
      if (source !== undefined && isPlain) grounded.push({ question: message, article: source })
    }
  }
  const line = calibrate(index, evenly(grounded, MAX_TRIED))
  const byId = new Map(
    gaps
      .finish()
      .heaviest.map(({ id, message, context }) => [
        id,
        gapTurn({ message, opening: context }, indexes, line, decided.get(id)),
      ]),
  )
  const consulted = [...answers.values()]
  const { records, contradictions } = recordsOf(indexes, consulted, [...byId.values()])
  return {
    of: (turn) =>
      isGrounded(turn, groundedSources) === false
        ? byId.get(turn.question.id)
        : answers.get(keyOf(turn))?.answer,
    gapOf: (id) => byId.get(id),
    records,
    doubtful: listDoubtful(consulted),
    figures: {
      articles: {
        read: records.length,
        unreached: records.filter((record) => record.answered + record.gaps === 0).length,
        sources: consulted.filter(({ answer }) => answer.source !== null).length,
        causes: countCauses([...byId.values()]),
        decided: [...byId.values()].filter(({ decision }) => decision !== null).length,
        line: measuredOf(line),
        contradictions,
        misfits: listMisfits(consulted),
      },
      unsupported: countUnsupported(consulted),
    },
  }
}

const keyOf = ({ index, repeat }: AnsweredTurn): string => `${index} ${repeat}`

/** At most `max` of them, spread over the whole list. */
function evenly<T>(all: readonly T[], max: number): T[] {
  const step = Math.ceil(all.length / max)
  return all.filter((_, index) => index % step === 0)
}

/** The likely source of a grounded answer, and its facts that no article bears out. */
export function consultAnswer(answer: string, asked: string, passages: Passages): Omit<AnswerTurn, 'misfit'> {
  const read = readAnswer(answer)
  const source = likelySource(read, passages)
  const { checked, findings } = supportOf(read, asked, source, passages)
  return {
    kind: 'answer',
    source: source && nameSection(source.article, source.section),
    checked,
    doubtful: findings.map(({ fact: { text, start, end }, instead, at, ...finding }) => ({
      ...finding,
      text,
      start,
      end,
      instead: instead && {
        ...nameSection(instead.passage.article, instead.passage.section),
        text: instead.text,
      },
      at: at && nameSection(at.article, at.section),
    })),
  }
}

/** The cause of a gap, with the articles that are nearest to it; what a person said of it counts. */
function gapTurn(
  asked: { readonly message: string; readonly opening?: string | undefined },
  { index, none }: ArticleIndexes,
  line: CauseLine,
  decision?: Decision,
): GapTurn {
  const found = causeOf(index, asked, line, none)
  if (decision === undefined) return { kind: 'gap', ...found, decision: null }
  const { article: id, by, at } = decision
  const look = new LookUp(index, asked.message, { opening: asked.opening })
  const chosen = index.articles.filter((article) => article.id === id)
  const others = found.nearest.filter(({ article }) => article !== id)
  return {
    kind: 'gap',
    cause: id === null ? 'no-article' : 'not-used',
    because: `${by ?? 'A person'} decided this${at === null ? '' : ` (${at})`}.`,
    decision: { by, at },
    nearest: [...chosen.map((article) => nameSection(article, look.sectionOf(article))), ...others].slice(
      0,
      3,
    ),
  }
}

/** What the run says of each article; pairs that differ, those first that the run's questions reached. */
function recordsOf(
  { index: { articles }, passages }: ArticleIndexes,
  consulted: readonly Consultation[],
  gaps: readonly GapTurn[],
) {
  const sourced = consulted.flatMap(({ turn, answer: { source, doubtful } }) =>
    source === null ? [] : { question: turn.index, article: source.article, doubtful: doubtful.length },
  )
  const answered = countEach(
    new Map(sourced.map(({ question, article }) => [`${question} ${article}`, article])).values(),
  )
  const unsupported = countEach(
    sourced.flatMap(({ article, doubtful }) => Array(doubtful).fill(article) as string[]),
  )
  const nearest = countEach(gaps.flatMap((gap) => gap.nearest[0]?.article ?? []))
  const reached = ({ sections }: Contradiction): number =>
    sections.filter(({ article }) => answered.has(article) || nearest.has(article)).length
  const contradictions = contradictionsOf(passages)
    .map(({ kind, passages: [first, second], values }): Contradiction => ({
      kind,
      sections: [
        { ...nameSection(first.article, first.section), text: values[0] },
        { ...nameSection(second.article, second.section), text: values[1] },
      ],
    }))
    .sort((some, other) => reached(other) - reached(some))
    .slice(0, MAX_CONTRADICTIONS)
  const pairs = contradictions.map(({ sections }) => sections.map(({ article }) => article))
  const records = articles.map(({ id, title, url, digest }): ArticleRecord => ({
    article: id,
    title,
    url,
    digest,
    answered: answered.get(id) ?? 0,
    gaps: nearest.get(id) ?? 0,
    unsupported: unsupported.get(id) ?? 0,
    contradicts: pairs.flatMap((ids) => (ids.includes(id) ? ids.filter((other) => other !== id) : [])),
  }))
  return { records, contradictions }
}

function listDoubtful(consulted: readonly Consultation[]): SummaryDetails['doubtful'] {
  const doubtful = consulted.filter(({ answer }) => answer.doubtful.length > 0)
  const items = doubtful.slice(0, MAX_LISTED).map(({ turn: { question }, answer }) => ({
    id: question.id,
    message: question.message,
    facts: answer.doubtful,
  }))
  return { count: doubtful.length, items }
}

function listMisfits(consulted: readonly Consultation[]): NonNullable<Summary['articles']>['misfits'] {
  const items = consulted.flatMap(
    ({
      turn: {
        question: { id, message },
      },
      answer: { source, misfit },
    }) =>
      source === null || misfit === null
        ? []
        : { id, message, source: source.article, article: misfit.article },
  )
  return { count: items.length, items: items.slice(0, MAX_LISTED) }
}

function countUnsupported(consulted: readonly Consultation[]): NonNullable<Summary['unsupported']> {
  const doubtful = consulted.flatMap(({ answer }) => (answer.doubtful.length === 0 ? [] : [answer.doubtful]))
  const answers = doubtful.length
  const checked = consulted.filter(({ answer }) => answer.checked > 0).length
  const elsewhere = doubtful.filter((facts) => facts.every(({ kind }) => kind === 'elsewhere')).length
  return { rate: checked === 0 ? null : answers / checked, answers, checked, elsewhere }
}

function countCauses(gaps: readonly GapTurn[]): Record<Cause, number> {
  const counts = countEach(gaps.map(({ cause }) => cause))
  const entries = CAUSES.map((cause) => [cause, counts.get(cause) ?? 0])
  return Object.fromEntries(entries) as Record<Cause, number>
}

/** How often the line was wrong where the cause was known. */
function measuredOf({ measured, from }: CauseLine): NonNullable<Summary['articles']>['line'] {
  const { tried, decided, wrong } = measured
  return {
    tried,
    by: from,
    decided: tried === 0 ? null : decided / tried,
    wrong: decided === 0 ? null : wrong / decided,
  }
}

/** The nearest article of each question of a set, by the usual line between the causes. */
export function matchArticles(
  threads: readonly { readonly turns: readonly Question[] }[],
  articles: readonly Article[],
  taught: Taught = {},
): ArticleMatch {
  const indexes = indexArticles(articles, taught)
  const line = calibrate(indexes.index, [])
  const openingOf = createOpenings()
  const matches = threads.flatMap(({ turns }) =>
    turns.map((question) => {
      const { id, message } = question
      const asked = { message, opening: openingOf(question) }
      return { id, message, gap: gapTurn(asked, indexes, line, indexes.decisions.of(question)) }
    }),
  )
  const gaps = matches.map(({ gap }) => gap)
  const reached = new Set(gaps.map(({ nearest }) => nearest[0]?.article))
  return {
    read: articles.length,
    counts: countCauses(gaps),
    without: matches
      .filter(({ gap }) => gap.cause === 'no-article')
      .map(({ id, message, gap }) => ({ id, message, nearest: gap.nearest[0] ?? null })),
    unreached: articles.filter(({ id }) => !reached.has(id)).map(({ id, title }) => ({ article: id, title })),
  }
}
