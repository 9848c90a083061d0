// The run so far is judged in several scenarios: a gate that ends alike in all of them is decided. What must
// be met exactly (`==`) may lie between two of them, so the end of the run decides it.
import type { AttemptResult, ResultFacts } from '../../domain/attempt.ts'
import { digits, listNames, makeMessage, type Message, WRITTEN } from '../../domain/format.ts'
import { type Outcome, OUTCOMES } from '../../domain/outcome.ts'
import { areWeighted, type Question } from '../../domain/question.ts'
import type { Figures } from '../../domain/summary.ts'
import { type Grade, NO_RESULT, type Turn, type TurnEnd, unsentTurn } from '../../domain/turn.ts'
import type { RecordedOptions } from '../../options/manifest.ts'
import { countFigures } from '../figures/figures.ts'
import { threadKey } from '../figures/fold.ts'
import { mayBeConfirmed, type Repeats } from '../figures/graded.ts'
import { createGrader } from '../grading/grade.ts'
import { evaluate, figureName, readThresholds, reasonOf, type Threshold } from './threshold.ts'
import {
  answeredOf,
  baselineWaits,
  endedBy,
  gatesPassed,
  judge,
  judgeGates,
  runGates,
  turnsWithoutOutcome,
} from './verdict.ts'

/** Takes back answers that may be sent again, and those of a conversation that a restart may follow. */
function settledTurns(turns: readonly Turn[], options: RecordedOptions): readonly Turn[] {
  const conversationOf = (turn: Turn): string => `${threadKey(turn.question)} ${turn.repeat}`
  const open = new Set(turns.filter(({ outcome }) => outcome === undefined).map(conversationOf))
  if (open.size === 0 && options.confirm === 0) return turns
  return turns.map((turn) => {
    const isOpen = open.has(conversationOf(turn)) || mayBeConfirmed(turn, options)
    return isOpen ? unsentTurn(turn.index, turn.question, turn.repeat) : turn
  })
}

interface GateEnd {
  readonly name: string
  readonly end: 'passes' | 'fails' | 'open'
  readonly reason: Message
  readonly threshold?: Threshold
}

/** Takes all turns of the run, by question, then by repeat. `isQuick` ends once the exit code is open. */
export function endsOfGates(turns: readonly Turn[], options: RecordedOptions, isQuick = false): GateEnd[] {
  const thresholds = readThresholds(options.threshold)
  const tags = new Set(thresholds.flatMap(({ tag }) => tag ?? []))
  const settled = settledTurns(turns, options)
  const isWeighted = areWeighted(settled.map(({ question }) => question))
  const isOver = settled.every(({ outcome }) => outcome !== undefined)
  const judged: ReturnType<typeof judgeGates>[] = []
  let ends: GateEnd[] = []
  for (const scenario of scenariosOf(thresholds, options.groundedSources)) {
    const counting = { ...options, isWeighted, hasIntervals: false }
    const { overall, tags: byTag, broken } = countFigures(fillIn(settled, scenario), counting, tags)
    judged.push(judgeGates(thresholds, { ...overall, tags: byTag }, runGates(overall, broken)))
    ends = endsIn(judged, thresholds, options.baseline !== null, isOver)
    if (isQuick && decisionOf(ends) === undefined) break
  }
  return ends
}

/**
 * `judged` begins with the best scenario: a gate that fails there names what is certain. Statistical rules of
 * a baseline are open until the end; what failed there already fails no gate.
 */
function endsIn(
  judged: readonly ReturnType<typeof judgeGates>[],
  thresholds: readonly Threshold[],
  hasBaseline: boolean,
  isOver: boolean,
): GateEnd[] {
  const ends = (judged[0]?.gates ?? []).map(({ name, reason }, at): GateEnd => {
    const passed = judged.map(({ gates }) => gates[at]?.passed === true)
    const end = passed.every(Boolean) ? 'passes' : passed.some(Boolean) ? 'open' : 'fails'
    const threshold = thresholds[at]
    if (threshold === undefined) {
      const mayBeKnown = hasBaseline && name === 'expectations' && end === 'fails'
      return { name, end: mayBeKnown ? 'open' : end, reason }
    }
    const isOpen = !isBounded(threshold) || (isExact(threshold) && !isOver)
    const values = judged.flatMap((scenario) => scenario.thresholds[at]?.value ?? [])
    return { name, end: isOpen ? 'open' : end, reason: reasonWithin(threshold, values), threshold }
  })
  return hasBaseline ? [...ends, { name: 'baseline', end: 'open', reason: baselineWaits() }] : ends
}

