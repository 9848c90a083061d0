// Decided early: how each gate of a run ends, whatever its answers to come are. A run is decided when a gate
// fails for certain, or when every gate passes for certain. It is the one place that says so: while a run
// sends, and when its folder is judged.
import { digits, listNames, WRITTEN } from '../../domain/format.ts'
import { makeMessage, type Message } from '../../domain/message.ts'
import type { Figures, GateOutcome, ThresholdResult } from '../../domain/summary.ts'
import type { Manifest } from '../../options/manifest.ts'
import { answeredOf, baselineWaits, gatesPassed, mustPassFailed, turnsWithoutOutcome } from '../messages.ts'
import { endedBy, judge, type Judgement } from '../verdict.ts'
import { hasFailed, meetsPolicy } from '../repeats.ts'
import {
  errorsGate,
  expectationsGate,
  otherStatusesIn,
  replaces,
  statusGate,
  toleratesStatuses,
} from './judge.ts'
import {
  type Bound,
  boundOf,
  type QuestionSoFar,
  type FigureRange,
  type RangeOptions,
  type Ranges,
  rangesOf,
} from './ranges.ts'
import { evaluate, figureName, readThresholds, reasonOf, RELATIONS, type Threshold } from './threshold.ts'

export interface Judging extends RangeOptions {
  readonly thresholds: readonly Threshold[]
  /**
   * Its rules are statistical, so they are open until the end; and an expectation that failed there already
   * fails no gate.
   */
  readonly hasBaseline: boolean
  /** A failure may be sent again at the end, and decides nothing before. */
  readonly confirms: boolean
}

export const judgingOf = (options: Manifest['options']): Omit<Judging, 'isWeighted'> => ({
  thresholds: readThresholds(options.threshold),
  hasBaseline: options.baseline !== null,
  confirms: options.confirm > 0,
  groundedSources: options.groundedSources,
  passPolicy: options.passPolicy,
})

type End = 'passes' | 'fails' | 'open'

/** `open`: an answer to come decides; `isEndless`: only the end of the run does, whatever the answers are. */
export interface GateEnd {
  readonly name: string
  readonly end: End
  readonly isEndless: boolean
  readonly reason: Message
  readonly threshold?: Threshold
}

export function endsOfGates(questions: readonly QuestionSoFar[], judging: Judging): GateEnd[] {
  const { thresholds, hasBaseline } = judging
  const overall = rangesOf(questions, judging)
  const expectations = endOfCount(overall.expectations('failed'), expectationsGate)
  const own = [
    endOfCount(overall.errors('errors', ''), errorsGate),
    hasBaseline && expectations.end === 'fails' ? { ...expectations, end: 'open' as const } : expectations,
    endOfMustPass(questions, judging),
    endOfStatus(overall),
  ]
  const baseline: GateEnd = { name: 'baseline', end: 'open', isEndless: true, reason: baselineWaits() }
  return [
    ...thresholds.map((one) => {
      const { tag } = one
      if (tag === undefined) return endOfThreshold(one, boundOf(one, overall))
      const tagged = questions.filter(({ question }) => question.tags.includes(tag))
      return endOfThreshold(one, tagged.length === 0 ? 'none' : boundOf(one, rangesOf(tagged, judging)))
    }),
    ...own.filter(({ name }) => !replaces(thresholds, name)),
    ...(hasBaseline ? [baseline] : []),
  ]
}

/** Undefined while an answer to come can change the exit code. */
export function decisionOf(ends: readonly GateEnd[]): 'passes' | 'fails' | undefined {
  if (ends.some(({ end }) => end === 'fails')) return 'fails'
  return ends.every(({ end }) => end === 'passes') ? 'passes' : undefined
}

/** What a run that has sent nothing yet is told of gates that keep it from an early end. */
export function lateGates(ends: readonly GateEnd[]): Message[] {
  const endless = ends.filter(({ isEndless }) => isEndless)
  if (endless.length === 0) return []
  const gates = listNames(endless.map(({ name }) => name))
  const text =
    `--until-decided: only the end of the run decides ${gates}, so it sends everything unless another gate ` +
    'fails first'
  return [makeMessage('decided-at-end', text)]
}

function endOfThreshold(threshold: Threshold, bound: Bound): GateEnd {
  return {
    name: `threshold ${threshold.expression}`,
    end: endWithin(threshold, bound),
    isEndless: bound === undefined,
    reason: reasonWithin(threshold, bound),
    threshold,
  }
}

