// Pairs the questions of two runs: by id and text, by thread and text, by a text that each run has once, then
// by id. Never by position.
import { isDeepStrictEqual } from 'node:util'
import type { Row, Side } from '../../domain/changes.ts'
import { ratio } from '../../domain/counts.ts'
import type { JournalRecord, Position } from '../../domain/journal.ts'
import { areWeighted } from '../../domain/question.ts'
import type { RunManifest } from '../../options/manifest.ts'
import { foldText } from '../../text/fold.ts'
import { addUsage, noUsage, quotaFigures } from '../figures/account.ts'
import { createFigures } from '../figures/figures.ts'
import { isMarked, type Model, type Selected, selects } from '../figures/fold.ts'
import { gradedQuestions } from '../figures/graded.ts'
import { sideOf } from './rows.ts'

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

export function overlapOf(pairs: readonly { readonly presence: Row['presence'] }[]) {
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

export interface ReadableRun {
  readonly path: string
  readonly name: string
  readonly manifest: RunManifest
  readonly model: Model
  readonly notes: readonly string[]
  readonly sent: Readonly<Record<string, unknown>>
  readonly pick: (position: Position) => JournalRecord
}

export function gradeRuns(baseline: ReadableRun, candidate: ReadableRun, groundedSources: readonly string[]) {
  const { pairs, baselineIsPart, candidateIsPart } = pairRuns(baseline, candidate)
  const accepted = candidateIsPart ? cut(baseline, pairs, 'baseline') : baseline
  const judged = baselineIsPart ? cut(candidate, pairs, 'candidate') : candidate
  const { run, redefined } = redefine(accepted, candidate, pairs)
  const grading = { ...candidate.manifest.options, groundedSources: [...groundedSources] }
  return {
    pairs,
    isPart: baselineIsPart || candidateIsPart,
    redefined,
    before: gradeRun(run, grading),
    after: gradeRun(judged, grading),
  }
}

/** The run without the questions that the other one, which is of a part of the set, left out. */
function cut(run: ReadableRun, pairs: readonly Pair[], side: 'baseline' | 'candidate'): ReadableRun {
  const indexes = new Set(pairs.map((pair) => pair[side]))
  const questions = run.model.questions.map((question, index) => (indexes.has(index) ? question : undefined))
  const slots = run.model.slots.filter(({ index }) => questions[index] !== undefined)
  const usage = noUsage()
  for (const slot of slots) addUsage(usage, slot)
  return { ...run, model: { ...run.model, questions, slots, usage } }
}

/** Expectations, tags and weights come from the candidate; what was sent stays. */
function redefine(run: ReadableRun, candidate: ReadableRun, pairs: readonly Pair[]) {
  const questions = [...run.model.questions]
  let redefined = 0
  for (const pair of pairs) {
    if (pair.baseline === undefined || pair.candidate === undefined) continue
    const [before, now] = [questions[pair.baseline], candidate.model.questions[pair.candidate]]
    if (before === undefined || now === undefined) continue
    const { expect, tags, mustPass, weight } = now
    const cells = { ...before.cells, ...now.cells }
    const { expect: expectBefore, weight: weightBefore, ...sent } = before
    if (!isDeepStrictEqual([expectBefore ?? {}, sent.mustPass], [expect ?? {}, mustPass])) redefined += 1
    // Most questions are as they were, and need no copy.
    const defined = [expectBefore, sent.mustPass, sent.tags, sent.cells, weightBefore]
    if (isDeepStrictEqual(defined, [expect, mustPass, tags, cells, weight])) continue
    const optional = { ...(expect !== undefined && { expect }), ...(weight !== undefined && { weight }) }
    questions[pair.baseline] = { ...sent, tags, mustPass, cells, ...optional }
  }
  return { run: { ...run, model: { ...run.model, questions } }, redefined }
}

function gradeRun(run: ReadableRun, options: RunManifest['options']) {
  const { model, manifest } = run
  const counted = createFigures({ ...options, isWeighted: areWeighted(model.questions) })
  const sides = new Map<number | undefined, Side>()
  for (const repeats of gradedQuestions(model, run.pick, options)) {
    counted.add(repeats)
    sides.set(repeats[0].index, sideOf(repeats, options.groundedSources))
  }
  const { overall, broken } = counted.finish()
  return { figures: { ...overall, quota: quotaFigures(model.usage, manifest.options.quota) }, broken, sides }
}
