// Recorded runs side by side: graded by the expectations of the last, each candidate compared with the
// baseline. Only reads.
import { basename, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type ComparableRun, compareCandidate, concludeComparison } from '../analysis/comparison/compare.ts'
import { pairRuns } from '../analysis/comparison/pair.ts'
import { comparedTurn } from '../analysis/comparison/question.ts'
import { gradedQuestions } from '../analysis/graded.ts'
import type { ReviewOf } from '../analysis/comparison/rows.ts'
import { trendOf } from '../analysis/comparison/usage.ts'
import { summarise } from '../analysis/summary.ts'
import { turnRecords } from '../analysis/turns.ts'
import type { ComparedRunFacts, ComparisonOptions, ComparisonRow } from '../domain/comparison.ts'
import { recordedOptions, type RunManifest } from '../options/manifest.ts'
import {
  availabilityNotJudged,
  changedInEarlierRuns,
  expectationsEdited,
  journalNote,
  sentDifferently,
} from '../analysis/comparison/messages.ts'
import { type Message } from '../domain/message.ts'
import type { Question } from '../domain/question.ts'
import { isGrounded } from '../domain/turn.ts'
import { openPicker } from '../journal/read.ts'
import { differencesBetween, quotaOf, sentOptions } from '../store/recorded-options.ts'
import type { RunSettings } from '../options/settings.ts'
import { OPTIONS } from '../options/table.ts'
import { byStart, openRun, type ReadPorts, type RecordedRun } from './recorded-run.ts'
import { findRunFolders } from '../store/folder.ts'
import { VERSION } from './shipped.ts'
import { UsageError } from '../options/faults.ts'

/** Throws UsageError if the folder holds no run that can be compared. */
export const openCompared = async (path: string, reading: ReadPorts): Promise<RecordedRun> =>
  openRun(path, 'it cannot be compared with a run', reading)

export type ComparedRuns = ReturnType<typeof compareRuns>

interface Comparing {
  readonly settings: RunSettings
  readonly reviewOf: ReviewOf
  /** Questions whose grounding changed in earlier runs. */
  readonly changedBefore?: ReadonlySet<string>
  /** About all runs. */
  readonly notes?: readonly Message[]
  /** A run that is compared with its baseline: its own gates judge its errors. */
  readonly hasOwnGates?: boolean
}

const { value: rulesValue, unset: defaultRules } = OPTIONS.failOn

/**
 * `runs`: the baseline first. Of the result, `rows` are those of each candidate, and `baseline` is the
 * baseline's summary.
 */
export function compareRuns(
  runs: readonly RecordedRun[],
  { settings, reviewOf, changedBefore = new Set(), hasOwnGates = false, notes: ownNotes = [] }: Comparing,
) {
  const reference = referenceOf(runs)
  const { failOn, history = [] } = settings
  const { alpha, margin, minOverlap } = recordedOptions.parse(settings)
  const groundedSources = groundedSourcesOf(settings, reference)
  const rules = { failOn: failOn ?? rulesValue.typed.parse(defaultRules), areNamed: failOn !== undefined }
  const options: ComparisonOptions = { ...rules, alpha, margin, minOverlap, groundedSources, history }
  const [baseline, ...candidates] = runs.map((run) => gradeRun(run, reference, groundedSources))
  if (baseline === undefined) throw new Error('no baseline')
  const facts = factsOf([baseline, ...candidates])
  const compared = candidates.map((candidate) => {
    const { rows, ...judged } = compareCandidate(baseline, candidate, options, {
      allowance: quotaOf(settings.quota, candidate.summary.run.quota),
      candidates: candidates.length,
      reviewOf,
    })
    const differences = differencesBetween(sentBy(baseline), sentBy(candidate))
    const { counts, changes } = judged.changed
    const again = changes.filter(
      ({ id, kinds }) =>
        changedBefore.has(id) && (kinds.includes('groundingLost') || kinds.includes('groundingGained')),
    )
    const unanswered = counts.answerToError + counts.answerToSkipped
    const isJudged = hasOwnGates || rules.failOn.length === 0 || rules.failOn.includes('availability')
    const notes = [
      ...(differences.length === 0
        ? []
        : [
            sentDifferently(differences.map(({ name, one, other }) => `${name} ${other} (baseline: ${one})`)),
          ]),
      ...(baseline.edited === 0 ? [] : [expectationsEdited(baseline.edited)]),
      ...(again.length === 0 ? [] : [changedInEarlierRuns(again.map(({ id }) => id))]),
      ...(unanswered === 0 || isJudged ? [] : [availabilityNotJudged(unanswered)]),
    ]
    return { rows, judged: { ...judged, notes } }
  })
  const comparison = concludeComparison({
    harnessVersion: VERSION,
    runs: facts,
    options,
    candidates: compared.map(({ judged }) => judged),
    trend: trendOf([baseline, ...candidates]),
    notes: [
      ...ownNotes,
      ...runs.flatMap(({ notes }, place) =>
        notes.map((note) => journalNote(facts[place]?.label ?? '', note)),
      ),
    ],
  })
  const rows: readonly (readonly ComparisonRow[])[] = compared.map((one) => one.rows)
  return { comparison, rows, baseline: baseline.summary }
}

/** The run whose expectations and pass policy apply to all. */
export function referenceOf(runs: readonly RecordedRun[]): RecordedRun {
  const newest = runs.at(-1)
  if (newest === undefined) throw new Error('no run to compare')
  return newest
}