/** A figure without a value fails. */
function endWithin({ relation, limit }: Threshold, bound: Bound): End {
  if (bound === 'none') return 'fails'
  if (bound === undefined) return 'open'
  const { low, high, isOptional } = bound
  const isSingle = low === high
  const [atLow, atHigh] = [RELATIONS[relation](low, limit), RELATIONS[relation](high, limit)]
  const isWithin = low <= limit && limit <= high
  switch (relation) {
    case '==':
    case '=':
      if (!isWithin) return 'fails'
      return isSingle && !isOptional ? 'passes' : 'open'
    case '!=':
      if (isWithin) return isSingle ? 'fails' : 'open'
      return isOptional ? 'open' : 'passes'
    case '>=':
    case '>':
    case '<=':
    case '<':
      if (!atLow && !atHigh) return 'fails'
      return atLow && atHigh && !isOptional ? 'passes' : 'open'
  }
}

function reasonWithin(threshold: Threshold, bound: Bound): Message {
  if (bound === 'none' || bound === undefined) return reasonOf(threshold, undefined)
  const { relation, limit, metric } = threshold
  const [low, high, required] = [bound.low, bound.high, limit].map(WRITTEN[metric.unit])
  const ends = low === high ? `at ${low}` : `between ${low} and ${high}`
  const text = `${figureName(threshold)} ends ${ends}, required ${relation} ${required}`
  return makeMessage('threshold-decided', text)
}

/** The end of a gate on a count that may not be above 0. `gateOf`: the gate of a count. */
function endOfCount(bound: Bound, gateOf: (count: number) => GateOutcome): GateEnd {
  const { low, high } = bound as FigureRange
  const { name, reason } = gateOf(low)
  return { name, end: low > 0 ? 'fails' : high === 0 ? 'passes' : 'open', isEndless: false, reason }
}

function endOfMustPass(questions: readonly QuestionSoFar[], { passPolicy }: Judging): GateEnd {
  const required = questions.filter(({ question }) => question.mustPass)
  const failedOf = ({ settled }: QuestionSoFar): number => settled.filter(hasFailed).length
  const breaks = (failed: number, { settled, open }: QuestionSoFar): boolean =>
    failed > 0 && !meetsPolicy(passPolicy, settled.length + open - failed, failed)
  const broken = required.filter((one) => breaks(failedOf(one), one))
  const mayBreak = required.some((one) => breaks(failedOf(one) + one.open, one))
  return {
    name: 'must_pass',
    end: broken.length > 0 ? 'fails' : mayBreak ? 'open' : 'passes',
    isEndless: false,
    reason: mustPassFailed(broken.map(({ question }) => question)),
  }
}

function endOfStatus({ known, openTurns }: Ranges): GateEnd {
  const { name, reason } = statusGate(known)
  const others = otherStatusesIn(known.status).reduce((sum, [, count]) => sum + count, 0)
  const answered = known.turns.answered + openTurns
  // Best if all to come are answered with success, worst if all are answered with another status.
  const [canPass, passes] = [others, others + openTurns].map((count) => toleratesStatuses(count, answered))
  return { name, end: !canPass ? 'fails' : passes ? 'passes' : 'open', isEndless: false, reason }
}

/**
 * The gates and thresholds of a run that was decided, in the form of a whole run's. Those that were still
 * open are not among them. `figures`: of the part, which thresholds show.
 */
export function decidedGates(
  ends: readonly GateEnd[],
  figures: Figures,
): { readonly thresholds: ThresholdResult[]; readonly gates: GateOutcome[] } {
  const decided = ends.filter(({ end }) => end !== 'open')
  return {
    thresholds: decided.flatMap(({ threshold, end, reason }) =>
      threshold === undefined ? [] : [{ ...evaluate(threshold, figures), passed: end === 'passes', reason }],
    ),
    gates: decided.map(({ name, end, reason }) => ({ name, passed: end === 'passes', reason })),
  }
}

/**
 * The verdict of a run that stopped when it was certain. Judged by other gates than those it was sent with,
 * it may be open again: then the run is incomplete.
 */
export function judgeDecided(
  ends: readonly GateEnd[],
  { turns: { answered, total, notSent }, quota }: Figures,
  isGated: boolean,
): Judgement {
  if (decisionOf(ends) === undefined) {
    const open = ends.flatMap(({ name, end }) => (end === 'open' ? [name] : []))
    const notDecided = makeMessage('not-decided', `open now: ${listNames(open)}`)
    return judge(endedBy({ kind: 'decided' }, [notDecided, turnsWithoutOutcome(notSent)]), [], [], [])
  }
  const calls = `${digits(quota.attempts)} of ${digits(quota.attempts + notSent)} calls`
  const after = makeMessage('decided', `decided after ${calls}`)
  const failed = ends.flatMap(({ end, reason }) => (end === 'fails' ? [reason] : []))
  const passed = isGated ? [gatesPassed(), after] : undefined
  return judge(undefined, failed.length === 0 ? [] : [...failed, after], passed, [
    answeredOf(answered, total),
    after,
  ])
}
