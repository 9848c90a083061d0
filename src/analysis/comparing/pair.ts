// Pairs the questions of two runs: by id and text, by thread and text, by a text that each run has once, then
// by id. Never by position.
import type { Row } from '../../domain/changes.ts'
import { foldText } from '../../text/fold.ts'
import type { Model } from '../figures/fold.ts'
import { isMarked, type Selected, selects } from '../figures/selected.ts'
import { ratio } from '../figures/turns.ts'

type Questions = Model['questions']

export interface Pair {
  readonly presence: Row['presence']
  readonly baseline?: number
  readonly candidate?: number
}

/** A part of the set neither removes nor adds what it left out. */
export function pairRuns(baseline: Selected, candidate: Selected) {
  const [baselineIsPart, candidateIsPart] = [isPart(baseline, candidate), isPart(candidate, baseline)]
  const pairs = pairQuestions(baseline.model.questions, candidate.model.questions).filter(({ presence }) =>
    presence === 'added' ? !baselineIsPart : presence === 'removed' ? !candidateIsPart : true,
  )
  return { pairs, baselineIsPart, candidateIsPart }
}

/** Two runs of one selection are whole beside each other. */
function isPart({ manifest, model }: Selected, other: Selected): boolean {
  const [selection, otherSelection] = [manifest, other.manifest].map((selected) => {
    const { tag, grep, sample, seed } = selected.options
    const { shard } = selected
    return !selects(selected)
      ? ''
      : JSON.stringify([tag.toSorted(), grep, sample, sample && seed, shard?.index, shard?.of])
  })
  return isMarked(model) || (selection !== '' && selection !== otherSelection)
}

export function overlapOf(pairs: readonly Pick<Pair, 'presence'>[]) {
  const count = { both: 0, edited: 0, added: 0, removed: 0 }
  for (const { presence } of pairs) count[presence] += 1
  const { both: shared, edited, added, removed } = count
  return {
    shared,
    edited,
    baseline: shared + edited + removed,
    candidate: shared + edited + added,
    share: ratio(shared, pairs.length),
  }
}

/** A curled apostrophe or a doubled space is no edit, so texts are folded. */
const foldAll = (questions: Questions) =>
  questions.flatMap((question, index) =>
    question === undefined ? [] : [{ question, index, text: foldText(question.message) }],
  )

type Folded = ReturnType<typeof foldAll>[number]
type Key = (question: Folded) => string

/**
 * The text comes before the id alone: where ids are row numbers, an inserted row gives every later question
 * the id of another. What only the id pairs is edited.
 */
const KEYS: readonly Key[] = [
  ({ question: { id }, text }) => JSON.stringify([id, text]),
  ({ question: { file, thread }, text }) => JSON.stringify([file, thread, text]),
  ({ text }) => text,
  ({ question: { id } }) => id,
]

export function pairQuestions(baseline: Questions, candidate: Questions): Pair[] {
  const [before, after] = [foldAll(baseline), foldAll(candidate)]
  const partners = new Map<Folded, Folded>()
  const matched = new Set<Folded>()
  for (const key of KEYS) {
    const others = uniqueBy(key, before, matched)
    for (const [name, question] of uniqueBy(key, after, partners)) {
      const other = others.get(name)
      if (question === undefined || other === undefined) continue
      partners.set(question, other)
      matched.add(other)
    }
  }
  const pairs = after.map((question): Pair => {
    const other = partners.get(question)
    if (other === undefined) return { presence: 'added', candidate: question.index }
    const presence = other.text === question.text ? 'both' : 'edited'
    return { presence, baseline: other.index, candidate: question.index }
  })
  const removed = before.filter((other) => !matched.has(other))
  return [...pairs, ...removed.map(({ index }): Pair => ({ presence: 'removed', baseline: index }))]
}

/** Skips what is in `matched`. A name that several questions share is that of none of them. */
function uniqueBy(key: Key, questions: readonly Folded[], matched: { has: (question: Folded) => boolean }) {
  const unique = new Map<string, Folded | undefined>()
  for (const question of questions) {
    if (matched.has(question)) continue
    const name = key(question)
    unique.set(name, unique.has(name) ? undefined : question)
  }
  return unique
}
