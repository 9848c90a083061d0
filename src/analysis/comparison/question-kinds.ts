// What became of one question from the baseline to the candidate, apart from what its answers say.
import { CHANGE_KINDS, type ChangeKind } from '../../domain/comparison/change.ts'
import type { KnownFlaky } from './known-flaky.ts'
import type { QuestionPair } from './pair.ts'
import { foldedValue, groundingValue, verdictValue } from './question-values.ts'
import { answerSourceOf } from './answer-source.ts'
import { availabilityOf, type Availability, type TurnSummary } from './turn-summary.ts'

export interface QuestionKinds {
  /** In the order of `CHANGE_KINDS`; empty where nothing changed. */
  readonly kinds: readonly ChangeKind[]
  /** Whether it moved as a flaky question does. */
  readonly flakyGrounding: boolean
  readonly flakyVerdict: boolean
}

export function kindsOf(pair: QuestionPair<TurnSummary>, flaky: KnownFlaky): QuestionKinds {
  const id = pair.candidate[0]?.id ?? ''
  const kinds = new Set<ChangeKind>()
  const add = (kind: ChangeKind | undefined): void => {
    if (kind !== undefined) kinds.add(kind)
  }
  const isRepeatedly = (known: number | undefined, ...values: readonly number[]): boolean =>
    known !== undefined || values.some((value) => value > 0 && value < 1)

  let [flakyGrounding, flakyVerdict] = [false, false]
  const grounding = valuesOf(pair, groundingValue)
  if (grounding !== undefined) {
    const [before, after] = grounding
    flakyGrounding = before !== after && isRepeatedly(flaky.grounding(id), before, after)
    if (before !== after && !flakyGrounding) add(after < before ? 'groundingLost' : 'groundingGained')
  }
  const verdict = valuesOf(pair, verdictValue)
  if (verdict !== undefined) {
    const [before, after] = verdict
    flakyVerdict = before !== after && isRepeatedly(flaky.verdict(id), before, after)
    if (before !== after && !flakyVerdict) add(after < before ? 'passToFail' : 'failToPass')
    if (before === after && after < 1) add('failInBoth')
  }
  if (flakyGrounding || flakyVerdict) add('flaky')
  add(availabilityChange(availabilityOfAll(pair.baseline), availabilityOfAll(pair.candidate)))
  const [contextBefore, contextAfter] = [pair.baseline, pair.candidate].map((turns) =>
    turns.some(({ contextLost, outcome }) => contextLost && outcome === 'answered'),
  )
  if (contextBefore !== contextAfter) add(contextAfter === true ? 'contextLost' : 'contextRegained')
  const isFlipped = flakyGrounding || kinds.has('groundingLost') || kinds.has('groundingGained')
  if (isSourceChanged(pair) && !isFlipped) add('sourceChanged')
  return { kinds: CHANGE_KINDS.filter((kind) => kinds.has(kind)), flakyGrounding, flakyVerdict }
}

function valuesOf(
  { baseline, candidate }: QuestionPair<TurnSummary>,
  valueOf: typeof groundingValue,
): [number, number] | undefined {
  const [before, after] = [foldedValue(baseline, valueOf), foldedValue(candidate, valueOf)]
  return before === undefined || after === undefined ? undefined : [before, after]
}

/** The gravest of the repeats that were asked. */
export function availabilityOfAll(repeats: readonly TurnSummary[]): Availability {
  const states = new Set(repeats.map(availabilityOf))
  const gravest = (['error', 'skipped', 'answer'] as const).find((state) => states.has(state))
  return gravest ?? 'notAsked'
}

function availabilityChange(before: Availability, after: Availability): ChangeKind | undefined {
  if (before === 'answer' && after === 'error') return 'answerToError'
  if (before === 'answer' && after === 'skipped') return 'answerToSkipped'
  if (before === 'error' && after === 'answer') return 'errorToAnswer'
  if (before === 'skipped' && after === 'answer') return 'skippedToAnswer'
  return undefined
}

/** Whether the sources that a run's answers named were never the same: with repeats, one of them may just be rare. */
function isSourceChanged({ baseline, candidate }: QuestionPair<TurnSummary>): boolean {
  const [before, after] = [sourcesOf(baseline), sourcesOf(candidate)]
  return before.size > 0 && after.size > 0 && [...before].every((source) => !after.has(source))
}

function sourcesOf(turns: readonly TurnSummary[]): Set<string> {
  return new Set(
    turns.map(answerSourceOf).flatMap((source) => (source.kind === 'source' ? [source.value] : [])),
  )
}
