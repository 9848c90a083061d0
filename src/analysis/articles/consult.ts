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
  type NamedSection,
  type TurnArticles,
} from '../../domain/articles.ts'
import { visibleText } from '../../text/fold.ts'
import { countEach, groupBy } from '../../domain/counts.ts'
import type { Question } from '../../domain/question.ts'
import type { Summary, SummaryDetails } from '../../domain/summary.ts'
import { type AnsweredTurn, isGrounded } from '../../domain/turn.ts'
import {
  createEarlier,
  createGapCollector,
  createOpenings,
  type GapItem,
  withContext,
} from '../gaps/collect.ts'
import { calibrate, type CauseLine, causeOf, type Grounded } from './causes.ts'
import { decisionsOn, NoneEntries } from './decisions.ts'
import { fitOf } from './misfits.ts'

export type Consultation = ReturnType<typeof createConsultation>
export type Consulted = ReturnType<Consultation['finish']>

/** To draw the line from more grounded questions takes seconds and moves it by less than its error. */
const MAX_TRIED = 500
const MAX_LISTED = 200
const MAX_CONTRADICTIONS = 100

export interface Taught {
  readonly decisions?: readonly Decision[]
  readonly synonyms?: readonly (readonly string[])[]
  readonly vectors?: Vectors | undefined
}

export type ArticleIndexes = ReturnType<typeof indexArticles>

export function indexArticles(
  articles: readonly Article[],
  { decisions: said = [], synonyms = [], vectors }: Taught = {},
) {
  const decisions = decisionsOn(said, new Set(articles.map(({ id }) => id)))
  const index = new ArticleIndex(articles, { askedAs: decisions.askedAs, synonyms, vectors })
  const none = new NoneEntries(index, decisions.none)
  return { index, passages: new Passages(articles), decisions, none }
}

interface ConsultedAnswer {
  readonly index: number
  readonly question: Question
  readonly answer: AnswerTurn
}

export function consultArticles(
  questions: Iterable<readonly [AnsweredTurn, ...AnsweredTurn[]]>,
  groundedSources: readonly string[],
  indexes: ArticleIndexes,
): Consulted {
  const { add, finish } = createConsultation(indexes, groundedSources)
  for (const repeats of questions) add(repeats)
  return finish()
}

/** Call `add` in the order of the set. An earlier report may have `recorded` the articles as they were. */
export function createConsultation(
  indexes: ArticleIndexes,
  groundedSources: readonly string[],
  recorded?: readonly ArticleRecord[],
) {
  const { index, passages, decisions } = indexes
  const openingOf = createOpenings()
  const earlierOf = createEarlier()
  const gaps = createGapCollector(groundedSources, Infinity)
  const answers = new Map<string, ConsultedAnswer>()
  const grounded: Grounded[] = []
  const decided = new Map<string, Decision>()
  const add = (repeats: readonly [AnsweredTurn, ...AnsweredTurn[]]): void => {
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
      const decidedOn = decision && index.articles.find((article) => article.id === decision.article)
      const other = decision === undefined ? fit?.other : decidedOn
      const isMisfit = fit !== undefined && other !== undefined && other.id !== source
      const answer = { ...read, misfit: isMisfit ? nameSection(other) : null }
      // Without the turn: a run may have 100,000 answers.
      answers.set(keyOf(turn), { index: turn.index, question, answer })
      // A follow-up says too little of its topic to draw a line from.
      const isPlain = turn.repeat === 1 && asked === message && fit?.isDoubtful === false
      if (source !== undefined && isPlain)
        grounded.push({ question: message, article: source, isRivalled: fit.isRivalled })
    }
  }
  const finish = () => {
    const { heaviest } = gaps.finish()
    const consulted = consultedOf({ answers, grounded, decided, gaps: heaviest }, indexes, groundedSources)
    const { records, edited } = heldAgainst(recorded, consulted.records)
    return { ...consulted, records, edited }
  }
  return { add, finish }
}

interface Collected {
  readonly answers: ReadonlyMap<string, ConsultedAnswer>
  readonly grounded: readonly Grounded[]
  readonly decided: ReadonlyMap<string, Decision>
  readonly gaps: readonly GapItem[]
}

function consultedOf(
  { answers, grounded, decided, gaps }: Collected,
  indexes: ArticleIndexes,
  groundedSources: readonly string[],
) {
  const step = Math.ceil(grounded.length / MAX_TRIED)
  const line = calibrate(
    indexes.index,
    grounded.filter((_, number) => number % step === 0),
  )
  const gapOf = new Map<string, GapTurn>()
  for (const { id, message, context } of gaps)
    gapOf.set(id, gapTurn({ message, opening: context }, indexes, line, decided.get(id)))
  const { tried, decided: decisive } = line.measured
  const gapTurns = [...gapOf.values()]
  const consulted = [...answers.values()]
  const { records, contradictions } = recordsOf(indexes, consulted, gapTurns)
  return {
    /** Returns undefined for a turn without an answer in its context. */
    of: (turn: AnsweredTurn): TurnArticles | undefined =>
      isGrounded(turn, groundedSources) === false
        ? gapOf.get(turn.question.id)
        : answers.get(keyOf(turn))?.answer,
    gapOf: (id: string) => gapOf.get(id),
    textOf: (section: NamedSection) => textOfSection(indexes.index.articles, section),
    records,
    doubtful: listDoubtful(consulted),
    figures: {
      articles: {
        read: records.length,
        unreached: records.filter((record) => record.answered + record.gaps === 0).length,
        sources: consulted.filter(({ answer }) => answer.source !== null).length,
        causes: countCauses(gapTurns),
        decided: gapTurns.filter(({ decision }) => decision !== null).length,
        line: {
          tried,
          by: line.from,
          decided: tried === 0 ? null : decisive / tried,
          wrong: decisive === 0 ? null : line.measured.wrong / decisive,
        },
        contradictions,
        misfits: listMisfits(consulted),
      },
      unsupported: countUnsupported(consulted),
    },
  }
}

