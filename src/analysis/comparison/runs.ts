// Recorded runs side by side: graded by the expectations of the last, each candidate compared with the
// baseline.
import { isDeepStrictEqual } from 'node:util'
import type { ComparedRunFacts, ComparisonOptions, ComparisonRow } from '../../domain/comparison.ts'
import type { JournalRecord, Position } from '../../domain/journal.ts'
import type { Message } from '../../domain/message.ts'
import type { Question } from '../../domain/question.ts'
import { isGrounded } from '../../domain/turn.ts'
import { differencesBetween, quotaOf, type RunManifest } from '../../options/manifest.ts'
import type { Model } from '../fold.ts'
import { gradedQuestions } from '../graded.ts'
import { summarise } from '../summary.ts'
import { turnRecords } from '../turns.ts'
import { type ComparableRun, compareCandidate, concludeComparison } from './compare.ts'
import {
  availabilityNotJudged,
  changedInEarlierRuns,
  expectationsEdited,
  journalNote,
  sentDifferently,
} from './messages.ts'
import { pairRuns } from './pair.ts'
import { comparedTurn } from './question.ts'
import type { ReviewOf } from './rows.ts'
import { trendOf } from './usage.ts'

/** A recorded run whose journals are open. */
export interface ReadableRun {
  /** Of its folder, as the user wrote it. */
  readonly path: string
  /** Of its folder, without those above it. */
  readonly name: string
  readonly manifest: RunManifest
  readonly model: Model
  /** Lines of the journals that cannot be read. */
  readonly notes: readonly string[]
  /** What decides what was sent, as typed. */
  readonly sent: Readonly<Record<string, unknown>>
  /** Reads a record again. */
  readonly pick: (position: Position) => JournalRecord
}

/** The comparison, the rows of each candidate, and the summary of the baseline. */
export type ComparedRuns = ReturnType<typeof compareRuns>

/** What a comparison needs beside its runs. */
export interface Comparing {
  readonly options: ComparisonOptions
  readonly harnessVersion: string
  /** Of `--quota`: calls a month. */
  readonly quota?: number | undefined
  readonly reviewOf: ReviewOf
  /** Questions whose grounding changed in earlier runs. */
  readonly changedBefore?: ReadonlySet<string>
  /** About all runs. */
  readonly notes?: readonly Message[]
  /** A run that is compared with its baseline: its own gates judge its errors. */
  readonly hasOwnGates?: boolean
}

/**
 * `runs`: the baseline first; at least two. Of the result, `rows` are those of each candidate, and `baseline`
 * is the baseline's summary.
 */
export function compareRuns(
  runs: readonly ReadableRun[],
  { options, harnessVersion, quota, reviewOf, ...more }: Comparing,
) {
  const { changedBefore = new Set<string>(), hasOwnGates = false, notes: ownNotes = [] } = more
  const graded = runs.map((run) => gradeRun(run, runs.at(-1) ?? run, options.groundedSources))
  const [baseline, ...candidates] = graded
  if (baseline === undefined) throw new Error('no baseline')
  const facts = factsOf(graded)
  const isJudged = hasOwnGates || options.failOn.length === 0 || options.failOn.includes('availability')
  const compared = candidates.map((candidate) => {
    const { rows, ...judged } = compareCandidate(baseline, candidate, options, {
      allowance: quotaOf(quota, candidate.summary.run.quota),
      candidates: candidates.length,
      reviewOf,
    })
    const differences = differencesBetween(baseline.run.sent, candidate.run.sent)
    const { counts, changes } = judged.changed
    const again = changes.filter(
      ({ id, kinds }) =>
        changedBefore.has(id) && (kinds.includes('groundingLost') || kinds.includes('groundingGained')),
    )
    const unanswered = counts.answerToError + counts.answerToSkipped
    const notes = [
      ...(differences.length === 0
        ? []
        : [
            sentDifferently(differences.map(({ name, one, other }) => `${name} ${other} (baseline: ${one})`)),
          ]),
      ...(baseline.edited === 0 ? [] : [expectationsEdited(baseline.edited)]),
      ...(again.length === 0 ? [] : [changedInEarlierRuns(again)]),
      ...(unanswered === 0 || isJudged ? [] : [availabilityNotJudged(unanswered)]),
    ]
    return { rows, judged: { ...judged, notes } }
  })
  const lost = runs.flatMap(({ notes }, index) =>
    notes.map((note) => journalNote(facts[index]?.label ?? '', note)),
  )
  const comparison = concludeComparison({
    harnessVersion,
    runs: facts,
    options,
    candidates: compared.map(({ judged }) => judged),
    trend: trendOf(graded),
    notes: [...ownNotes, ...lost],
  })
  const rows: readonly (readonly ComparisonRow[])[] = compared.map((one) => one.rows)
  return { comparison, rows, baseline: baseline.summary }
}

