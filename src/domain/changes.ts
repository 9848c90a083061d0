// The kinds of change between baseline and candidate: name, list, label, tone, predicate and order, declared once.

/** Of several repeats, the worst counts. */
export type Availability = 'answer' | 'error' | 'skipped' | 'notAsked'

export type AnswerKind = 'same' | 'rephrased' | 'factsChanged' | 'otherAnswer'

/** A question's results in one run, over its repeats. */
export interface QuestionState {
  /** Grounded ÷ answered. Like `passRate`, null without a denominator. */
  readonly groundingRate: number | null
  /** Passed ÷ graded. */
  readonly passRate: number | null
  readonly availability: Availability
  /** An answer was given without the earlier turns of its conversation. */
  readonly contextLost: boolean
  readonly sources: readonly string[]
}

/** In the order of the reports. */
export const TONES = ['worse', 'drift', 'better', 'noise', 'same'] as const
export type Tone = (typeof TONES)[number]

interface ChangeRule {
  /** The report's list and page filter. Two kinds may share one. */
  readonly list: string
  /** Heading of the list, also after a number: "3 newly failing". */
  readonly label: string
  readonly tone: Tone
  /** `answers`: how the two answers differ; undefined if a run has none. */
  readonly holds: (before: QuestionState, after: QuestionState, answers: AnswerKind | undefined) => boolean
}

type Rate = 'groundingRate' | 'passRate'
const isShared = (rate: number | null): boolean => rate !== null && rate > 0 && rate < 1

/** 0 if a run has no such rate. */
function move(rate: Rate, before: QuestionState, after: QuestionState): number {
  const [was, is] = [before[rate], after[rate]]
  return was === null || is === null ? 0 : is - was
}

/** Differs within the repeats of one run: it also moves by chance. */
const isFlaky = (rate: Rate, before: QuestionState, after: QuestionState): boolean =>
  isShared(before[rate]) || isShared(after[rate])
const flips =
  (rate: Rate, sign: 1 | -1): ChangeRule['holds'] =>
  (before, after) =>
    move(rate, before, after) * sign > 0 && !isFlaky(rate, before, after)
const movesByChance =
  (rate: Rate): ChangeRule['holds'] =>
  (before, after) =>
    move(rate, before, after) !== 0 && isFlaky(rate, before, after)
const becomes =
  (was: Availability, is: Availability): ChangeRule['holds'] =>
  (before, after) =>
    before.availability === was && after.availability === is
/** Not listed where grounding changed, since the answer changes with it, nor for flaky questions. */
const answersAre =
  (kind: AnswerKind): ChangeRule['holds'] =>
  (before, after, answers) =>
    answers === kind &&
    move('groundingRate', before, after) === 0 &&
    !movesByChance('passRate')(before, after, answers)

const NO_ANSWER = { list: 'noAnswer', label: 'no answer now', tone: 'worse' } as const
const ANSWERED_AGAIN = { list: 'answeredAgain', label: 'answered again', tone: 'better' } as const

/** In the order of the column `change` of `comparison.csv`. */
export const CHANGES = {
  groundingLost: { list: 'lost', label: 'lost grounding', tone: 'worse', holds: flips('groundingRate', -1) },
  passToFail: { list: 'newlyFailing', label: 'newly failing', tone: 'worse', holds: flips('passRate', -1) },
  groundingGained: {
    list: 'gained',
    label: 'gained grounding',
    tone: 'better',
    holds: flips('groundingRate', 1),
  },
  failToPass: { list: 'fixed', label: 'fixed', tone: 'better', holds: flips('passRate', 1) },
  flaky: {
    list: 'flaky',
    label: 'flaky',
    tone: 'noise',
    holds: (...states) => movesByChance('groundingRate')(...states) || movesByChance('passRate')(...states),
  },
  answerToError: { ...NO_ANSWER, holds: becomes('answer', 'error') },
  answerToSkipped: { ...NO_ANSWER, holds: becomes('answer', 'skipped') },
  errorToAnswer: { ...ANSWERED_AGAIN, holds: becomes('error', 'answer') },
  skippedToAnswer: { ...ANSWERED_AGAIN, holds: becomes('skipped', 'answer') },
  contextLost: {
    list: 'contextLost',
    label: 'lost the context',
    tone: 'worse',
    holds: (before, after) => !before.contextLost && after.contextLost,
  },
  contextRegained: {
    list: 'contextRegained',
    label: 'regained the context',
    tone: 'better',
    holds: (before, after) => before.contextLost && !after.contextLost && after.availability === 'answer',
  },
  factsChanged: {
    list: 'factsChanged',
    label: 'facts changed',
    tone: 'drift',
    holds: answersAre('factsChanged'),
  },
  otherAnswer: {
    list: 'otherAnswer',
    label: 'another answer',
    tone: 'drift',
    holds: answersAre('otherAnswer'),
  },
  sourceChanged: {
    list: 'sourceChanged',
    label: 'another source',
    tone: 'drift',
    holds: (before, after) =>
      move('groundingRate', before, after) === 0 &&
      before.sources.length > 0 &&
      after.sources.length > 0 &&
      before.sources.every((source) => !after.sources.includes(source)),
  },
  failInBoth: {
    list: 'failInBoth',
    label: 'failing in both',
    tone: 'same',
    holds: (before, after) =>
      after.passRate !== null && after.passRate < 1 && before.passRate === after.passRate,
  },
} as const satisfies Readonly<Record<string, ChangeRule>>

export type ChangeKind = keyof typeof CHANGES
type ChangeListName = (typeof CHANGES)[ChangeKind]['list']

const RULES: readonly (readonly [ChangeKind, ChangeRule])[] = Object.entries<ChangeRule>(CHANGES).map(
  ([kind, change]) => [kind as ChangeKind, change],
)

/** In the order of `CHANGES`. */
export const changesBetween = (
  before: QuestionState,
  after: QuestionState,
  answers?: AnswerKind,
): ChangeKind[] => RULES.filter(([, { holds }]) => holds(before, after, answers)).map(([kind]) => kind)

/** The reports' lists of changed questions, worse first. */
export const CHANGE_LISTS: readonly {
  readonly name: ChangeListName
  readonly label: string
  readonly tone: Tone
  readonly kinds: readonly ChangeKind[]
}[] = TONES.flatMap((tone) => {
  const ofTone = Object.values(CHANGES).filter((change) => change.tone === tone)
  return [...new Map(ofTone.map(({ list, label }) => [list, label]))].map(([name, label]) => ({
    name,
    label,
    tone,
    kinds: RULES.filter(([, { list }]) => list === name).map(([kind]) => kind),
  }))
})
