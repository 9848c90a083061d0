// Protects `--until-decided`: a run is called decided only if no answer to come can change its exit code, and
// as soon as the bounds of its gates allow.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decide, endsOfGates } from '../../src/analysis/judging/decided.ts'
import { parseThreshold } from '../../src/analysis/judging/threshold.ts'
import { type PassPolicy, unsentTurn } from '../../src/domain/turn.ts'
import type { RecordedOptions } from '../../src/options/manifest.ts'
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

/** The same part with all other conversations: all in one mood, or each in its own. */
function complete(run: UndecidedRun, part: Played, random: () => number, mood?: Mood): Played {
  return part.map((conversations, at) =>
    conversations.map(
      (one, repeat) => one ?? play(run.threads[at] ?? [], repeat + 1, mood ?? pickMood(random), random),
    ),
  )
}

test('once decided, no answers to come change the exit code; with the last one each run is decided', () => {
  const seen = { passes: 0, fails: 0, early: 0 }
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = seededRandom(seed)
      const run = makeUndecidedRun(random)
      const nothing: Played = run.threads.map(() => Array.from({ length: run.repeats }, () => undefined))
      const whole = complete(run, nothing, random, random() < 0.5 ? pickMood(random) : undefined)
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
        else if (decision !== undefined) {
          seen[decision] += 1
          if (sent < order.length) seen.early += 1
          const ends = [...MOODS, undefined, undefined, undefined, undefined].map((mood) =>
            exitCodeOf(run, complete(run, part, random, mood)),
          )
          expect(new Set(ends)).toEqual(new Set([decision === 'passes' ? 0 : 1]))
        }
        before = decision
      }
      expect(before).toBe(exitCodeOf(run, whole) === 0 ? 'passes' : 'fails')
    }),
    { numRuns: 200 },
  )
  // The property would hold if nothing were decided before the end.
  expect(seen.passes).toBeGreaterThan(30)
  expect(seen.fails).toBeGreaterThan(100)
  expect(seen.early).toBeGreaterThan(100)
})

const optionsOf = (threshold: readonly string[], more: Partial<RecordedOptions> = {}): RecordedOptions => {
  for (const text of threshold) expect(parseThreshold(text)).toMatchObject({ kind: 'threshold' })
  return { ...makeManifest().options, threshold: [...threshold], ...more }
}

const expecting = { expect: { contains: ['x'] } }
const moodAt = (index: number): Mood => MOODS[index] ?? MOODS[0]
const ENDS = { grounded: 0, otherStatus: 1, failed: 2, ungrounded: 3, error: 4 } as const
type Ends = Partial<Record<keyof typeof ENDS, number>>
const ALLOWING = ['errors<=100%', 'status.success>=0%']
const PASSES = ['coverage>=80%', ...ALLOWING]
const BASELINE = { baseline: 'b' }

test.each<[string, string[], Ends, string | undefined, Partial<RecordedOptions>?]>([
  ['80 gaps may still be a pass', ['coverage>=80%'], { ungrounded: 80 }, undefined],
  ['81 gaps are a certain miss', ['coverage>=80%'], { ungrounded: 81 }, 'fails'],
  ['320 grounded answers may be too few errors', ['coverage>=80%'], { grounded: 320 }, undefined],
  ['320 grounded answers pass for certain where errors may be', PASSES, { grounded: 320 }, 'passes'],
  ['319 are not', PASSES, { grounded: 319 }, undefined],
  // 79 of 399 are 80.2 %: an error leaves the denominator.
  ['errors leave the share', PASSES, { ungrounded: 80, error: 1 }, 'fails'],
  ['four errors are 1 %', ['errors<=1%'], { error: 4 }, undefined],
  ['five errors are more', ['errors<=1%'], { error: 5 }, 'fails'],
  ['with a baseline it may be known', [], { failed: 1 }, undefined, BASELINE],
  ['with a baseline an error fails all the same', [], { error: 1 }, 'fails', BASELINE],
  ['with a baseline nothing passes early', ALLOWING, { grounded: 400 }, undefined, BASELINE],
  ['five other statuses are more than 1 %', [], { otherStatus: 5 }, 'fails'],
  ['four are not', [], { otherStatus: 4 }, undefined],
  ['a limit to be met exactly is decided at the end', ['errors.errors==0'], { error: 1 }, undefined],
  ['answers to come may lack context', ['turns.contextLost<=5', ...ALLOWING], { grounded: 390 }, undefined],
  ['or have a source', ['contextSource.MODEL<=5', ...ALLOWING], { grounded: 390 }, undefined],
  ['a share of nothing fails', ['passed>=0%'], {}, 'fails'],
  ['a weighted figure without weights fails', ['coverage.weighted>=0%'], {}, 'fails'],
])('of a run of 400 questions %s', (_, thresholds, ended, expected, more) => {
  const moods = Object.entries(ended).flatMap(([end, count]) =>
    Array.from({ length: count }, () => moodAt(ENDS[end as keyof Ends])),
  )
  const turns = Array.from({ length: 400 }, (__, index) => {
    const question = makeQuestion(`q${index}`, `q${index}`, 1, ended.failed === undefined ? {} : expecting)
    const mood = moods[index]
    if (mood === undefined) return [unsentTurn(index, question, 1)]
    return play([{ index, question }], 1, mood, Math.random)
  })
  expect(decide(turns.flat(), optionsOf(thresholds, more))).toBe(expected)
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
    ...Array.from({ length: passed }, () => moodAt(ENDS.grounded)),
    ...Array.from({ length: failed }, () => moodAt(ENDS.failed)),
  ]
  const settled = turns.flatMap((mood, at) => play([{ index: 0, question }], at + 1, mood, Math.random))
  const missing = Array.from({ length: open }, (_, at) => unsentTurn(0, question, settled.length + at + 1))
  const options = optionsOf([...ALLOWING, 'expectations.failed>=0'], { passPolicy: policy })
  expect(decide([...settled, ...missing], options)).toBe(expected)
})

test('a tag that only later turns have may end without a call, so a share of it is open', () => {
  const [first, second] = [makeQuestion('q1', 't', 1), makeQuestion('q2', 't', 2, { tags: ['late'] })]
  const turns = [first, second].map((question, index) => unsentTurn(index, question, 1))
  const options = optionsOf(['errors[late]<=100%', 'errors.errors>=0', ...ALLOWING.slice(1)])
  const [late] = endsOfGates(turns, options)
  expect(late?.end).toBe('open')
})
