// What each figure of a run can still become, whatever its answers to come are: the range of its values at
// the end of the whole run, from the conversations that are over and the number of those that are not.
//
// A turn to come may be answered (grounded or not, with its context or without), end in an error, or be
// skipped. So a share a ÷ b is lowest if all turns to come enlarge b alone, and highest if all enlarge both:
// one that enlarges neither leaves it between. Division of doubles is monotonic, so the bounds hold to the
// last digit for figures that are computed as one division.
import type { Outcome } from '../../domain/outcome.ts'
import type { Question } from '../../domain/question.ts'
import { type Grade, isGrounded, type PassPolicy, type TurnRecord } from '../../domain/turn.ts'
import { createTurnCounts } from '../figures.ts'
import { threadKey } from '../questions.ts'
import { meetsPolicy } from '../repeats.ts'
import type { Threshold } from './threshold.ts'

/** A turn of a conversation that is over: nothing to come changes it. */
export interface SettledTurn {
  readonly turn: Pick<TurnRecord, 'index' | 'question' | 'outcome' | 'contextLost' | 'result'>
  readonly grade: Pick<Grade, 'kind'>
}

export interface QuestionSoFar {
  readonly question: Question
  readonly settled: readonly SettledTurn[]
  /** How many of its repeats are not: a restart would take back what is known of them. */
  readonly open: number
}

/** `isOptional`: the figure may end without a value. */
export interface FigureRange {
  readonly low: number
  readonly high: number
  readonly isOptional: boolean
}

/** `none`: no value, whatever is to come. Undefined: it is not bounded before the end. */
export type Bound = FigureRange | 'none' | undefined

export interface RangeOptions {
  readonly groundedSources: readonly string[]
  readonly passPolicy: PassPolicy
  readonly isWeighted: boolean
}

export type Ranges = ReturnType<typeof rangesOf>

export function rangesOf(questions: readonly QuestionSoFar[], options: RangeOptions) {
  const tally = createTurnCounts(options.groundedSources)
  const openByThread = new Map<string, number>()
  let openTurns = 0
  for (const { question, settled, open } of questions) {
    for (const { turn } of settled) tally.add(turn)
    if (open === 0) continue
    openTurns += open
    openByThread.set(threadKey(question), open)
  }
  // An error skips the turns after it, so a conversation ends in one error at most.
  const openConversations = [...openByThread.values()].reduce((sum, open) => sum + open, 0)
  const known = tally.finish()
  const count = (found: number, more: number): FigureRange => ({
    low: found,
    high: found + more,
    isOptional: false,
  })
  /** Each turn to come enlarges the whole alone, both, or neither. */
  const share = (part: number, whole: number): Bound =>
    whole + openTurns === 0
      ? 'none'
      : {
          low: part / (whole + openTurns),
          high: (part + openTurns) / (whole + openTurns),
          isOptional: whole === 0,
        }
  return {
    known,
    openTurns,
    turns: (name: string): Bound => {
      if (name === 'total') return count(known.turns.total + openTurns, 0)
      if (name === 'notSent') return count(0, 0)
      const isBrief = name !== 'answered' && name !== 'skipped' && name !== 'contextLost'
      return count(known.turns[name as Outcome | 'contextLost'], isBrief ? openConversations : openTurns)
    },
    counted: (by: 'contextSource' | 'status', value: string): FigureRange =>
      count(countOf(known[by], value), openTurns),
    shareOfStatus: (value: string): Bound => share(countOf(known.status, value), known.turns.answered),
    coverage: (name: string): Bound => {
      const { grounded, inContext: answered } = known
      if (name === 'rate') return share(grounded, answered)
      if (name === 'grounded') return count(grounded, openTurns)
      return name === 'answered' ? count(answered, openTurns) : undefined
    },
    demand: (name: string): Bound => (options.isWeighted ? demandOf(questions, options, name) : 'none'),
    expectations: (name: string): Bound => expectationsOf(questions, options.passPolicy, name),
    errors: (name: string, value: string): Bound => {
      const { errors, sent } = known.errors
      switch (name) {
        case 'rate':
          // Lowest if every turn to come is answered; highest if each conversation ends with its first turn.
          return sent + openTurns === 0
            ? 'none'
            : {
                low: errors / (sent + openTurns),
                high: (errors + openConversations) / (sent + openConversations),
                isOptional: sent === 0,
              }
        case 'errors':
          return count(errors, openConversations)
        case 'sent':
          return count(sent, openTurns)
        case 'byOutcome':
        case 'byHttpStatus':
        case 'byCode':
          return count(countOf(known.errors[name], value), openConversations)
        default:
          return undefined
      }
    },
  }
}

