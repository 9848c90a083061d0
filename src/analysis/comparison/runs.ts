// Two recorded runs side by side, both graded by the expectations of the candidate.
import { isDeepStrictEqual } from 'node:util'
import type { ComparedRunFacts, Comparison, ComparisonOptions } from '../../domain/comparison.ts'
import type { JournalRecord, Position } from '../../domain/journal.ts'
import { digits, listNames } from '../../domain/format.ts'
import { makeMessage, type Message } from '../../domain/message.ts'
import { PART_COLUMN, type Question } from '../../domain/question.ts'
import { differencesBetween, quotaOf, type RunManifest } from '../../options/manifest.ts'
import type { Model } from '../fold.ts'
import { gradedQuestions } from '../graded.ts'
import { summarise } from '../summary.ts'
import { type ComparableRun, compareCandidate } from './compare.ts'
import { pairRuns } from './pair.ts'
import { comparedTurn } from './question.ts'
import type { ReviewOf } from './rows.ts'

export interface ReadableRun {
  readonly path: string
  readonly name: string
  readonly manifest: RunManifest
  readonly model: Model
  /** Lines of the journals that cannot be read. */
  readonly notes: readonly string[]
  /** What decides what was sent, as typed. */
  readonly sent: Readonly<Record<string, unknown>>
  readonly pick: (position: Position) => JournalRecord
}

export type ComparedRuns = ReturnType<typeof compareRuns>

export interface Comparing {
  readonly options: ComparisonOptions
  readonly harnessVersion: string
  readonly quota?: number | undefined
  readonly reviewOf: ReviewOf
  readonly notes?: readonly Message[]
  /** A run that is compared with its baseline: its own gates judge its errors. */
  readonly hasOwnGates?: boolean
}

export function compareRuns(
  baseline: ReadableRun,
  candidate: ReadableRun,
  { options, harnessVersion, quota, reviewOf, ...more }: Comparing,
) {
  const { hasOwnGates = false, notes: ownNotes = [] } = more
  const [shared, sharedNow] = comparedQuestions(baseline, candidate)
  const before = gradeRun(baseline, shared, candidate, options.groundedSources)
  const after = gradeRun(candidate, sharedNow, candidate, options.groundedSources)
  const { rows, ...compared } = compareCandidate(before, after, options, {
    allowance: quotaOf(quota, after.summary.run.quota),
    reviewOf,
  })
  const runs = [factsOf(before, candidate), factsOf(after, baseline)] as const
  const differences = differencesBetween(baseline.sent, candidate.sent)
  const unanswered = compared.counts.answerToError + compared.counts.answerToSkipped
  const isJudged = hasOwnGates || options.failOn.length === 0 || options.failOn.includes('availability')
  const notes: Message[] = []
  const note = (code: string, text: string): void => void notes.push(makeMessage(code, text))
  for (const { label, state } of runs)
    if (state !== 'complete')
      note('run-not-complete', `${label} is ${state}. Questions without an outcome are not compared.`)
  if (shared !== baseline.model.questions || sharedNow !== candidate.model.questions) {
    const both = digits(compared.overlap.shared + compared.overlap.edited)
    note(
      'compared-in-part',
      `Not all of the set was sent: compared are the questions that both runs sent (${both}).`,
    )
  }
  if (differences.length > 0) {
    const changed = differences.map(({ name, one, other }) => `${name} ${other} (baseline: ${one})`)
    note('sent-differently', `Sent differently from the baseline: ${listNames(changed)}.`)
  }
  if (before.edited > 0)
    note(
      'expectations-edited',
      `Questions whose expectations changed: ${digits(before.edited)}. Both runs are graded by the new ` +
        `ones, so figures differ from the baseline's report.`,
    )
  if (unanswered > 0 && !isJudged)
    note(
      'availability-not-judged',
      `Questions that no longer get an answer: ${digits(unanswered)}. No gate covers this. Add ` +
        'availability to --fail-on, beside the other rules.',
    )
  const lost = [baseline, candidate].flatMap((run, index) =>
    run.notes.map((text) => makeMessage('journal-note', `${runs[index]?.label ?? ''}: ${text}`)),
  )
  const { verdict, reason } = compared
  const comparison: Comparison = {
    formatVersion: 2,
    harnessVersion,
    runs,
    options,
    notes: [...ownNotes, ...lost],
    verdict,
    exitCode: verdict === 'failed' ? 1 : 0,
    reason,
    candidates: [{ ...compared, notes }],
  }
  return { comparison, rows, baseline: before.summary, candidate: after.summary }
}