const BOUNDED = new Set(['turns', 'contextSource', 'status', 'coverage', 'expectations', 'errors'])
const isBounded = ({ metric: { path } }: Threshold): boolean =>
  BOUNDED.has(path[0] ?? '') && !path.some((name) => ['low', 'high', 'cluster'].includes(name))

const isExact = ({ relation }: Threshold): boolean => ['==', '=', '!='].includes(relation)

function reasonWithin(threshold: Threshold, values: readonly number[]): Message {
  if (values.length === 0) return reasonOf(threshold, undefined)
  const { relation, limit, metric } = threshold
  const numbers = [Math.min(...values), Math.max(...values), limit]
  const [low, high, required] = numbers.map(WRITTEN[metric.unit])
  const between = low === high ? `at ${low}` : `between ${low} and ${high}`
  const text = `${figureName(threshold)} ends ${between}, required ${relation} ${required}`
  return makeMessage('threshold-decided', text)
}

export const decide = (turns: readonly Turn[], options: RecordedOptions): 'passes' | 'fails' | undefined =>
  decisionOf(endsOfGates(turns, options, true))

function decisionOf(ends: readonly GateEnd[]): ReturnType<typeof decide> {
  if (ends.some(({ end }) => end === 'fails')) return 'fails'
  return ends.every(({ end }) => end === 'passes') ? 'passes' : undefined
}

/** Names the gates that keep a run from an early end, when it begins. */
export function lateGates({ threshold: expressions, baseline }: RecordedOptions): string | undefined {
  const late = readThresholds(expressions).filter((threshold) => !isBounded(threshold) || isExact(threshold))
  const names = late.map(({ expression }) => `the threshold ${expression}`)
  if (baseline !== null) names.unshift('a baseline')
  if (names.length === 0) return undefined
  return `With ${listNames(names)}, the run sends every question unless another gate fails first`
}

/**
 * Judged by other gates than it was sent with, the run may be open again: then it is incomplete. Open gates
 * are left out, and thresholds show the `figures` of the part.
 */
export function judgeDecided(
  turns: readonly Turn[],
  options: RecordedOptions,
  figures: Figures,
  isGated: boolean,
) {
  const ends = endsOfGates(turns, options)
  const decided = ends.filter(({ end }) => end !== 'open')
  const gates = decided.map(({ name, end, reason }) => ({ name, passed: end === 'passes', reason }))
  const thresholds = decided.flatMap(({ threshold, end, reason }) =>
    threshold === undefined ? [] : [{ ...evaluate(threshold, figures), passed: end === 'passes', reason }],
  )
  const { answered, total, notSent } = figures.turns
  if (decisionOf(ends) === undefined) {
    const open = ends.flatMap(({ name, end }) => (end === 'open' ? [name] : []))
    const notDecided = makeMessage('not-decided', `open now: ${listNames(open)}`)
    const early = endedBy({ kind: 'decided' }, [notDecided, turnsWithoutOutcome(notSent)])
    return { thresholds, gates, ...judge(early, [], [], []) }
  }
  const { attempts } = figures.quota
  const calls = `${digits(attempts)} of ${digits(attempts + notSent)} calls`
  const after = makeMessage('decided', `decided after ${calls}`)
  const failed = ends.flatMap(({ end, reason }) => (end === 'fails' ? [reason] : []))
  const reasons = failed.length === 0 ? [] : [...failed, after]
  const passed = isGated ? [gatesPassed(), after] : undefined
  return { thresholds, gates, ...judge(undefined, reasons, passed, [answeredOf(answered, total), after]) }
}

interface Scenario extends TurnEnd {
  readonly isMet: boolean
  /** Each conversation ends with its first error at its first turn with this tag. */
  readonly tag?: string | undefined
}

