// Small runs with every kind of gate, made from a seed, and the exit code of the whole by the code that
// judges whole runs: for what is said of `--until-decided`.
import type { AttemptResult } from '../../src/domain/attempt.ts'
import type { Question } from '../../src/domain/question.ts'
import { areWeighted } from '../../src/domain/question.ts'
import { type PassPolicy, type Turn, unsentTurn } from '../../src/domain/turn.ts'
import { judgeGates, reasonsOf, runGates } from '../../src/analysis/judging/verdict.ts'
import { readThresholds } from '../../src/analysis/judging/threshold.ts'
import { countFigures } from '../../src/analysis/figures/figures.ts'
import type { RecordedOptions } from '../../src/options/manifest.ts'
import { makeManifest, makeQuestion, makeTurn, network, timeout } from '../support/recorded.ts'

type Random = () => number

export interface UndecidedRun {
  readonly options: RecordedOptions
  readonly isWeighted: boolean
  /** The conversations of the set: the questions of each, with their numbers. */
  readonly threads: readonly (readonly { readonly index: number; readonly question: Question }[])[]
  readonly repeats: number
}

function pick<T>(random: Random, items: readonly T[]): T {
  const found = items[Math.floor(random() * items.length)]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}

const TAGS = ['a', 'b']
const POLICIES: readonly PassPolicy[] = ['all', 'majority', 'any']
const SHARES = ['coverage', 'passed', 'errors', 'status.success', 'status.odd']
const DEMAND_COUNTS = ['coverage.weighted.grounded', 'coverage.weighted.answered']
const COUNTS = `
  coverage.grounded coverage.answered expectations.passed expectations.failed expectations.none
  expectations.notGraded errors.errors errors.sent errors.byOutcome.timeout errors.byHttpStatus.503
  errors.byHttpStatus.none errors.byCode.BUSY turns.answered turns.skipped turns.timeout turns.contextLost
  turns.total turns.notSent status.success contextSource.MODEL`
  .trim()
  .split(/\s+/)
const RELATIONS = ['>=', '>=', '<=', '<=', '>', '<', '==', '!=']

/** A share is a fraction that the figure can be. */
function thresholdOf(random: Random, turns: number, isWeighted: boolean): string {
  const tag = random() < 0.3 ? `[${pick(random, TAGS)}]` : ''
  const relation = pick(random, RELATIONS)
  const isOfDemand = random() < (isWeighted ? 0.7 : 0.05)
  if (random() < 0.4) {
    const count = pick(random, isOfDemand ? DEMAND_COUNTS : COUNTS)
    return `${count}${tag}${relation}${Math.floor(random() * (turns + 2))}`
  }
  const whole = 1 + Math.floor(random() * turns)
  const share = isOfDemand ? 'coverage.weighted' : pick(random, SHARES)
  return `${share}${tag}${relation}${(100 * Math.floor(random() * (whole + 1))) / whole}%`
}

/** Replaces each gate of a run's own and always passes. */
const TOLERANT = ['errors.errors>=0', 'expectations.failed>=0', 'status.success>=0']

/** One to six conversations of one to three turns, one to three repeats, up to three thresholds. */
export function makeUndecidedRun(random: Random): UndecidedRun {
  const isWeighted = random() < 0.4
  let index = 0
  const threads = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, thread) =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, (__, turn) => {
      const id = `t${thread}.${turn}`
      const question = makeQuestion(id, `t${thread}`, turn + 1, {
        tags: TAGS.filter(() => random() < 0.5),
        mustPass: random() < 0.05,
        ...(random() < 0.5 ? { expect: { contains: ['x'] } } : {}),
        ...(isWeighted ? { weight: pick(random, [0.1, 0.2, 1, 1, 3, 1e6]) } : {}),
      })
      return { index: index++, question }
    }),
  )
  const repeats = random() < 0.6 ? 1 : 1 + Math.floor(random() * 3)
  const isAlone = random() < 0.5
  const threshold = Array.from({ length: isAlone ? 1 : Math.floor(random() * 4) }, () =>
    thresholdOf(random, index * repeats, isWeighted),
  )
  // Without these, most runs are decided by their first error, and no gate alone before another.
  threshold.push(...TOLERANT.filter(() => isAlone || random() < 0.6))
  return {
    threads,
    repeats,
    options: { ...makeManifest().options, threshold, passPolicy: pick(random, POLICIES) },
    isWeighted: areWeighted(threads.flat().map(({ question }) => question)),
  }
}