interface GradedRun extends ComparableRun {
  readonly run: ReadableRun
  /** Questions whose expectations differ from the reference. */
  readonly edited: number
}

/**
 * A question that the reference lacks is graded by its own expectations. `compared`: the run's questions,
 * without those that are not compared.
 */
function gradeRun(
  run: ReadableRun,
  compared: Questions,
  reference: ReadableRun,
  groundedSources: readonly string[],
): GradedRun {
  const { manifest, model, notes, pick } = run
  const { questions, edited } = redefineAll(compared, reference.model.questions)
  const redefined = { ...partOf(model, compared), questions }
  const { passPolicy } = reference.manifest.options
  const options = { ...manifest.options, passPolicy, groundedSources: [...groundedSources] }
  const graded = [...gradedQuestions(redefined, pick, options)]
  const read = { manifest: { ...manifest, options }, model: redefined, notes }
  const { summary } = summarise(graded, read, { lists: false })
  const turns = graded.flat().map((turn) => comparedTurn(turn, groundedSources))
  return { run, turns, edited, summary }
}

/** A run with the same folder name as the other one is labelled by its path. */
const factsOf = ({ run, summary }: GradedRun, other: ReadableRun): ComparedRunFacts => ({
  label: run.name === other.name ? run.path : run.name,
  id: run.manifest.runId,
  target: run.manifest.target.name,
  startedAt: run.manifest.startedAt,
  state: summary.state,
  questions: new Set(run.model.slots.map(({ index }) => index)).size,
})

type Questions = readonly (Question | undefined)[]

interface Selected {
  readonly manifest: Pick<RunManifest, 'shard'> & {
    readonly options: Pick<RunManifest['options'], 'tag' | 'grep' | 'sample' | 'seed'>
  }
  readonly model: Pick<Model, 'questions'>
}

/**
 * The questions of both runs that are compared, in their places: where one of them sent a part of the set,
 * none of the other's that it left out.
 */
function comparedQuestions(baseline: Selected, candidate: Selected): [Questions, Questions] {
  const [before, now] = [baseline.model.questions, candidate.model.questions]
  const pairs = pairRuns(pairables(before), pairables(now)).questions
  const shared = pairs.filter(({ presence }) => presence === 'both' || presence === 'edited')
  const only = (questions: Questions, side: 'baseline' | 'candidate'): Questions => {
    const indexes = new Set(shared.map((pair) => pair[side][0]?.index))
    return questions.map((question, index) => (indexes.has(index) ? question : undefined))
  }
  return [
    isPart(candidate, baseline) ? only(before, 'baseline') : before,
    isPart(baseline, candidate) ? only(now, 'candidate') : now,
  ]
}

/** Two runs of one selection are whole beside each other. */
function isPart({ manifest, model }: Selected, other: Selected): boolean {
  const isMarked = model.questions.some((question) => (question?.cells[PART_COLUMN] ?? '') !== '')
  const [own, theirs] = [manifest, other.manifest].map(({ options, shard }) => {
    const { tag, grep, sample, seed } = options
    const isWhole = tag.length === 0 && grep === null && sample === null && shard === undefined
    return isWhole
      ? ''
      : JSON.stringify([tag.toSorted(), grep, sample, sample && seed, shard?.index, shard?.of])
  })
  return isMarked || (own !== '' && own !== theirs)
}

function partOf(model: Model, questions: Questions): Model {
  if (questions === model.questions) return model
  const slots = model.slots.filter(({ index }) => questions[index] !== undefined)
  const usage = { certain: 0, possible: 0, notCounted: 0 }
  for (const { certain, possible, notCounted } of slots) {
    usage.certain += certain
    usage.possible += possible
    usage.notCounted += notCounted
  }
  return { ...model, questions, slots, usage }
}

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

export function overlapOf(baseline: Selected, candidate: Selected) {
  const [before, now] = comparedQuestions(baseline, candidate)
  return pairRuns(pairables(before), pairables(now)).overlap
}

/** Undefined if the journal has lost a question. */
const pairables = (questions: Questions) =>
  questions.map((question, index) => question && { index, question })
