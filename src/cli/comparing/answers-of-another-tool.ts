// Another tool's export of questions with the answers of then: a baseline to compare a run with.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { turnSummaryOf } from '../../analysis/comparison/turn-summary.ts'
import { grade } from '../../analysis/grading/grade.ts'
import { BASELINE_ANSWER } from '../../dataset/importers/copilot-results.ts'
import { failuresOf } from '../../domain/grade.ts'
import type { Question } from '../../domain/question.ts'
import type { TurnRecord } from '../../domain/turn.ts'
import { describeFileOfRun, NAME_A_RUN } from '../file-of-run.ts'
import { loadQuestionSets } from '../question-sets.ts'
import { createRegexMatcher } from '../regex-with-deadline.ts'
import { UsageError } from '../usage-error.ts'
import type { ComparedRun, ReadRun } from './compared-run.ts'

const NO_USAGE = { attempts: 0, certain: 0, possible: 0, notCounted: 0, min: 0, max: 0 }

/** Throws UsageError where the file is no such export. */
export async function openExport(path: string): Promise<ComparedRun> {
  // A pipe could be read only once, and holds up whoever opens it until somebody writes.
  if (!statSync(path).isFile())
    throw new UsageError(
      `${path} is a pipe or a device; name the folder of a run, or an export that is kept in a file`,
    )
  const { threads, columns } = await loadQuestionSets([path], {}).catch((error: unknown) => {
    const isLikelyExport = describeFileOfRun(path) === undefined && namesAnswers(path)
    throw isLikelyExport ? error : new UsageError(describeNoAnswers(path), { cause: error })
  })
  if (!columns.includes(BASELINE_ANSWER)) throw new UsageError(describeNoAnswers(path))
  const questions = threads.flatMap(({ turns }) => turns)
  const answers = questions.map(({ cells }) => cells[BASELINE_ANSWER]?.trim() ?? '')
  return {
    path,
    manifest: undefined,
    questions,
    read: async (expected, groundedSources) => readExport([...expected], answers, groundedSources),
    close: () => undefined,
  }
}

const describeNoAnswers = (path: string): string =>
  describeFileOfRun(path) ??
  `${basename(path)} holds no answers to compare with: ${NAME_A_RUN}, or an export of Copilot Studio results`

const HEAD = 2 ** 16

/** Whether the column of the answers may stand in it, in whatever encoding; what cannot be read is told by its own fault. */
function namesAnswers(path: string): boolean {
  const head = Buffer.alloc(HEAD)
  let length: number
  try {
    const file = openSync(path, 'r')
    try {
      length = readSync(file, head)
    } finally {
      closeSync(file)
    }
  } catch {
    return true
  }
  const letters = head.toString('latin1', 0, length).replaceAll(/[^A-Za-z]/g, '')
  return letters.toLowerCase().includes(BASELINE_ANSWER.toLowerCase())
}

function readExport(
  questions: readonly (Question | undefined)[],
  answers: readonly string[],
  groundedSources: readonly string[],
): ReadRun {
  const matches = createRegexMatcher()
  const graded = questions.map((question, index) => {
    if (question === undefined) return undefined
    const turn = turnOf(withoutSource(question), index, answers[index] ?? '')
    return { turn, grade: grade(turn, { matches }) }
  })
  return {
    turns: graded.flatMap((one) =>
      one === undefined
        ? []
        : // The export does not say where an answer came from.
          [{ ...turnSummaryOf(one, groundedSources), contextSource: undefined, grounded: undefined }],
    ),
    notes: [],
    summary: undefined,
    failingMustPass: new Set(
      graded.flatMap((one) =>
        one?.turn.question.mustPass === true && one.grade.kind === 'failed' ? [one.turn.question.id] : [],
      ),
    ),
    told: ({ index }) => {
      const one = graded[index]
      if (one === undefined) throw new Error(`the export has no question ${index}`)
      return { turn: one.turn, failures: failuresOf(one.grade) }
    },
  }
}

/** A source that is not known can neither be kept nor missed, and nobody measured the time. */
function withoutSource(question: Question): Question {
  const { expect, ...rest } = question
  if (expect === undefined) return question
  const { source: _source, maxLatencyMs: _latency, ...kept } = expect
  return Object.keys(kept).length === 0 ? rest : { ...rest, expect: kept }
}

function turnOf(question: Question, index: number, message: string): TurnRecord {
  const isAnswered = message !== ''
  return {
    index,
    question,
    repeat: 1,
    outcome: isAnswered ? 'answered' : undefined,
    result: isAnswered
      ? {
          kind: 'reply',
          httpStatus: 200,
          reply: { conversationId: '', message, status: 'success', contextSource: '' },
        }
      : undefined,
    serviceMs: undefined,
    waitMs: undefined,
    usage: NO_USAGE,
    rateLimited: 0,
    contextLost: false,
  }
}
