// The kinds of change between baseline and candidate: name, list, label, tone, predicate and order, declared
// once.

export type Availability = 'answer' | 'error' | 'skipped' | 'notSent'

export type AnswerKind = 'same' | 'rephrased' | 'factsChanged' | 'otherAnswer'

/** A question's results in one run, over its repeats. */
export interface QuestionState {
  /** Grounded ÷ answered. Like `passRate`, null without a denominator. */
  readonly groundingRate: number | null
  readonly passRate: number | null
  readonly availability: Availability
  /** An answer was given without the earlier turns of its conversation. */
  readonly contextLost: boolean
  readonly sources: readonly string[]
}

const TONES = ['worse', 'drift', 'better', 'noise', 'same'] as const
type Tone = (typeof TONES)[number]

/** `answers`: how the two answers differ; undefined if a run has none. */
type Holds = (before: QuestionState, after: QuestionState, answers: AnswerKind | undefined) => boolean

/**
 * `list`: the report's list and page filter; two kinds may share one. `label`: the heading of the list, also
 * after a number: "3 newly failing".
 */
const change = (list: string, label: string, tone: Tone, holds: Holds) => ({ list, label, tone, holds })

type Rate = 'groundingRate' | 'passRate'
/** The repeats of one run differ. */
export const isShared = (rate: number | null): boolean => rate !== null && rate > 0 && rate < 1

function move(rate: Rate, before: QuestionState, after: QuestionState): number {
  const [was, is] = [before[rate], after[rate]]
  return was === null || is === null ? 0 : is - was
}

/** Differs within the repeats of one run: it also moves by chance. */
const isFlaky = (rate: Rate, before: QuestionState, after: QuestionState): boolean =>
  isShared(before[rate]) || isShared(after[rate])
const flips =
  (rate: Rate, sign: 1 | -1): Holds =>
  (before, after) =>
    move(rate, before, after) * sign > 0 && !isFlaky(rate, before, after)
const movesByChance =
  (rate: Rate): Holds =>
  (before, after) =>
    move(rate, before, after) !== 0 && isFlaky(rate, before, after)
const becomes =
  (was: Availability, is: Availability): Holds =>
  (before, after) =>
    before.availability === was && after.availability === is
/** Not listed for flaky questions, or if grounding changed, because the answer changes with it. */
const answersAre =
  (kind: AnswerKind): Holds =>
  (before, after, answers) =>
    answers === kind &&
    move('groundingRate', before, after) === 0 &&
    !movesByChance('passRate')(before, after, answers)
const isFlakyChange: Holds = (...states) =>
  movesByChance('groundingRate')(...states) || movesByChance('passRate')(...states)
const losesContext: Holds = (before, after) => !before.contextLost && after.contextLost
const regainsContext: Holds = (before, after) =>
  before.contextLost && !after.contextLost && after.availability === 'answer'
const hasOtherSource: Holds = (before, after) =>
  move('groundingRate', before, after) === 0 &&
  before.sources.length > 0 &&
  after.sources.length > 0 &&
  before.sources.every((source) => !after.sources.includes(source))
const failsInBoth: Holds = (before, after) =>
  after.passRate !== null && after.passRate < 1 && before.passRate === after.passRate

export const CHANGES = {
  groundingLost: change('lost', 'lost grounding', 'worse', flips('groundingRate', -1)),
  passToFail: change('newlyFailing', 'newly failing', 'worse', flips('passRate', -1)),
  groundingGained: change('gained', 'gained grounding', 'better', flips('groundingRate', 1)),
  failToPass: change('fixed', 'fixed', 'better', flips('passRate', 1)),
  flaky: change('flaky', 'flaky', 'noise', isFlakyChange),
  answerToError: change('noAnswer', 'no answer now', 'worse', becomes('answer', 'error')),
  answerToSkipped: change('noAnswer', 'no answer now', 'worse', becomes('answer', 'skipped')),
  errorToAnswer: change('answeredAgain', 'answered again', 'better', becomes('error', 'answer')),
  skippedToAnswer: change('answeredAgain', 'answered again', 'better', becomes('skipped', 'answer')),
  contextLost: change('contextLost', 'lost the context', 'worse', losesContext),
  contextRegained: change('contextRegained', 'regained the context', 'better', regainsContext),
  factsChanged: change('factsChanged', 'facts changed', 'drift', answersAre('factsChanged')),
  otherAnswer: change('otherAnswer', 'another answer', 'drift', answersAre('otherAnswer')),
  sourceChanged: change('sourceChanged', 'another source', 'drift', hasOtherSource),
  failInBoth: change('failInBoth', 'failing in both', 'same', failsInBoth),
}

export type ChangeKind = keyof typeof CHANGES
export const CHANGE_KINDS = Object.keys(CHANGES) as ChangeKind[]

export const changesBetween = (
  before: QuestionState,
  after: QuestionState,
  answers?: AnswerKind,
): ChangeKind[] => CHANGE_KINDS.filter((kind) => CHANGES[kind].holds(before, after, answers))

export const CHANGE_LISTS = TONES.flatMap((tone) => {
  const kinds = CHANGE_KINDS.filter((kind) => CHANGES[kind].tone === tone)
  return [...new Map(kinds.map((kind) => [CHANGES[kind].list, CHANGES[kind].label]))].map(
    ([name, label]) => ({
      name,
      label,
      tone,
      kinds: kinds.filter((kind) => CHANGES[kind].list === name),
    }),
  )
})

export const listsOf = (kinds: readonly ChangeKind[]) =>
  CHANGE_LISTS.filter((list) => list.kinds.some((kind) => kinds.includes(kind)))

/** The list of questions whose text changed. They are in no other list. */
export const EDITED = { name: 'edited', label: 'edited' } as const
