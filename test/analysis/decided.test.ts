// Protects `--until-decided`: a run is called decided only if no answer to come can change its exit code, and
// as soon as the bounds of its gates allow.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide, endsOfGates } from '../../src/analysis/judging/decided.ts'
import { parseThreshold } from '../../src/analysis/judging/threshold.ts'
import type { Question } from '../../src/domain/question.ts'
import { type PassPolicy, unsentTurn } from '../../src/domain/turn.ts'
import { seededRandom } from '../../src/stats/random.ts'
import {
  exitCodeOf,
  makeUndecidedRun,
  type Mood,
  MOODS,
  pickMood,
  play,
  type Played,
  soFarOf,
  type UndecidedRun,
} from './undecided-runs.ts'
import { makeManifest, makeQuestion } from '../support/recorded.ts'

// ---- Any run, any answers to come

const PARTS = [0.2, 0.5, 0.8, 1]

/** Each conversation is over with this chance. */
function playPart({ threads, repeats }: UndecidedRun, random: () => number): Played {
  const [share, mood] = [PARTS[Math.floor(random() * PARTS.length)] ?? 1, pickMood(random)]
  return threads.map((thread) =>
    Array.from({ length: repeats }, (_, at) =>
      random() < share ? play(thread, at + 1, mood, random) : undefined,
    ),
  )
}

/** The same part with all other conversations: all in one mood, or each in its own. */
function complete(run: UndecidedRun, part: Played, random: () => number, mood?: Mood): Played {
  return part.map((conversations, at) =>
    conversations.map(
      (one, repeat) => one ?? play(run.threads[at] ?? [], repeat + 1, mood ?? pickMood(random), random),
    ),
  )
}

test('whatever the answers to come are, the whole run ends with the exit code that was decided', () => {
  const seen = { passes: 0, fails: 0, open: 0, early: 0 }
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = seededRandom(seed)
      const run = makeUndecidedRun(random)
      const part = playPart(run, random)
      const decision = decide(soFarOf(run, part), run.options)
      seen[decision ?? 'open'] += 1
      if (decision === undefined) return
      if (part.flat().includes(undefined)) seen.early += 1
      const expected = decision === 'passes' ? 0 : 1
      const ends = [...MOODS, undefined, undefined, undefined, undefined].map((mood) =>
        exitCodeOf(run, complete(run, part, random, mood)),
      )
      expect(new Set(ends)).toEqual(new Set([expected]))
    }),
    { numRuns: 200 },
  )
  // The property would hold if nothing were ever decided.
  expect(seen.passes).toBeGreaterThan(12)
  expect(seen.fails).toBeGreaterThan(60)
  expect(seen.early).toBeGreaterThan(30)
})

test('more answers never take a decision back, and with the last one each gate is decided', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = seededRandom(seed)
      const run = makeUndecidedRun(random)
      const whole = complete(run, playPart(run, random), random)
      const order = whole
        .flatMap((conversations, at) => conversations.map((_, repeat) => [at, repeat, random()] as const))
        .toSorted(([, , a], [, , b]) => a - b)
      let before: string | undefined
      for (let sent = 0; sent <= order.length; sent += 1) {
        const over = new Set(order.slice(0, sent).map(([at, repeat]) => `${at} ${repeat}`))
        const part = whole.map((conversations, at) =>
          conversations.map((one, repeat) => (over.has(`${at} ${repeat}`) ? one : undefined)),
        )
        const decision = decide(soFarOf(run, part), run.options)
        if (before !== undefined) expect(decision).toBe(before)
        before = decision
      }
      expect(before).toBe(exitCodeOf(run, whole) === 0 ? 'passes' : 'fails')
    }),
    { numRuns: 200 },
  )
})

// ---- When it is decided

interface Case {
  readonly thresholds?: readonly string[]
  readonly policy?: PassPolicy
  readonly question?: Partial<Question>
  readonly hasBaseline?: boolean
}

const ALLOWING = ['errors<=100%', 'status.success>=0%']

function optionsOf({ thresholds: threshold = [], policy: passPolicy = 'all', hasBaseline = false }: Case) {
  for (const text of threshold) expect(parseThreshold(text)).toMatchObject({ kind: 'threshold' })
  return {
    ...makeManifest().options,
    threshold: [...threshold],
    passPolicy,
    baseline: hasBaseline ? 'b' : null,
  }
}

/** Of `total` questions, those whose mood is named have ended, each in a conversation of its own. */
function decideAfter(one: Case, total: number, ...ended: readonly [count: number, mood: number][]) {
  const moods = ended.flatMap(([count, mood]) => Array.from({ length: count }, () => moodAt(mood)))
  const turns = Array.from({ length: total }, (_, index) => {
    const question = makeQuestion(`q${index}`, `q${index}`, 1, one.question)
    const mood = moods[index]
    return mood === undefined
      ? [unsentTurn(index, question, 1)]
      : play([{ index, question }], 1, mood, Math.random)
  })
  return decide(turns.flat(), optionsOf(one))
}

