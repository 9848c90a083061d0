// What edited articles did to the answers: which changed with them, which still give the old fact, and edits
// that changed no answer.
import type { Article } from '../../articles/article.ts'
import { extractFacts } from '../../articles/facts.ts'
import { ArticleIndex } from '../../articles/index.ts'
import { LookUp } from '../../articles/look-up.ts'
import { Passages } from '../../articles/passages.ts'
import { likelySource, readAnswer } from '../../articles/source.ts'
import type { NamedArticle } from '../../domain/articles.ts'
import { answerOf, type ChangedFact, factText, type Row } from '../../domain/changes.ts'
import type { ArticleEdits } from '../../domain/comparison.ts'
import { groupBy } from '../../domain/counts.ts'
import { compareTexts } from '../../domain/text.ts'
import { consultAnswer } from '../articles/consult.ts'
import { createOpenings, withContext } from '../gaps/collect.ts'

export interface RecordedArticle {
  readonly article: string
  readonly digest: string
  readonly title: string
  /** Undefined where an earlier version recorded them. */
  readonly questions?: readonly string[]
}

/** `articles` are those of now, in which the likely sources are found. */
export function findEdits(
  rows: readonly Row[],
  { before, now }: { readonly before: readonly RecordedArticle[]; readonly now: readonly RecordedArticle[] },
  articles: readonly Article[],
  groundedSources: readonly string[],
): ArticleEdits {
  const digests = new Map(before.map(({ article, digest }) => [article, digest]))
  const questionsOf = new Map(before.map(({ article, questions }) => [article, questions]))
  const known = new Set(now.map(({ article }) => article))
  const edited = now.filter(({ article, digest }) => (digests.get(article) ?? digest) !== digest)
  const editedIds = new Set(edited.map(({ article }) => article))
  const sources = new Passages(articles)
  const answers = rows.flatMap((row) => {
    const { candidate, presence } = row
    const isGrounded = candidate !== null && groundedSources.includes(candidate.source)
    const answer = presence === 'both' && isGrounded ? answerOf(candidate) : null
    if (answer === null) return []
    return [{ row, ...consultAnswer(answer, row.message, sources) }]
  })
  const sourced = answers.flatMap(({ row, source }) => (source === null ? [] : [{ row, source }]))
  const changedOf = groupBy(
    sourced.filter(({ row }) => row.answers !== 'same'),
    ({ source }) => source.article,
  )
  // An answer may resemble its article no longer, once that gives another value.
  const editedOf = new Map(
    edited.flatMap((article) => (questionsOf.get(article.article) ?? []).map((id) => [id, article] as const)),
  )
  const stale = answers.flatMap(({ row, doubtful, ...answer }) => {
    const isOfEdited = answer.source !== null && editedIds.has(answer.source.article)
    const source = isOfEdited ? answer.source : editedOf.get(row.id)
    if (source === null || source === undefined) return []
    // Old facts only: the baseline's answer gave them, too.
    const previous = row.baseline && answerOf(row.baseline)
    const facts = previous === null ? [] : extractFacts(previous)
    const old = doubtful.filter(({ text }) => facts.some((fact) => fact.text === text))
    return old.map(({ text }) => ({ row, source, fact: text }))
  })
  const reached = new Set(edited.length === 0 ? [] : articlesOf(rows, articles, sources, groundedSources))
  return {
    edited: edited.map(({ article, title }) => {
      const changed = changedOf.get(article)?.length
      return { article, title, answers: changed ?? (reached.has(article) ? 0 : null) }
    }),
    added: now.filter(({ article }) => !digests.has(article)).map(({ title }) => title),
    removed: before.filter(({ article }) => !known.has(article)).map(({ title }) => title),
    facts: grouped(
      sourced.flatMap(({ row, source }) =>
        pairsOf(row.factsLost, row.factsGained).map((fact) => ({ row, source, fact })),
      ),
    ),
    stale: grouped(stale),
  }
}

function articlesOf(
  rows: readonly Row[],
  articles: readonly Article[],
  sources: Passages,
  groundedSources: readonly string[],
): string[] {
  const index = new ArticleIndex(articles)
  const openingOf = createOpenings()
  return rows.flatMap((row) => {
    const asked = withContext(row.message, openingOf(row))
    if (row.presence !== 'both') return []
    return [row.baseline, row.candidate].flatMap((side) => {
      const answer = side && answerOf(side)
      if (side === null || answer === null) return []
      if (!groundedSources.includes(side.source))
        return new LookUp(index, asked).nearest(1).map(({ article }) => article.id)
      return likelySource(readAnswer(answer, sources.language), sources, asked)?.article.id ?? []
    })
  })
}

function pairsOf(lost: readonly ChangedFact[], gained: readonly ChangedFact[]): string[] {
  const left = [...gained]
  return lost.flatMap((fact) => {
    const index = left.findIndex(({ kind }) => kind === fact.kind)
    const [now] = index === -1 ? [] : left.splice(index, 1)
    return now === undefined ? [] : [`${factText(fact)} → ${factText(now)}`]
  })
}

function grouped(found: readonly { row: Row; source: NamedArticle; fact: string }[]): ArticleEdits['facts'] {
  const groups = groupBy(found, ({ source, fact }) => `${source.article}\n${fact}`)
  return [...groups.values()]
    .map(([first, ...others]) => ({
      article: first.source.article,
      title: first.source.title,
      fact: first.fact,
      questions: [first, ...others].map(({ row: { id, message } }) => ({ id, message })),
    }))
    .sort((a, b) => b.questions.length - a.questions.length || compareTexts(a.fact, b.fact))
}
