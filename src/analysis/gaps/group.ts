// Groups gaps for an editor: by topic; with articles, first those whose article was not used, by article.
import { CAUSES, type GapTurn } from '../../domain/articles.ts'
import type { GapCluster } from '../../domain/summary.ts'
import { compareTexts } from '../../domain/text.ts'
import { groupBy } from '../figures/turns.ts'
import { clusterGaps } from './cluster.ts'
import type { GapItem } from './collect.ts'

export type GapOf = (id: string) => GapTurn | undefined

/** The heaviest gap comes first, whatever its cause, if questions have weights. */
export function groupGaps(
  items: readonly GapItem[],
  background: readonly string[],
  gapOf: GapOf | undefined,
  isWeighted: boolean,
): GapCluster[] {
  const groups = gapOf === undefined ? clusterGaps(items, background) : groupByCause(items, background, gapOf)
  return isWeighted ? groups.toSorted((a, b) => b.weight - a.weight) : groups
}

function groupByCause(items: readonly GapItem[], background: readonly string[], gapOf: GapOf): GapCluster[] {
  const byCause = groupBy(items, ({ id }) => gapOf(id)?.cause ?? 'unclear')
  return CAUSES.flatMap((cause) => {
    const some = byCause.get(cause) ?? []
    if (cause === 'not-used') return groupByArticle(some, gapOf)
    return clusterGaps(some, background).map((cluster) => {
      const nearest = cluster.questions.map(({ id }) => gapOf(id)?.nearest[0])
      const questions = cluster.questions.map((question, index) => ({ ...question, near: nearest[index] }))
      const [article] = nearest
      const isShared = nearest.every((other) => other?.article === article?.article)
      return { ...cluster, questions, cause, ...(isShared && article !== undefined && { article }) }
    })
  })
}

function groupByArticle(items: readonly GapItem[], gapOf: GapOf): GapCluster[] {
  const groups = groupBy(items, ({ id }) => gapOf(id)?.nearest[0]?.article ?? '')
  return [...groups.values()]
    .flatMap((members) => {
      const article = gapOf(members[0].id)?.nearest[0]
      if (article === undefined) return []
      const questions = members.toSorted((a, b) => b.weight - a.weight || compareTexts(a.id, b.id))
      return {
        name: article.title,
        weight: members.reduce((sum, { weight }) => sum + weight, 0),
        questions: questions.map(({ id, message, answer }) => ({ id, message, answer, near: article })),
        cause: 'not-used' as const,
        article,
      }
    })
    .sort((a, b) => b.weight - a.weight || compareTexts(a.name, b.name))
}
