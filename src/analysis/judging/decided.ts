// The run so far is judged in several scenarios: a gate that ends alike in all of them is decided. What must
// be met exactly (`==`) may lie between two of them, so the end of the run decides it.
import { digits, listNames, WRITTEN } from '../../domain/format.ts'
import { makeMessage, type Message } from '../../domain/message.ts'
import { areWeighted } from '../../domain/question.ts'
import type { Figures } from '../../domain/summary.ts'
import { type PassPolicy, type Turn, unsentTurn } from '../../domain/turn.ts'
import type { Manifest } from '../../options/manifest.ts'
import { type Confirming, mayBeConfirmed } from '../figures/confirm.ts'
import { countFigures } from '../figures/figures.ts'
import { answeredOf, baselineWaits, gatesPassed, turnsWithoutOutcome } from './messages.ts'
import { threadKey } from '../figures/questions.ts'
import { endedBy, judge } from './verdict.ts'
import { judgeGates, runGates } from './gates.ts'
import { fillIn, scenariosOf } from './scenarios.ts'
import { evaluate, figureName, readThresholds, reasonOf, type Threshold } from './threshold.ts'

/** Statistical rules of a baseline are open until the end; what failed there already fails no gate. */
export interface Judging extends Confirming {
  readonly thresholds: readonly Threshold[]
  readonly passPolicy: PassPolicy
}

export const judgingOf = (options: Manifest['options']): Judging => ({
  thresholds: readThresholds(options.threshold),
  groundedSources: options.groundedSources,
  passPolicy: options.passPolicy,
  hasBaseline: options.baseline !== null,
  confirms: options.confirm > 0,
})

/** Takes back answers that may be sent again, and those of a conversation that a restart may follow. */
function settledTurns(turns: readonly Turn[], judging: Judging): readonly Turn[] {
  const conversationOf = (turn: Turn): string => `${threadKey(turn.question)} ${turn.repeat}`
  const open = new Set(turns.filter(({ outcome }) => outcome === undefined).map(conversationOf))
  if (open.size === 0 && !judging.confirms) return turns
  return turns.map((turn) => {
    const isOpen = open.has(conversationOf(turn)) || mayBeConfirmed(turn, judging)
    return isOpen ? unsentTurn(turn.index, turn.question, turn.repeat) : turn
  })
}

function judgeScenario(turns: Iterable<Turn>, judging: Judging, isWeighted: boolean) {
  const { thresholds } = judging
  const tags = new Set(thresholds.flatMap(({ tag }) => tag ?? []))
  const options = { ...judging, quota: null, isWeighted, hasIntervals: false }
  const { overall, tags: byTag, broken } = countFigures(turns, options, tags)
  return judgeGates(thresholds, { ...overall, tags: byTag }, runGates(overall, broken))
}

interface GateEnd {
  readonly name: string
  readonly end: 'passes' | 'fails' | 'open'
  readonly reason: Message
  readonly threshold?: Threshold
}

/** Takes all turns of the run, by question, then by repeat. `isQuick` ends once the exit code is open. */
export function endsOfGates(turns: readonly Turn[], judging: Judging, isQuick = false): GateEnd[] {
  const settled = settledTurns(turns, judging)
  const isWeighted = areWeighted(settled.map(({ question }) => question))
  const isOver = settled.every(({ outcome }) => outcome !== undefined)
  const judged: ReturnType<typeof judgeScenario>[] = []
  let ends: GateEnd[] = []
  for (const scenario of scenariosOf(judging.thresholds, judging.groundedSources)) {
    judged.push(judgeScenario(fillIn(settled, scenario), judging, isWeighted))
    ends = endsIn(judged, judging, isOver)
    if (isQuick && decisionOf(ends) === undefined) break
  }
  return ends
}

/** `judged` begins with the best scenario: a gate that fails there names what is certain. */
function endsIn(
  judged: readonly ReturnType<typeof judgeScenario>[],
  { thresholds, hasBaseline }: Judging,
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

export const decide = (turns: readonly Turn[], judging: Judging): 'passes' | 'fails' | undefined =>
  decisionOf(endsOfGates(turns, judging, true))

function decisionOf(ends: readonly GateEnd[]): ReturnType<typeof decide> {
  if (ends.some(({ end }) => end === 'fails')) return 'fails'
  return ends.every(({ end }) => end === 'passes') ? 'passes' : undefined
}

/** Names the gates that keep a run from an early end, when it begins. */
export function lateGates({ thresholds, hasBaseline }: Judging): string | undefined {
  const late = thresholds.filter((threshold) => !isBounded(threshold) || isExact(threshold))
  const names = late.map(({ expression }) => `the threshold ${expression}`)
  if (hasBaseline) names.unshift('a baseline')
  if (names.length === 0) return undefined
  return `With ${listNames(names)}, the run sends every question unless another gate fails first`
}

/**
 * Judged by other gates than it was sent with, the run may be open again: then it is incomplete. Open gates
 * are left out, and thresholds show the `figures` of the part.
 */
export function judgeDecided(turns: readonly Turn[], judging: Judging, figures: Figures, isGated: boolean) {
  const ends = endsOfGates(turns, judging)
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
