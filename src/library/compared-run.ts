// A recorded run as comparisons read it: its questions first, then its turns, graded by what the newest run expects.
import { basename, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ToldTurn } from '../analysis/comparison/compared-side.ts'
import { pairRuns, type Pairable } from '../analysis/comparison/pair.ts'
import { turnSummaryOf, type TurnSummary } from '../analysis/comparison/turn-summary.ts'
import { mustPassOf } from '../analysis/asked.ts'
import { createSummaryGatherer } from '../analysis/summarise.ts'
import { turnRecordOf } from '../analysis/turns.ts'
import type { ComparedRunFacts } from '../domain/comparison/comparison.ts'
import { plural } from '../domain/text.ts'
import { failuresOf } from '../domain/turn.ts'
import type { Question } from '../domain/question.ts'
import type { Summary } from '../domain/summary.ts'
import { openPicker, type RecordPicker } from '../journal/read.ts'
import { gradedQuestions, openRecorded, type RecordedRun } from './fold.ts'
import { rejectLoadTest } from './run-folder.ts'

export interface ComparedRun extends RecordedRun {
  readonly path: string
  readonly picker: RecordPicker
}

export interface GradedRun {
  readonly run: ComparedRun
  readonly turns: readonly TurnSummary[]
  /** What was odd in the journals. */
  readonly notes: readonly string[]
  readonly summary: Summary
  /** Ids of `must_pass` questions that failed what they expect, whenever they were sent. */
  readonly failingMustPass: ReadonlySet<string>
  /** Questions that expected something else. */
  readonly edited: number
  /** A turn with its answer, read again; graded again only where it failed, to say why. */
  readonly told: (turn: TurnSummary) => ToldTurn
}

type Questions = readonly (Question | undefined)[]

/** Throws UsageError where the folder holds no run that can be compared. */
export async function openCompared(path: string): Promise<ComparedRun> {
  const run = await openRecorded(path)
  rejectLoadTest(
    run.manifest,
    path,
    'it sends each question many times, by a timetable, and cannot be compared with a run',
  )
  return { ...run, path, picker: openPicker(run.folder.journal) }
}

/** `reference`: the questions whose expectations hold; of those that it does not have, the run's own do. */
export function gradeCompared(
  run: ComparedRun,
  reference: Questions,
  groundedSources: readonly string[],
): GradedRun {
  const { questions, edited } = redefineAll(run.index.questions, reference)
  const index = { ...run.index, questions }
  const { options } = run.manifest
  const manifest = { ...run.manifest, options: { ...options, groundedSources: [...groundedSources] } }
  const summaries = createSummaryGatherer(manifest, index, run.notes)
  const turns: TurnSummary[] = []
  const failingMustPass = new Set<string>()
  const graded = gradedQuestions(index, run.picker.pick, options.passPolicy)
  for (const asked of graded.questions()) {
    for (const one of asked) {
      summaries.add(one.turn, one.grade)
      turns.push(turnSummaryOf(one, groundedSources))
    }
    const failed = mustPassOf(asked, options.passPolicy)
    if (failed !== undefined && failed.graded) failingMustPass.add(failed.id)
  }
  const lost = new Set(
    index.slots.filter((slot) => questions.at(slot.index) === undefined).map((slot) => slot.index),
  )
  return {
    run,
    turns,
    edited,
    notes: [
      ...run.notes,
      ...(lost.size === 0
        ? []
        : [
            `the journal has lost ${plural(lost.size, 'question')}: what the other run has of them counts as added or removed`,
          ]),
    ],
    failingMustPass,
    summary: summaries.finish({ mustPass: [], flaky: [], gaps: [], wrongAnswers: [] }),
    told: (turn) => {
      const record = turnRecordOf(index, run.picker.pick, index.slotOf(turn.index, turn.repeat))
      if (record === undefined) throw new Error(`no record of ${turn.id}, repeat ${turn.repeat}`)
      return { turn: record, failures: turn.passed === false ? failuresOf(graded.grade(record).grade) : [] }
    },
  }
}

/** Runs of one name are told apart by their folders. */
export function factsOf(runs: readonly GradedRun[]): ComparedRunFacts[] {
  const names = runs.map(({ run }) => basename(resolve(run.path)))
  return runs.map(({ run: { path, manifest }, turns, summary }, place) => {
    const name = names[place] ?? ''
    return {
      label: names.indexOf(name) === names.lastIndexOf(name) ? name : path,
      id: manifest.runId,
      target: manifest.target.name,
      organization: manifest.target.organization,
      startedAt: manifest.startedAt,
      state: summary.state,
      datasets: manifest.datasets.map((dataset) => dataset.path),
      turns: turns.length,
      questions: new Set(turns.map(({ id }) => id)).size,
    }
  })
}

function redefineAll(questions: Questions, reference: Questions): { questions: Questions; edited: number } {
  if (questions === reference) return { questions, edited: 0 }
  const alike = [...questions]
  let edited = 0
  for (const { baseline, candidate } of pairRuns(pairables(questions), pairables(reference)).paired) {
    const [before, now] = [baseline[0], candidate[0]]
    if (before === undefined || now === undefined) continue
    // Most are as they were.
    if (isDeepStrictEqual(definitionOf(before.question), definitionOf(now.question))) continue
    alike[before.index] = redefine(before.question, now.question)
    if (!isDeepStrictEqual(expectationOf(before.question), expectationOf(now.question))) edited += 1
  }
  return { questions: alike, edited }
}

const definitionOf = ({ expect, tags, mustPass, cells }: Question) => ({ expect, tags, mustPass, cells })
const expectationOf = ({ expect = {}, mustPass }: Question) => ({ expect, mustPass })

/** What is expected and how it is grouped; what was sent stays. */
function redefine(sent: Question, { expect, tags, mustPass, cells }: Question): Question {
  const { expect: _before, ...rest } = sent
  const defined = { ...rest, tags, mustPass, cells: { ...sent.cells, ...cells } }
  return expect === undefined ? defined : { ...defined, expect }
}

interface Numbered extends Pairable {
  readonly index: number
  readonly question: Question
}

/** Nothing at the place of one that is lost. */
export const pairables = (questions: Questions): readonly (Numbered | undefined)[] =>
  questions.map((question, index) => {
    if (question === undefined) return undefined
    const { id, file, thread, turn, message } = question
    return { id, file, thread, turn, message, index, question, repeat: 1 }
  })