/** No source, status or code that a threshold can name. */
const OTHER = ''

export function scenariosOf(
  thresholds: readonly Threshold[],
  groundedSources: readonly string[],
): readonly Scenario[] {
  const [grounded = OTHER] = groundedSources
  const answered = (contextSource: string, status = 'success'): Scenario => {
    const facts = { ...NO_RESULT.facts, contextSource, status }
    return { outcome: 'answered', facts, contextLost: false, isMet: true }
  }
  const failed = (outcome: Outcome, result: Partial<ResultFacts> = {}, tag?: string): Scenario => {
    return { outcome, facts: { ...NO_RESULT.facts, ...result }, contextLost: false, isMet: false, tag }
  }
  // All missing answers have the value that a threshold counts.
  const counted = ({ metric: { path }, key = OTHER, tag }: Threshold): Scenario[] => {
    const [group, name = ''] = path
    if (group === 'contextSource') return [answered(key)]
    if (group === 'status') return [answered(grounded, key)]
    const outcome = OUTCOMES.find((value) => value === name || (name === 'byOutcome' && value === key))
    if (group === 'turns') return outcome === undefined ? [] : [failed(outcome, {}, tag)]
    if (group !== 'errors') return []
    const httpStatus = name === 'byHttpStatus' ? Number(key) : 500
    const isRefusal = name.startsWith('by') && key !== 'none'
    return [failed(outcome ?? 'server_error', isRefusal ? { httpStatus, code: key } : {}, tag)]
  }
  const best = answered(grounded)
  const worst = { ...answered(OTHER, OTHER), isMet: false }
  const withoutContext = { ...best, contextLost: true }
  return [best, worst, failed('timeout'), withoutContext, ...thresholds.flatMap(counted)]
}

export function* fillIn(turns: readonly Turn[], scenario: Scenario): Generator<Turn> {
  const { isMet, tag, ...end } = scenario
  const isAnswer = end.outcome === 'answered'
  const failing = isAnswer ? undefined : firstMissing(turns, tag)
  for (const turn of turns) {
    if (turn.outcome !== undefined) yield turn
    else if (failing?.has(turn.question) === false) yield { ...turn, outcome: 'skipped' }
    else {
      const isGraded = turn.grade !== 'none' && isAnswer && !end.contextLost
      yield { ...turn, ...end, grade: !isGraded ? turn.grade : isMet ? 'passed' : 'failed' }
    }
  }
}

function firstMissing(turns: readonly Turn[], tag: string | undefined): Set<Question> {
  const first = new Map<string, Question>()
  for (const { question, outcome } of turns) {
    if (outcome !== undefined || (tag !== undefined && !question.tags.includes(tag))) continue
    const key = threadKey(question)
    if (question.turn < (first.get(key)?.turn ?? Infinity)) first.set(key, question)
  }
  return new Set(first.values())
}

/** A run of up to 1,264 turns is judged after each one, a larger one less often, but 40 times at least. */
const MIN_LOOKS = 40
const MAX_TURNS_SEEN = 800_000

export type Decider = ReturnType<typeof createDecider>

export function createDecider(options: RecordedOptions, recorded: Iterable<Repeats>) {
  const grade = createGrader()
  let [isDecided, ended] = [false, Infinity]
  return {
    /** A run may have 100,000 turns, so they leave their answers. */
    recorded: [...recorded].flatMap((repeats) => repeats.map((turn) => ({ ...turn, result: undefined }))),
    gradeOf: (turn: Turn, result: AttemptResult | undefined): Grade => {
      ended += 1
      return grade(turn, result).grade
    },
    /** True once no answer to come can change the exit code. `turns`: all of the run. */
    isDecided: (turns: readonly Turn[]): boolean => {
      const { length } = turns
      const step = Math.max(1, Math.floor(length * Math.min(1 / MIN_LOOKS, length / MAX_TURNS_SEEN)))
      if (isDecided || ended < step) return isDecided
      ended = 0
      isDecided = decide(turns, options) !== undefined
      return isDecided
    },
  }
}