/** The sections as a reader sees them, without markup. */
export const visibleSections = ({ sections }: Article) =>
  sections.map(({ heading, text }) => ({ heading, text: visibleText(text) }))

/** Records keep the articles that the run was answered from: a comparison names what changed since. */
function heldAgainst(before: readonly ArticleRecord[] | undefined, records: readonly ArticleRecord[]) {
  if (before === undefined) return { records, edited: 0 }
  const now = new Map(records.map((record) => [record.article, record]))
  const known = new Set(before.map(({ article }) => article))
  return {
    records: before.map((record): ArticleRecord => {
      const gone = { ...record, answered: 0, gaps: 0, unsupported: 0, contradicts: [] }
      // Those of the text with this digest.
      const { questions = now.get(record.article)?.questions } = record
      return { ...(now.get(record.article) ?? gone), digest: record.digest, ...(questions && { questions }) }
    }),
    edited:
      before.filter(({ article, digest }) => now.get(article)?.digest !== digest).length +
      records.filter(({ article }) => !known.has(article)).length,
  }
}

/** As a reader sees it, without markup; the first section where none of that heading is there. */
function textOfSection(articles: readonly Article[], { article, section }: NamedSection): string | undefined {
  const sections = articles.find(({ id }) => id === article)?.sections
  const found = sections?.find(({ heading }) => heading === section) ?? sections?.[0]
  return found && visibleText(found.text)
}

const keyOf = ({ index, repeat }: AnsweredTurn): string => `${index} ${repeat}`

export function consultAnswer(answer: string, asked: string, passages: Passages): Omit<AnswerTurn, 'misfit'> {
  const read = readAnswer(answer, passages.language)
  const source = likelySource(read, passages, asked)
  const { checked, held, findings } = supportOf(read, asked, source, passages)
  return {
    kind: 'answer',
    source: source && nameSection(source.article, source.section),
    checked,
    held: held.map(({ start, end }) => [start, end] as const),
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
  const chosen = index.articles
    .filter((article) => article.id === id)
    .map((article) => nameSection(article, look.sectionOf(article)))
  const others = found.nearest.filter(({ article }) => article !== id)
  return {
    kind: 'gap',
    cause: id === null ? 'no-article' : 'not-used',
    because: `${by ?? 'A person'} decided this${at === null ? '' : ` (${at})`}.`,
    decision: { by, at },
    nearest: [...chosen, ...others].slice(0, 3),
  }
}

/** Pairs of articles that differ are listed, those first that the run's questions reached. */
function recordsOf(
  { index: { articles }, passages }: ArticleIndexes,
  consulted: readonly ConsultedAnswer[],
  gaps: readonly GapTurn[],
) {
  const sourced = consulted.flatMap(({ index, question: { id }, answer: { source, doubtful } }) =>
    source === null ? [] : { question: index, id, article: source.article, doubtful: doubtful.length },
  )
  const sourcedBy = groupBy(sourced, ({ article }) => article)
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
    questions: [...new Set((sourcedBy.get(id) ?? []).map((answer) => answer.id))],
  }))
  return { records, contradictions }
}

function listDoubtful(consulted: readonly ConsultedAnswer[]): SummaryDetails['doubtful'] {
  const doubtful = consulted.filter(({ answer }) => answer.doubtful.length > 0)
  const items = doubtful.slice(0, MAX_LISTED).map(({ question, answer }) => ({
    id: question.id,
    message: question.message,
    facts: answer.doubtful,
  }))
  return { count: doubtful.length, items }
}

function listMisfits(consulted: readonly ConsultedAnswer[]): NonNullable<Summary['articles']>['misfits'] {
  const items = consulted.flatMap(({ question: { id, message }, answer: { source, misfit } }) => {
    if (source === null || misfit === null) return []
    return { id, message, source: source.article, article: misfit.article }
  })
  return { count: items.length, items: items.slice(0, MAX_LISTED) }
}

function countUnsupported(consulted: readonly ConsultedAnswer[]): NonNullable<Summary['unsupported']> {
  const doubtful = consulted.map(({ answer }) => answer.doubtful).filter((facts) => facts.length > 0)
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

/** Finds the nearest article of each question of a set, by the usual line between the causes. */
export function matchArticles(
  threads: readonly { readonly turns: readonly Question[] }[],
  articles: readonly Article[],
  taught: Taught = {},
): ArticleMatch {
  const indexes = indexArticles(articles, taught)
  const line = calibrate(indexes.index, [])
  const openingOf = createOpenings()
  const questions = threads.flatMap(({ turns }) => turns)
  const matches = questions.map((question) => {
    const { id, message } = question
    const asked = { message, opening: openingOf(question) }
    return { id, message, gap: gapTurn(asked, indexes, line, indexes.decisions.of(question)) }
  })
  const gaps = matches.map(({ gap }) => gap)
  const reached = new Set(gaps.map(({ nearest }) => nearest[0]?.article))
  return {
    read: articles.length,
    counts: countCauses(gaps),
    nearest: matches.map(({ id, gap }) => ({
      id,
      cause: gap.cause,
      article: gap.nearest[0]?.article ?? null,
    })),
    without: matches
      .filter(({ gap }) => gap.cause === 'no-article')
      .map(({ id, message, gap }) => ({ id, message, nearest: gap.nearest[0] ?? null })),
    unreached: articles.filter(({ id }) => !reached.has(id)).map(({ id, title }) => ({ article: id, title })),
  }
}
