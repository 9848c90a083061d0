// A recorded run as a comparison reads it: graded by the expectations of the newest run.
import { basename, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Repeats } from '../analysis/repeats.ts'
import type { ComparableRun } from '../analysis/comparison/compare.ts'
import { pairRuns } from '../analysis/comparison/pair.ts'
import { turnSummaryOf, type TurnSummary } from '../analysis/comparison/question.ts'
import { summarise } from '../analysis/summary.ts'
import { turnRecordOf } from '../analysis/turns.ts'
import type { ComparedRunFacts } from '../domain/comparison.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { Question } from '../domain/question.ts'
import type { GradedTurn } from '../domain/turn.ts'
import { openPicker } from '../journal/read.ts'
import { gradedQuestions, openRecorded, type RecordedRun } from './fold.ts'
import { rejectLoadTest } from './run-folder.ts'

export interface GradedRun extends ComparableRun {
  readonly folder: string
  readonly manifest: Manifest
  /** Questions whose expectations differ from the reference. */
  readonly edited: number
  /** Reads a turn's answer from the journal; a failed one is graded again for the reasons. */
  readonly read: (turn: TurnSummary) => GradedTurn
  /** Ends the reading. */
  readonly close: () => void
}

type Questions = readonly (Question | undefined)[]

/** Throws UsageError if the folder holds no run that can be compared. */
export async function openCompared(path: string): Promise<RecordedRun> {
  const run = await openRecorded(path)
  rejectLoadTest(run.manifest, path, 'it cannot be compared with a run')
  return run
}

/** `reference`: the run whose expectations and pass policy apply; a question that it lacks is graded by its own. */
export function gradeCompared(
  run: RecordedRun,
  reference: RecordedRun,
  groundedSources: readonly string[],
): GradedRun {
  const { questions: redefined, edited } = redefineAll(run.model.questions, reference.model.questions)
  const model = { ...run.model, questions: redefined }
  const { passPolicy } = reference.manifest.options
  const { pick, close } = openPicker(run.folder.journal)
  const options = { ...run.manifest.options, passPolicy, groundedSources: [...groundedSources] }
  const manifest = { ...run.manifest, options }
  const turns: TurnSummary[] = []
  const graded = gradedQuestions(model, pick, passPolicy)
  const questions = function* (): Generator<Repeats> {
    for (const repeats of graded.questions()) {
      for (const one of repeats) turns.push(turnSummaryOf(one, groundedSources))
      yield repeats
    }
  }
  const { summary } = summarise(questions(), { manifest, model, notes: run.notes }, { lists: false })
  return {
    folder: run.folder.path,
    manifest: run.manifest,
    turns,
    edited,
    summary,
    close,
    read: (turn) => {
      const record = turnRecordOf(model, pick, model.slotOf(turn.index, turn.repeat))
      if (record === undefined) throw new Error(`no record of ${turn.question.id}, repeat ${turn.repeat}`)
      // The checks of an answer that passed need not run again.
      return turn.passed === true ? { turn: record, grade: { kind: 'passed' } } : graded.grade(record)
    },
  }
}

/** Runs with the same folder name are labelled by their paths. */
export function factsOf(runs: readonly GradedRun[]): ComparedRunFacts[] {
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

/** Expectations and tags come from the reference; what was sent stays. */
function redefineAll(questions: Questions, reference: Questions): { questions: Questions; edited: number } {
  if (questions === reference) return { questions, edited: 0 }
  const alike = [...questions]
  let edited = 0
  const pairing = pairRuns(pairables(questions), pairables(reference))
  for (const { presence, baseline, candidate } of pairing.questions) {
    const [before, now] = [baseline[0], candidate[0]]
    if (presence !== 'both' || before === undefined || now === undefined) continue
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
