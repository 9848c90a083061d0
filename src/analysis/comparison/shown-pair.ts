// Which repeats of a question stand for it in a comparison: those that show what became of it, the most telling of them.
import type { ChangeKind } from '../../domain/comparison/change.ts'
import { compareAnswers, type AnswerChange } from './answers.ts'
import type { Pair, QuestionPair } from './pair.ts'
import { availabilityOf, type Availability, type TurnSummary } from './turn-summary.ts'

/** The answer of a turn, or null without one. */
export interface AnswerTexts {
  readonly baseline: (turn: TurnSummary) => string | null
  readonly candidate: (turn: TurnSummary) => string | null
}

export interface ShownPair extends Pair<TurnSummary> {
  /** Undefined where one of the two has no answer. */
  readonly difference: AnswerChange | undefined
}

export interface Telling {
  readonly shown: ShownPair
  /**
   * Of the candidate's answers the one that is furthest from whatever the baseline answered: an answer that any of the
   * baseline's repeats gave is no news. Undefined where a run has no answer.
   */
  readonly furthest: AnswerChange | undefined
}

/** `kinds`: what became of the question apart from what its answers say. Never throws where both runs asked it. */
export function tellingPair(
  question: QuestionPair<TurnSummary> & { readonly kinds: readonly ChangeKind[] },
  texts: AnswerTexts,
): Telling {
  const all = everyPair(question)
  const compare = rememberChanges()
  const measured = all.map((pair): ShownPair => {
    const [before, after] = [texts.baseline(pair.baseline), texts.candidate(pair.candidate)]
    if (before === null || after === null) return { ...pair, difference: undefined }
    const difference = compare(before, after)
    return { ...pair, difference }
  })
  const found = SHOWING.filter(({ kinds }) => kinds.some((kind) => question.kinds.includes(kind)))
    .map(({ shows }) => measured.filter(shows))
    .find(({ length }) => length > 0)
  const answered = measured.filter(({ difference }) => difference !== undefined)
  const shown = mostTelling(found ?? (answered.length > 0 ? answered : measured))
  if (shown === undefined) throw new Error('a question without a turn')
  return { shown, furthest: mostTelling(answered)?.difference }
}

/** Repeats mostly give the same few answers. */
function rememberChanges(): (before: string, after: string) => AnswerChange {
  const known = new Map<string, Map<string, AnswerChange>>()
  return (before, after) => {
    const ofBefore = known.get(before) ?? new Map<string, AnswerChange>()
    known.set(before, ofBefore)
    const change = ofBefore.get(after) ?? compareAnswers(before, after)
    ofBefore.set(after, change)
    return change
  }
}

/** By what a kind of change is seen, gravest first. What is flaky comes last: it moved by chance. */
const SHOWING: readonly {
  readonly kinds: readonly ChangeKind[]
  readonly shows: (pair: Pair<TurnSummary>) => boolean
}[] = [
  {
    kinds: ['groundingLost'],
    shows: ({ baseline, candidate }) => turned(baseline.grounded, candidate.grounded),
  },
  { kinds: ['passToFail'], shows: ({ baseline, candidate }) => turned(baseline.passed, candidate.passed) },
  { kinds: ['answerToError'], shows: moves('answer', 'error') },
  { kinds: ['answerToSkipped'], shows: moves('answer', 'skipped') },
  { kinds: ['contextLost'], shows: ({ candidate }) => hasLostContext(candidate) },
  {
    kinds: ['groundingGained'],
    shows: ({ baseline, candidate }) => turned(candidate.grounded, baseline.grounded),
  },
  { kinds: ['failToPass'], shows: ({ baseline, candidate }) => turned(candidate.passed, baseline.passed) },
  { kinds: ['errorToAnswer'], shows: moves('error', 'answer') },
  { kinds: ['skippedToAnswer'], shows: moves('skipped', 'answer') },
  {
    kinds: ['contextRegained'],
    shows: ({ baseline, candidate }) => hasLostContext(baseline) && candidate.outcome === 'answered',
  },
  {
    kinds: ['flaky'],
    shows: ({ baseline, candidate }) =>
      isOther(baseline.grounded, candidate.grounded) || isOther(baseline.passed, candidate.passed),
  },
  {
    kinds: ['failInBoth'],
    shows: ({ baseline, candidate }) => baseline.passed === false && candidate.passed === false,
  },
]

function moves(before: Availability, after: Availability) {
  return ({ baseline, candidate }: Pair<TurnSummary>): boolean =>
    availabilityOf(baseline) === before && availabilityOf(candidate) === after
}

const turned = (was: boolean | undefined, is: boolean | undefined): boolean => was === true && is === false

const isOther = (was: boolean | undefined, is: boolean | undefined): boolean =>
  was !== undefined && is !== undefined && was !== is

const hasLostContext = ({ contextLost, outcome }: TurnSummary): boolean =>
  contextLost && outcome === 'answered'

/** Each candidate's repeat beside each of the baseline's, first that of the same number. */
function everyPair({ baseline, candidate }: QuestionPair<TurnSummary>): Pair<TurnSummary>[] {
  return candidate.flatMap((after) =>
    [
      ...baseline.filter(({ repeat }) => repeat === after.repeat),
      ...baseline.filter(({ repeat }) => repeat !== after.repeat),
    ].map((before) => ({ baseline: before, candidate: after })),
  )
}

/** Of each candidate's repeat the nearest of the baseline's; of these the furthest. The first of equals. */
function mostTelling(pairs: readonly ShownPair[]): ShownPair | undefined {
  const nearest = new Map<TurnSummary, ShownPair>()
  for (const pair of pairs) {
    const known = nearest.get(pair.candidate)
    if (known === undefined || distance(pair) < distance(known)) nearest.set(pair.candidate, pair)
  }
  let furthest: ShownPair | undefined
  for (const pair of nearest.values())
    if (furthest === undefined || distance(pair) > distance(furthest)) furthest = pair
  return furthest
}

const STEPS = { same: 0, rephrased: 1, factsChanged: 2, otherAnswer: 3 } as const

/** By kind, and within it by similarity. */
const distance = ({ difference }: ShownPair): number =>
  difference === undefined || difference.kind === 'same'
    ? 0
    : STEPS[difference.kind] + (1 - difference.similarity) / 2