/** How likely each end of a turn is. */
export interface Mood {
  readonly grounded: number
  readonly passed: number
  readonly success: number
  readonly error: number
  readonly contextLost: number
}

export const MOODS: readonly [Mood, ...Mood[]] = [
  { grounded: 1, passed: 1, success: 1, error: 0, contextLost: 0 },
  { grounded: 0, passed: 0, success: 0, error: 0, contextLost: 0 },
  { grounded: 1, passed: 0, success: 1, error: 0, contextLost: 0 },
  { grounded: 0, passed: 1, success: 1, error: 0, contextLost: 0 },
  { grounded: 0, passed: 0, success: 1, error: 1, contextLost: 0 },
  { grounded: 1, passed: 1, success: 1, error: 0, contextLost: 1 },
  { grounded: 0.8, passed: 0.9, success: 0.95, error: 0.05, contextLost: 0.05 },
  { grounded: 0.5, passed: 0.5, success: 0.5, error: 0.3, contextLost: 0.3 },
]

export const pickMood = (random: Random): Mood => pick(random, MOODS)

const ERRORS: readonly [Turn['outcome'], AttemptResult][] = [
  ['timeout', timeout],
  ['server_error', { kind: 'rejection', httpStatus: 503, error: { code: 'BUSY', message: 'm' } }],
  ['network_error', network(true)],
]

/** The turns of one conversation, from its first to its last. */
export function play(
  thread: UndecidedRun['threads'][number],
  repeat: number,
  mood: Mood,
  random: Random,
): Turn[] {
  let [hasFailed, contextLost] = [false, false]
  return thread.map(({ index, question }, at): Turn => {
    const unsent = { index, question, repeat, grade: unsentTurn(index, question, repeat).grade }
    if (hasFailed) return makeTurn({ ...unsent, outcome: 'skipped', result: undefined, contextLost })
    if (random() < mood.error) {
      hasFailed = true
      const [outcome, result] = pick(random, ERRORS)
      return makeTurn({ ...unsent, outcome, result, contextLost })
    }
    contextLost ||= at > 0 && random() < mood.contextLost
    const reply = {
      conversationId: 'c',
      message: '',
      status: random() < mood.success ? 'success' : 'odd',
      contextSource: random() < mood.grounded ? 'KNOWLEDGE_BASE' : 'MODEL',
    }
    const turn = { ...unsent, result: { kind: 'reply', httpStatus: 200, reply }, contextLost } as const
    if (question.expect === undefined || contextLost) return makeTurn(turn)
    return makeTurn({ ...turn, grade: random() < mood.passed ? 'passed' : 'failed' })
  })
}

/** By conversation, then by repeat from 1; undefined: not over. */
export type Played = readonly (readonly (readonly Turn[] | undefined)[])[]

export const soFarOf = ({ threads }: UndecidedRun, played: Played): Turn[] =>
  threads.flatMap((thread, at) =>
    thread.flatMap(({ index, question }, turn) =>
      (played[at] ?? []).map(
        (conversation, repeat) => conversation?.[turn] ?? unsentTurn(index, question, repeat + 1),
      ),
    ),
  )

/** 0 or 1, as the code that judges whole runs says. */
export function exitCodeOf(run: UndecidedRun, played: Played): number {
  const options = { ...run.options, isWeighted: run.isWeighted }
  const { overall, tags, broken } = countFigures(soFarOf(run, played), options)
  const { gates } = judgeGates(
    readThresholds(options.threshold),
    { ...overall, tags },
    runGates(overall, broken),
  )
  return reasonsOf(gates).length > 0 ? 1 : 0
}