const groundedSourcesOf = (settings: RunSettings, { manifest }: RecordedRun): readonly string[] =>
  settings.groundedSources ?? manifest.options.groundedSources

interface GradedRun extends ComparableRun {
  readonly folder: string
  readonly manifest: RunManifest
  /** Questions whose expectations differ from the reference. */
  readonly edited: number
}

/** A question that the reference lacks is graded by its own expectations. */
function gradeRun(
  { folder, manifest, model, notes }: RecordedRun,
  reference: RecordedRun,
  groundedSources: readonly string[],
): GradedRun {
  const { questions, edited } = redefineAll(model.questions, reference.model.questions)
  const redefined = { ...model, questions }
  const { passPolicy } = reference.manifest.options
  const options = { ...manifest.options, passPolicy, groundedSources: [...groundedSources] }
  const picker = openPicker(folder.journal)
  try {
    const graded = [...gradedQuestions(redefined, picker.pick, passPolicy)]
    const read = { manifest: { ...manifest, options }, model: redefined, notes }
    const { summary } = summarise(graded, read, { lists: false })
    const turns = graded.flat().map((one) => comparedTurn(one, groundedSources))
    return { folder: folder.path, manifest, turns, edited, summary }
  } finally {
    picker.close()
  }
}

/** Runs with the same folder name are labelled by their paths. */
function factsOf(runs: readonly GradedRun[]): ComparedRunFacts[] {
  const names = runs.map(({ folder }) => basename(resolve(folder)))
  return runs.map(({ folder, manifest, turns, summary }, place) => {
    const name = names[place] ?? ''
    return {
      label: names.indexOf(name) === names.lastIndexOf(name) ? name : folder,
      id: manifest.runId,
      target: manifest.target.name,
      startedAt: manifest.startedAt,
      state: summary.state,
      questions: new Set(turns.map(({ question }) => question.id)).size,
    }
  })
}

/** Of the articles of a sandbox only the folder is known. */
function sentBy({ folder, manifest }: GradedRun): Readonly<Record<string, unknown>> {
  const { knowledgeBase } = manifest.target
  return { ...sentOptions(manifest), '--kb': knowledgeBase && join(folder, knowledgeBase) }
}

type Questions = readonly (Question | undefined)[]

/** Expectations and tags come from the reference; what was sent stays. */
function redefineAll(questions: Questions, reference: Questions): { questions: Questions; edited: number } {
  if (questions === reference) return { questions, edited: 0 }
  const alike = [...questions]
  let edited = 0
  const pairing = pairRuns(pairables(questions), pairables(reference))
  for (const { presence, baseline, candidate } of pairing.questions) {
    const [before, now] = [baseline[0], candidate[0]]
    const isInBoth = presence === 'both' || presence === 'edited'
    if (!isInBoth || before === undefined || now === undefined) continue
    const { expect, tags, mustPass, cells } = now.question
    const { expect: expectedBefore, ...sent } = before.question
    const isAsExpected = isDeepStrictEqual([expectedBefore ?? {}, sent.mustPass], [expect ?? {}, mustPass])
    if (!isAsExpected) edited += 1
    const defined = { ...sent, tags, mustPass, cells: { ...sent.cells, ...cells } }
    alike[before.index] = expect === undefined ? defined : { ...defined, expect }
  }
  return { questions: alike, edited }
}

/** Undefined if the journal has lost a question. */
export const pairables = (questions: Questions) =>
  questions.map((question, index) => question && { index, question })

/** Earlier runs that are read at most. */
const MAX_EARLIER = 30

/**
 * Ids of questions that changed grounding between or within the latest earlier runs of the organization below
 * the folders of `--history`. A run that cannot be compared is left out, with a note.
 */
export async function changedGroundingBefore(
  runs: readonly RecordedRun[],
  settings: RunSettings,
  { note, ports }: Required<ReadPorts>,
): Promise<ReadonlySet<string>> {
  const newest = referenceOf(runs)
  const own = new Set(runs.map(({ manifest }) => manifest.runId))
  const isMeant = (run: RecordedRun): boolean =>
    !own.has(run.manifest.runId) &&
    run.manifest.target.organization === newest.manifest.target.organization &&
    byStart(run, newest) < 0
  const earlier: RecordedRun[] = []
  const leftOut: string[] = []
  for (const found of (settings.history ?? []).flatMap((path) => findRunFolders(path))) {
    const run = await openCompared(found.path, { note, ports }).catch((error: unknown) => {
      if (error instanceof UsageError) return error
      throw error
    })
    if (run instanceof UsageError) leftOut.push(run.message)
    else if (isMeant(run)) earlier.push(run)
  }
  const [first, ...others] = leftOut
  const more = others.length > 0 ? `; and ${others.length} more` : ''
  if (first !== undefined) note(`--history leaves out what cannot be compared: ${first}${more}`)
  const values = new Map<string, Set<boolean>>()
  for (const { folder, model } of earlier.toSorted(byStart).slice(-MAX_EARLIER)) {
    const picker = openPicker(folder.journal)
    for (const turn of turnRecords(model, picker.pick)) {
      const [{ id }, grounded] = [turn.question, isGrounded(turn, groundedSourcesOf(settings, newest))]
      if (grounded !== undefined) values.set(id, (values.get(id) ?? new Set()).add(grounded))
    }
    picker.close()
  }
  return new Set([...values].flatMap(([id, found]) => (found.size > 1 ? [id] : [])))
}