const countOf = (counts: Readonly<Record<string, number>>, value: string): number =>
  Object.hasOwn(counts, value) ? (counts[value] ?? 0) : 0

/** How a question can end: more than one while its answers to come decide. */
interface Ends {
  readonly passed: boolean
  readonly failed: boolean
  readonly notGraded: boolean
}

/** Undefined without expectations. Repeats that are not graded do not count. */
function endsOf({ question, settled, open }: QuestionSoFar, policy: PassPolicy): Ends | undefined {
  if (question.expect === undefined) return undefined
  const passed = settled.filter(({ grade }) => grade.kind === 'passed').length
  const failed = settled.filter(({ grade }) => grade.kind === 'failed').length
  const isGraded = passed + failed > 0
  const mayBeGraded = isGraded || open > 0
  return {
    passed: mayBeGraded && meetsPolicy(policy, passed + open, failed),
    failed: mayBeGraded && !meetsPolicy(policy, passed, failed + open),
    notGraded: !isGraded,
  }
}

function expectationsOf(questions: readonly QuestionSoFar[], policy: PassPolicy, name: string): Bound {
  const ends = questions.map((question) => endsOf(question, policy))
  const found = ends.filter((one) => one !== undefined)
  const countWhere = (test: (one: Ends) => boolean): number => found.filter(test).length
  const only = (kind: keyof Ends): number =>
    countWhere((one) => one[kind] && Object.values(one).filter(Boolean).length === 1)
  switch (name) {
    case 'none':
      return { low: ends.length - found.length, high: ends.length - found.length, isOptional: false }
    case 'passed':
    case 'failed':
    case 'notGraded':
      return { low: only(name), high: countWhere((one) => one[name]), isOptional: false }
    case 'rate': {
      const graded = countWhere(({ passed, failed }) => passed || failed)
      if (graded === 0) return 'none'
      return {
        low: (graded - countWhere(({ failed }) => failed)) / graded,
        high: countWhere(({ passed }) => passed) / graded,
        isOptional: countWhere(({ notGraded }) => !notGraded) === 0,
      }
    }
    default:
      return undefined
  }
}

/** Sums of fractions depend on their order: by far less than this. */
const ROUNDING = 1e-9

/** Each question counts its weight once, by the share of its answers that are grounded. */
function demandOf(
  questions: readonly QuestionSoFar[],
  { groundedSources }: RangeOptions,
  name: string,
): Bound {
  const sums = { certain: 0, possible: 0, low: 0, high: 0 }
  for (const { question, settled, open } of questions) {
    const answers = settled
      .map(({ turn }) => isGrounded(turn, groundedSources))
      .filter((one) => one !== undefined)
    const weight = question.weight ?? 1
    const whole = answers.length + open
    if (whole === 0) continue
    const grounded = answers.filter(Boolean).length
    if (answers.length > 0) sums.certain += weight
    sums.possible += weight
    sums.low += weight * (grounded / whole)
    sums.high += weight * ((grounded + open) / whole)
  }
  const between = (low: number, high: number, isOptional = false): FigureRange => ({
    low: low * (1 - ROUNDING),
    high: high * (1 + ROUNDING),
    isOptional,
  })
  switch (name) {
    case 'rate':
      if (sums.possible === 0) return 'none'
      return between(sums.low / sums.possible, sums.high / sums.possible, sums.certain === 0)
    case 'grounded':
      return between(sums.low, sums.high)
    case 'answered':
      return between(sums.certain, sums.possible)
    default:
      return undefined
  }
}

/** The range of the figure that a threshold judges. `ranges`: overall, or of its tag. */
export function boundOf({ metric: { path, unit }, key = '' }: Threshold, ranges: Ranges): Bound {
  const [first = '', second = '', third = ''] = path
  switch (first) {
    case 'turns':
      return ranges.turns(second)
    case 'contextSource':
      return ranges.counted('contextSource', key)
    case 'status':
      return unit === 'share' ? ranges.shareOfStatus(key) : ranges.counted('status', key)
    case 'coverage':
      return second === 'weighted' ? ranges.demand(third) : ranges.coverage(second)
    case 'expectations':
      return ranges.expectations(second)
    case 'errors':
      return ranges.errors(second, key)
    default:
      return undefined
  }
}
