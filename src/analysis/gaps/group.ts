// Groups gaps for an editor: by topic; with articles, first those whose article was not used, by article.
import { CAUSES, type GapTurn } from '../../domain/articles.ts'
import { countEach, groupBy, mostFrequent } from '../../domain/counts.ts'
import type { GapCluster } from '../../domain/summary.ts'
import { compareTexts, cut, singleSpaced } from '../../domain/text.ts'
import { foldText } from '../../text/fold.ts'
import { InvertedIndex } from '../../text/inverted-index.ts'
import { languageOf, topicTerms } from '../../text/words.ts'
import { type GapItem, MIN_OWN_TERMS } from './collect.ts'

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

/**
 * A lower mean cosine joins questions that share only a common word ("office", "change"). A wrong group costs
 * an editor more than a divided one.
 */
const MIN_COSINE = 0.3

/** Equal questions, with the terms of their text and, where they are few, of their conversation's opening. */
interface Gap {
  readonly items: readonly [GapItem, ...GapItem[]]
  readonly terms: ReadonlyMap<string, string>
  readonly context: ReadonlyMap<string, string>
}

/** Puts the heaviest group first, and single questions last. The order of the items does not matter. */
export function clusterGaps(items: readonly GapItem[], background: readonly string[] = []): GapCluster[] {
  // Avoids reading the background, which takes most of the time.
  if (items.length === 0) return []
  const sorted = items.toSorted((a, b) => compareTexts(a.id, b.id))
  const groups = groupBy(sorted, ({ message, context = '' }) => `${foldText(message)}\n${foldText(context)}`)
  const equals = [...groups].sort(([a], [b]) => compareTexts(a, b)).map(([, equal]) => equal)
  const usual = mostFrequent(equals.flatMap(([{ message }]) => languageOf(message) ?? []))
  const gaps = equals.map((group): Gap => {
    const [{ message, context = '' }] = group
    const terms = topicTerms(message, usual)
    return { items: group, terms, context: topicTerms(terms.size < MIN_OWN_TERMS ? context : '', usual) }
  })
  const index = new InvertedIndex()
  for (const [number, { terms, context }] of gaps.entries())
    index.add(number, new Set([...terms.keys(), ...context.keys()]))
  for (const message of background) index.add(index.size, topicTerms(message, usual).keys())
  const idf = (term: string): number => {
    const isShared = (index.holders(term)[1] ?? Infinity) < gaps.length
    return (isShared ? 1 : SINGLE_GAP_WEIGHT) * (index.weightOf(term) + 1)
  }
  const weighted = gaps.map((gap) => ({ ...gap, vector: vectorOf(gap, idf) }))
  const clusterOf = ({ members: group, sum }: Topic): GapCluster => {
    const ranked = [...group].map((gap) => ({ gap, cosines: similarity(gap.vector, sum) }))
    const central = ranked.reduce((best, other) => (other.cosines > best.cosines ? other : best)).gap
    const name = shorten(central.items[0].message)
    const shared = sharedTerms([...group], central, idf)
    const members = [...group].flatMap(({ items: some }) => some)
    members.sort((a, b) => b.weight - a.weight || compareTexts(a.id, b.id))
    return {
      name: shared === '' ? name : `${name} · ${shared}`,
      weight: members.reduce((total, { weight }) => total + weight, 0),
      questions: members.map(({ id, message, answer }) => ({ id, message, answer })),
    }
  }
  return topicsOf(weighted).map(clusterOf).sort(compareGroups)
}

/** A term that only one gap has would hide the terms that it shares with others, at full weight. */
const SINGLE_GAP_WEIGHT = 0.6

/** Follow-ups such as "How long does it take?" need terms from the thread's first question. */
const CONTEXT_WEIGHT = 0.5

type Vector = ReadonlyMap<string, number>
type WeightedGap = Gap & { readonly vector: Vector }

/** A term counts once, even if it is repeated, because questions are short. */
function vectorOf({ terms, context }: Gap, idf: (term: string) => number): Vector {
  const weights = new Map([...context.keys()].map((term) => [term, CONTEXT_WEIGHT * idf(term)]))
  for (const term of terms.keys()) weights.set(term, idf(term))
  const length = Math.hypot(...weights.values())
  return new Map([...weights].map(([term, weight]) => [term, weight / length]))
}

function similarity(some: Vector, others: Vector): number {
  let sum = 0
  for (const [term, weight] of some) sum += weight * (others.get(term) ?? 0)
  return sum
}

interface Topic {
  readonly members: Set<WeightedGap>
  /** A vector times this sum is the sum of its cosines with the members. */
  readonly sum: Map<string, number>
}

/** The second pass moves questions that came before the group that they fit best. A third moves few. */
const PASSES = 2

/** Each question joins the group with the highest mean cosine, one after the other, or begins a new one. */
function topicsOf(gaps: readonly WeightedGap[]): Topic[] {
  const topics = new Set<Topic>()
  const topicOf = new Map<WeightedGap, Topic>()
  const move = ({ vector }: WeightedGap, { sum }: Topic, sign: 1 | -1): void => {
    for (const [term, weight] of vector) sum.set(term, (sum.get(term) ?? 0) + sign * weight)
  }
  for (let pass = 0; pass < PASSES; pass += 1)
    for (const gap of gaps) {
      const before = topicOf.get(gap)
      if (before !== undefined) move(gap, before, -1)
      before?.members.delete(gap)
      if (before?.members.size === 0) topics.delete(before)
      let best: Topic = { members: new Set(), sum: new Map() }
      let highest = MIN_COSINE
      for (const topic of topics) {
        const mean = similarity(gap.vector, topic.sum) / topic.members.size
        if (mean >= highest) [best, highest] = [topic, mean]
      }
      topics.add(best)
      best.members.add(gap)
      move(gap, best, 1)
      topicOf.set(gap, best)
    }
  return [...topics]
}

const MAX_NAME_LENGTH = 60
const MAX_NAME_TERMS = 3

function shorten(message: string): string {
  const line = singleSpaced(message)
  return line.length <= MAX_NAME_LENGTH ? line : cut(line, MAX_NAME_LENGTH - 1).replace(/ …$/, '…')
}

/** Puts the most characteristic term first, in the central question's spelling. */
function sharedTerms(group: readonly Gap[], central: Gap, idf: (term: string) => number): string {
  const distinct = new Map(group.map(({ items: [{ message }], terms }) => [foldText(message), terms]))
  const counts = countEach([...distinct.values()].flatMap((terms) => [...terms.keys()]))
  const score = (term: string): number => (counts.get(term) ?? 0) * idf(term)
  const surfaces = new Map([...distinct.values(), central.terms].flatMap((terms) => [...terms]))
  return [...surfaces]
    .filter(([term]) => (counts.get(term) ?? 0) > 1)
    .sort(([a], [b]) => score(b) - score(a) || compareTexts(a, b))
    .slice(0, MAX_NAME_TERMS)
    .map(([, surface]) => surface)
    .join(', ')
}

function compareGroups(a: GapCluster, b: GapCluster): number {
  const isAlone = ({ questions }: GapCluster): number => Number(questions.length === 1)
  return (
    isAlone(a) - isAlone(b) ||
    b.weight - a.weight ||
    b.questions.length - a.questions.length ||
    compareTexts(a.name, b.name) ||
    compareTexts(a.questions[0]?.id ?? '', b.questions[0]?.id ?? '')
  )
}