interface GradedRun extends ComparableRun {
  readonly run: ReadableRun
  /** Questions whose expectations differ from the reference. */
  readonly edited: number
}

/** A question that the reference lacks is graded by its own expectations. */
function gradeRun(run: ReadableRun, reference: ReadableRun, groundedSources: readonly string[]): GradedRun {
  const { manifest, model, notes, pick } = run
  const { questions, edited } = redefineAll(model.questions, reference.model.questions)
  const redefined = { ...model, questions }
  const { passPolicy } = reference.manifest.options
  const options = { ...manifest.options, passPolicy, groundedSources: [...groundedSources] }
  const graded = [...gradedQuestions(redefined, pick, options)]
  const read = { manifest: { ...manifest, options }, model: redefined, notes }
  const { summary } = summarise(graded, read, { lists: false })
  const turns = graded.flat().map((turn) => comparedTurn(turn, groundedSources))
  return { run, turns, edited, summary }
}

/** Runs with the same folder name are labelled by their paths. */
function factsOf(runs: readonly GradedRun[]): ComparedRunFacts[] {
  const names = runs.map(({ run }) => run.name)
  return runs.map(({ run: { path, name, manifest }, turns, summary }) => ({
    label: names.indexOf(name) === names.lastIndexOf(name) ? name : path,
    id: manifest.runId,
    target: manifest.target.name,
    startedAt: manifest.startedAt,
    state: summary.state,
    questions: new Set(turns.map(({ question }) => question.id)).size,
  }))
}

type Questions = readonly (Question | undefined)[]

/** Expectations, tags and weights come from the reference; what was sent stays. */
function redefineAll(questions: Questions, reference: Questions): { questions: Questions; edited: number } {
  if (questions === reference) return { questions, edited: 0 }
  const alike = [...questions]
  let edited = 0
  const pairing = pairRuns(pairables(questions), pairables(reference))
  for (const { presence, baseline, candidate } of pairing.questions) {
    const [before, now] = [baseline[0], candidate[0]]
    const isInBoth = presence === 'both' || presence === 'edited'
    if (!isInBoth || before === undefined || now === undefined) continue
    const { expect, tags, mustPass, cells, weight } = now.question
    const { expect: expectedBefore, weight: _, ...sent } = before.question
    const isAsExpected = isDeepStrictEqual([expectedBefore ?? {}, sent.mustPass], [expect ?? {}, mustPass])
    if (!isAsExpected) edited += 1
    const defined = { ...sent, tags, mustPass, cells: { ...sent.cells, ...cells } }
    alike[before.index] = {
      ...defined,
      ...(expect !== undefined && { expect }),
      ...(weight !== undefined && { weight }),
    }
  }
  return { questions: alike, edited }
}

/** How many questions two sets share, by the pairing of a comparison. */
export const overlapOf = (baseline: Questions, candidate: Questions) =>
  pairRuns(pairables(baseline), pairables(candidate)).overlap

/** Undefined if the journal has lost a question. */
const pairables = (questions: Questions) =>
  questions.map((question, index) => question && { index, question })

/** Ids of the questions that changed grounding between or within these runs. */
export function changedGrounding(
  runs: readonly Pick<ReadableRun, 'model' | 'pick'>[],
  groundedSources: readonly string[],
): ReadonlySet<string> {
  const values = new Map<string, Set<boolean>>()
  for (const { model, pick } of runs)
    for (const turn of turnRecords(model, pick)) {
      const [{ id }, grounded] = [turn.question, isGrounded(turn, groundedSources)]
      if (grounded !== undefined) values.set(id, (values.get(id) ?? new Set()).add(grounded))
    }
  return new Set([...values].flatMap(([id, found]) => (found.size > 1 ? [id] : [])))
}