const [GROUNDED, FAILED, UNGROUNDED, ERROR] = [0, 2, 3, 4]
const moodAt = (index: number): Mood => MOODS[index] ?? MOODS[0]
const expecting = { expect: { contains: ['x'] } }

describe('a run of 400 questions', () => {
  test.each<[string, Case, readonly [number, number][], string | undefined]>([
    ['80 gaps may still be a pass', { thresholds: ['coverage>=80%'] }, [[80, UNGROUNDED]], undefined],
    ['81 gaps are a certain miss', { thresholds: ['coverage>=80%'] }, [[81, UNGROUNDED]], 'fails'],
    [
      '320 grounded answers may be too few errors',
      { thresholds: ['coverage>=80%'] },
      [[320, GROUNDED]],
      undefined,
    ],
    [
      '320 grounded answers are a certain pass where errors may be',
      { thresholds: ['coverage>=80%', ...ALLOWING] },
      [[320, GROUNDED]],
      'passes',
    ],
    ['319 are not', { thresholds: ['coverage>=80%', ...ALLOWING] }, [[319, GROUNDED]], undefined],
    // 79 of 399 are 80.2 %: an error leaves the denominator.
    [
      'errors leave the share',
      { thresholds: ['coverage>=80%', ...ALLOWING] },
      [
        [80, UNGROUNDED],
        [1, ERROR],
      ],
      'fails',
    ],
    ['four errors are 1 %', { thresholds: ['errors<=1%'] }, [[4, ERROR]], undefined],
    ['five errors are more', { thresholds: ['errors<=1%'] }, [[5, ERROR]], 'fails'],
    ['with a baseline it may be known', { question: expecting, hasBaseline: true }, [[1, 2]], undefined],
    ['with a baseline an error fails all the same', { hasBaseline: true }, [[1, ERROR]], 'fails'],
    [
      'with a baseline nothing passes early',
      { hasBaseline: true, thresholds: ALLOWING },
      [[400, GROUNDED]],
      undefined,
    ],
    ['five other statuses are more than 1 %', {}, [[5, 1]], 'fails'],
    ['four are not', {}, [[4, 1]], undefined],
    [
      'a limit to be met exactly is decided at the end',
      { thresholds: ['errors.errors==0'] },
      [[1, ERROR]],
      undefined,
    ],
    ['a share of nothing fails', { thresholds: ['passed>=0%'] }, [], 'fails'],
    ['a weighted figure without weights fails', { thresholds: ['coverage.weighted>=0%'] }, [], 'fails'],
  ])('%s', (_, one, ended, expected) => {
    expect(decideAfter(one, 400, ...ended)).toBe(expected)
  })
})

test.each<[PassPolicy, passed: number, failed: number, open: number, string | undefined]>([
  ['all', 0, 1, 2, 'fails'],
  ['all', 2, 0, 1, undefined],
  ['majority', 0, 1, 2, undefined],
  ['majority', 1, 1, 1, undefined],
  ['majority', 0, 2, 1, 'fails'],
  ['majority', 2, 0, 1, 'passes'],
  ['any', 1, 0, 2, 'passes'],
  ['any', 0, 2, 1, undefined],
  ['any', 0, 3, 0, 'fails'],
])('must_pass under %s: %i passed, %i failed, %i to come', (policy, passed, failed, open, expected) => {
  const question = makeQuestion('q', 'q', 1, { ...expecting, mustPass: true })
  const turns = [
    ...Array.from({ length: passed }, () => moodAt(GROUNDED)),
    ...Array.from({ length: failed }, () => moodAt(FAILED)),
  ]
  const settled = turns.flatMap((mood, at) => play([{ index: 0, question }], at + 1, mood, Math.random))
  const missing = Array.from({ length: open }, (_, at) => unsentTurn(0, question, settled.length + at + 1))
  const options = optionsOf({ policy, thresholds: [...ALLOWING, 'expectations.failed>=0'] })
  expect(decide([...settled, ...missing], options)).toBe(expected)
})

test('a tag that only later turns have may end without a call, so a share of it is open', () => {
  const [first, second] = [makeQuestion('q1', 't', 1), makeQuestion('q2', 't', 2, { tags: ['late'] })]
  const turns = [first, second].map((question, index) => unsentTurn(index, question, 1))
  const options = optionsOf({ thresholds: ['errors[late]<=100%', 'errors.errors>=0', ...ALLOWING.slice(1)] })
  const [late] = endsOfGates(turns, options)
  expect(late?.end).toBe('open')
})
