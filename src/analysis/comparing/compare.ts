// Compares two recorded runs, and judges the candidate.
import type {
  Comparison,
  ComparisonOptions,
  GateResult,
  Totals,
  UsageFigures,
} from '../../domain/comparison.ts'
import { ratio } from '../../domain/counts.ts'
import { digits, listNames, makeMessage, type Message } from '../../domain/format.ts'
import { type Quota, shareOfQuota } from '../../domain/quota.ts'
import type { Figures } from '../../domain/summary.ts'
import { differencesBetween, quotaOf } from '../../options/manifest.ts'
import { editedNotes, stateAfter } from '../judging/verdict.ts'
import { gradeRuns, overlapOf, type ReadableRun } from './pair.ts'
import { changedQuestions, type ReviewOf, rowOf } from './rows.ts'
import { judgeRules, testLevel, whatRulesJudge } from './rules.ts'
import { compareFigures, isInBoth } from './totals.ts'

export interface Comparing {
  readonly options: ComparisonOptions
  readonly harnessVersion: string
  readonly quota?: number | undefined
  readonly reviewOf: ReviewOf
  readonly notes?: readonly Message[]
  readonly hasOwnGates?: boolean
}

export function compareRuns(baseline: ReadableRun, candidate: ReadableRun, comparing: Comparing) {
  const { options, harnessVersion, reviewOf, notes = [] } = comparing
  const graded = gradeRuns(baseline, candidate, options.groundedSources)
  const { before, after } = graded
  const rows = graded.pairs.flatMap(({ presence, ...pair }) => {
    const [was, is] = [before.sides.get(pair.baseline), after.sides.get(pair.candidate)]
    // A question that is recorded, but not of the set, has no turn.
    return was || is ? [rowOf(was, is, presence === 'edited', reviewOf)] : []
  })
  // Not the edited ones: the answers to two texts say nothing of each other.
  const shared = rows.filter(isInBoth)
  const overlap = overlapOf(rows)
  const isLow = overlap.shared === 0 || (overlap.share ?? 0) < options.minOverlap
  const allowance = quotaOf(comparing.quota, candidate.manifest.options.quota)
  const totals: Totals = {
    overlap: { ...overlap, isLow },
    // Figures of too few shared questions would be read as figures of the whole set.
    ...compareFigures(isLow ? [] : shared, testLevel(options), options.margin),
    quota: { baseline: usageOf(before.figures, allowance), candidate: usageOf(after.figures, allowance) },
  }
  const gates = judgeRules({ totals, ...whatRulesJudge(shared, before.broken, after.broken) }, options)
  const changed = changedQuestions(rows)
  const runs = [describeRun(baseline, candidate), describeRun(candidate, baseline)] as const
  const differences = differencesBetween(baseline.sent, candidate.sent)
  const isGated =
    comparing.hasOwnGates === true || gates.length === 0 || options.failOn.includes('availability')
  const unanswered = isGated ? 0 : changed.counts.answerToError + changed.counts.answerToSkipped
  const candidateNotes = notesOn(graded, runs, totals.overlap, differences, unanswered)
  const lost = [baseline, candidate].flatMap((run, index) =>
    run.notes.map((text) => makeMessage('journal-note', `${runs[index]?.label ?? ''}: ${text}`)),
  )
  const { verdict, reason } = verdictOf(gates, overlap.edited)
  const comparison: Comparison = {
    formatVersion: 2,
    harnessVersion,
    runs,
    options,
    notes: [...notes, ...lost],
    verdict,
    exitCode: verdict === 'failed' ? 1 : 0,
    reason,
    candidates: [{ verdict, reason, ...totals, ...changed, gates, notes: candidateNotes }],
  }
  return { comparison, rows, baseline: before.figures, candidate: after.figures }
}

function notesOn(
  { isPart, redefined }: ReturnType<typeof gradeRuns>,
  runs: Comparison['runs'],
  { shared, edited }: Totals['overlap'],
  differences: ReturnType<typeof differencesBetween>,
  unanswered: number,
): Message[] {
  const notes: Message[] = []
  const note = (code: string, text: string): void => void notes.push(makeMessage(code, text))
  for (const { label, state } of runs)
    if (state !== 'complete')
      note('run-not-complete', `${label} is ${state}. Questions without an outcome are not compared.`)
  if (isPart)
    note(
      'compared-in-part',
      'Not all of the set was sent: compared are the questions that both runs sent ' +
        `(${digits(shared + edited)}).`,
    )
  if (differences.length > 0) {
    const listed = differences.map(({ name, before, now }) => `${name} ${now} (baseline: ${before})`)
    note('sent-differently', `Sent differently from the baseline: ${listNames(listed)}.`)
  }
  if (redefined > 0)
    note(
      'expectations-edited',
      `Questions whose expectations changed: ${digits(redefined)}. Both runs are graded by the new ` +
        "ones, so figures differ from the baseline's report.",
    )
  if (unanswered > 0)
    note(
      'availability-not-judged',
      `Questions that no longer get an answer: ${digits(unanswered)}. No gate covers this. Add ` +
        'availability to --fail-on, beside the other rules.',
    )
  return notes
}

const describeRun = (run: ReadableRun, other: ReadableRun) => ({
  label: run.name === other.name ? run.path : run.name,
  id: run.manifest.runId,
  target: run.manifest.target.name,
  startedAt: run.manifest.startedAt,
  state: stateAfter(run.model.stop),
  questions: new Set(run.model.slots.map(({ index }) => index)).size,
  sets: run.manifest.datasets.map(({ path }) => path),
  articles: run.manifest.options.articles ?? run.manifest.target.knowledgeBase ?? null,
})

const usageOf = ({ quota, errors }: Figures, allowance: Quota | null): UsageFigures => ({
  min: quota.min,
  max: quota.max,
  callsPerTurn: ratio(quota.attempts, errors.sent),
  shareOfQuota: shareOfQuota(quota.max, allowance),
})

/** The reason names edited questions, so that none is left out in silence. */
function verdictOf(gates: readonly GateResult[], edited: number) {
  // Rules that fail for one reason name it once.
  const failed = new Set(gates.filter(({ passed }) => !passed).map(({ reason }) => reason.text))
  const verdict = failed.size > 0 ? 'failed' : gates.length > 0 ? 'passed' : 'done'
  const passed = verdict === 'passed' ? 'every gate passed' : 'nothing was gated'
  const reasons = [...(failed.size > 0 ? failed : [passed]), ...editedNotes(edited).map(({ text }) => text)]
  return { verdict, reason: reasons.join('; ') } as const
}
