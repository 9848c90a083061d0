// Two recorded runs, both graded by the expectations of the candidate.
import { isDeepStrictEqual } from 'node:util'
import type { Side } from '../../domain/changes.ts'
import type { JournalRecord, Position } from '../../domain/journal.ts'
import type { RunManifest } from '../../options/manifest.ts'
import type { Model } from '../figures/fold.ts'
import { gradedQuestions } from '../figures/graded.ts'
import { addUsage, noUsage } from '../figures/account.ts'
import { countRun } from '../judging/counted-run.ts'
import { type Pair, pairRuns } from './pair.ts'
import { sideOf } from './sides.ts'

export interface ReadableRun {
  readonly path: string
  readonly name: string
  readonly manifest: RunManifest
  readonly model: Model
  readonly notes: readonly string[]
  readonly sent: Readonly<Record<string, unknown>>
  readonly pick: (position: Position) => JournalRecord
}

export function gradeRuns(baseline: ReadableRun, candidate: ReadableRun, groundedSources: readonly string[]) {
  const { pairs, baselineIsPart, candidateIsPart } = pairRuns(baseline, candidate)
  const part = candidateIsPart ? cut(baseline, pairs, 'baseline') : baseline
  const { run, redefined } = redefine(part, candidate, pairs)
  const { passPolicy } = candidate.manifest.options
  const grading = { passPolicy, groundedSources: [...groundedSources] }
  return {
    pairs,
    isPart: baselineIsPart || candidateIsPart,
    redefined,
    before: gradeRun(run, grading),
    after: gradeRun(baselineIsPart ? cut(candidate, pairs, 'candidate') : candidate, grading),
  }
}

/** The run without the questions that the other one, which is of a part of the set, left out. */
function cut(run: ReadableRun, pairs: readonly Pair[], side: 'baseline' | 'candidate'): ReadableRun {
  const indexes = new Set(pairs.map((pair) => pair[side]))
  const questions = run.model.questions.map((question, index) => (indexes.has(index) ? question : undefined))
  const slots = run.model.slots.filter(({ index }) => questions[index] !== undefined)
  const usage = noUsage()
  for (const slot of slots) addUsage(usage, slot)
  return { ...run, model: { ...run.model, questions, slots, usage } }
}

/** Expectations, tags and weights come from the candidate; what was sent stays. */
function redefine(run: ReadableRun, candidate: ReadableRun, pairs: readonly Pair[]) {
  const questions = [...run.model.questions]
  let redefined = 0
  for (const pair of pairs) {
    if (pair.baseline === undefined || pair.candidate === undefined) continue
    const [before, now] = [questions[pair.baseline], candidate.model.questions[pair.candidate]]
    if (before === undefined || now === undefined) continue
    const { expect, tags, mustPass, weight } = now
    const cells = { ...before.cells, ...now.cells }
    const { expect: expectBefore, weight: weightBefore, ...sent } = before
    if (!isDeepStrictEqual([expectBefore ?? {}, sent.mustPass], [expect ?? {}, mustPass])) redefined += 1
    // Most questions are as they were, and need no copy.
    const defined = [expectBefore, sent.mustPass, sent.tags, sent.cells, weightBefore]
    if (isDeepStrictEqual(defined, [expect, mustPass, tags, cells, weight])) continue
    const optional = { ...(expect !== undefined && { expect }), ...(weight !== undefined && { weight }) }
    questions[pair.baseline] = { ...sent, tags, mustPass, cells, ...optional }
  }
  return { run: { ...run, model: { ...run.model, questions } }, redefined }
}

function gradeRun(run: ReadableRun, grading: Pick<RunManifest['options'], 'passPolicy' | 'groundedSources'>) {
  const graded = gradedQuestions(run.model, run.pick, grading)
  const manifest = { ...run.manifest, options: { ...run.manifest.options, ...grading } }
  const { figures, broken } = countRun(graded, { ...run, manifest }, { lists: false })
  const sides = new Map<number | undefined, Side>()
  for (const repeats of graded) sides.set(repeats[0].index, sideOf(repeats, grading.groundedSources))
  return { figures, broken, sides }
}
