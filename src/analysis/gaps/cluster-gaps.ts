// Questions that no article answered, grouped by what they are about: write these articles first.
import type { GapCluster, GapQuestion } from '../../domain/summary.ts'
import { fold } from '../grading/fold.ts'
import { agglomerate } from './agglomerate.ts'
import { featuresOf } from './features.ts'
import { nameOf } from './name.ts'
import { termsOf } from './terms.ts'
import { weigh } from './vectors.ts'

export interface GapItem extends GapQuestion {
  /** The question that opened the thread, for questions that are not understood alone. */
  readonly context?: string
}

/**
 * Mean cosine from which two groups are about one thing. Of 0.2 to 0.35, 0.3 mixes no two of
 * ten articles and splits off one question of theirs, and agrees best with the classes of BANKING77. Lower joins what
 * has only a common word ("office", "change") in common: a wrong group costs an editor more than a divided one.
 */
const ALIKE = 0.3

/** Characters of a question that are enough to know what it is about: who pastes a mail asks at its top. */
const LONGEST = 600

/**
 * Heaviest first, then by size, then by name; questions that stand alone after all groups. The same whatever the order
 * of the items. `background`: all messages of the set, gaps or not, from which is learned what words are common.
 */
export function clusterGaps(items: readonly GapItem[], background: Iterable<string> = []): GapCluster[] {
  const questions = mergeEqual(items)
  // Terms and features are not held while groups are joined: only the vectors that are made of them.
  const { vectors, rarityOf } = weigh(ownFeatures(questions), backgroundFeatures(background))
  return agglomerate(vectors, ALIKE)
    .map((places) => {
      const members = places.flatMap((place) => questions[place] ?? [])
      const name = nameOf(
        members.map(({ message }) => termsOf(message.slice(0, LONGEST))),
        rarityOf,
      )
      return describe(name, members)
    })
    .sort(rank)
}

type Equal = readonly [GapItem, ...GapItem[]]

/** Equal questions (folded, in equal context) are one place to cluster; sorted, so that rows may stand in any order. */
function mergeEqual(items: readonly GapItem[]): Equal[] {
  const equals = new Map<string, [GapItem, ...GapItem[]]>()
  for (const item of items) {
    const key = `${fold(item.message)}\n${fold(item.context ?? '')}`
    const known = equals.get(key)
    if (known === undefined) equals.set(key, [item])
    else known.push(item)
  }
  return [...equals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, equal]) => equal)
}

function* ownFeatures(questions: readonly Equal[]): Generator<ReadonlyMap<string, number>> {
  for (const [{ message, context = '' }] of questions)
    yield featuresOf(termsOf(message.slice(0, LONGEST)), termsOf(context.slice(0, LONGEST)))
}

function* backgroundFeatures(messages: Iterable<string>): Generator<Iterable<string>> {
  for (const message of messages) yield featuresOf(termsOf(message.slice(0, LONGEST)), []).keys()
}

function describe(name: string, members: readonly GapItem[]): GapCluster {
  const questions = members
    .map(({ id, message, weight, tags }) => ({ id, message, weight, tags }))
    .sort((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1))
  const weight = questions.reduce((sum, one) => sum + one.weight, 0)
  const [first] = questions
  return { name: name === '' ? (first?.message.slice(0, 60) ?? '') : name, weight, questions }
}

function rank(a: GapCluster, b: GapCluster): number {
  const isAlone = (one: GapCluster): number => (one.questions.length === 1 ? 1 : 0)
  return (
    isAlone(a) - isAlone(b) ||
    b.weight - a.weight ||
    b.questions.length - a.questions.length ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) ||
    ((a.questions[0]?.id ?? '') < (b.questions[0]?.id ?? '') ? -1 : 1)
  )
}
