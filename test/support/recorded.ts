// A recorded run as the program leaves it, from a question to its folder: what tests of figures, reports and
// readers of journals share.
import type { Repeats } from '../../src/analysis/figures/graded.ts'
import { type Decision, judgeStandings } from '../../src/analysis/comparing/judged-run.ts'
import { createStandings, countRun } from '../../src/analysis/judging/counted-run.ts'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createFold } from '../../src/analysis/figures/fold.ts'
import { summaryOf } from '../../src/analysis/judging/summary.ts'
import { type AttemptResult, factsOf } from '../../src/domain/attempt.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import type { Question } from '../../src/domain/question.ts'
import type { Stop } from '../../src/domain/stop.ts'
import type { Summary } from '../../src/domain/summary.ts'
import { type AnsweredTurn, unsentTurn } from '../../src/domain/turn.ts'
import { encodeRecord } from '../../src/journal/line.ts'
import type { RunManifest } from '../../src/options/manifest.ts'
import { openThread, type PlannedTurn, type ThreadState } from '../../src/runner/thread.ts'

export const START = Date.UTC(2026, 10, 21, 12)

// ---- Questions

export function makeQuestion(
  id: string,
  thread: string,
  turn: number,
  more: Partial<Question> = {},
): Question {
  return {
    id,
    thread,
    turn,
    message: `message of ${id}`,
    tags: [],
    mustPass: false,
    cells: {},
    file: 0,
    line: 1,
    ...more,
  }
}

/** Threads of these lengths: `t1` with turns `t1.1`, `t1.2`, …; indexes count over all threads. */
export function makeThreads(...lengths: readonly number[]): ThreadState[] {
  let index = 0
  return lengths.map((length, order) => {
    const name = `t${order + 1}`
    const turns = Array.from({ length }, (_, place): PlannedTurn => {
      const question = makeQuestion(`${name}.${place + 1}`, name, place + 1)
      return { index: index++, question }
    })
    const [first, ...rest] = turns
    if (first === undefined) throw new Error('a thread needs a turn')
    return openThread(order, [first, ...rest], 1)
  })
}

// ---- Results of a call

export const makeReply = (
  contextSource: string,
  message = 'An answer.',
  conversationId = 'c1',
): AttemptResult => ({
  kind: 'reply',
  httpStatus: 200,
  reply: { conversationId, message, status: 'success', contextSource },
})

export const rejection = (httpStatus: number, headers?: Record<string, string>): AttemptResult => ({
  kind: 'rejection',
  httpStatus,
  error: { message: `status ${httpStatus}` },
  ...(headers === undefined ? {} : { headers }),
})

export const timeout = { kind: 'timeout', message: 'no answer' } as const

/** Failed before anything was sent, or after; with a status, in the middle of the answer. */
export const network = (sent: boolean, httpStatus?: number): AttemptResult => ({
  kind: 'network',
  sent,
  code: 'E',
  message: 'no connection',
  ...(httpStatus === undefined ? {} : { httpStatus }),
})

// ---- Turns

let made = 0

/** An answer from the knowledge base, without expectations. */
export function makeTurn(more: Partial<AnsweredTurn> = {}): AnsweredTurn {
  const index = made++
  const { result } = { result: makeReply('KNOWLEDGE_BASE'), ...more }
  const turn: AnsweredTurn = {
    ...unsentTurn(index, makeQuestion(`q${index}`, `t${index}`, 1), 1),
    outcome: 'answered',
    facts: factsOf(result),
    result,
    readAgain: () => turn,
    failures: [],
    serviceMs: 100,
    waitMs: 0,
    certain: 1,
    ...more,
  }
  return turn
}

export const timedOut = { outcome: 'timeout', result: timeout } as const

/** The grade of an answer that does not meet its expectations. */
export const failed = (...sentences: readonly string[]) => ({
  grade: 'failed' as const,
  failures: sentences.map((sentence) => ({ expectation: 'expect_contains' as const, sentence })),
})

export function standingsOf(questions: readonly Repeats[], decision: Decision = { isGreen: false }) {
  const standings = createStandings('all')
  for (const repeats of questions) standings.add(repeats)
  return judgeStandings(standings.all, decision)
}

// ---- Journals and run folders

/** The only attempt of a turn. */
export function callRecords(
  { index: question, repeat, outcome, result, contextLost, waitMs = 0, serviceMs = 0 }: AnsweredTurn,
  attempt: number,
): JournalRecord[] {
  if (outcome === undefined || result === undefined) return []
  const place = { question, repeat, conversation: 1 }
  return [
    { kind: 'intent', at: START, attempt, ...place, conversationId: null },
    { kind: 'result', at: START + serviceMs, attempt, waitMs, serviceMs, result },
    { kind: 'outcome', at: START, ...place, outcome, attempt, contextLost },
  ]
}

/** The journal of one session. */
export function* journalOf(
  questions: readonly Question[],
  events: Iterable<JournalRecord>,
  journal: { readonly startedAt?: number; readonly endedAt?: number; readonly stop?: Stop },
): Generator<JournalRecord> {
  const { startedAt = START, endedAt = startedAt, stop = { kind: 'done' } } = journal
  yield { kind: 'session', at: startedAt, session: 1, harnessVersion: '0.4.0' }
  for (const [index, question] of questions.entries()) yield { kind: 'question', index, question }
  const ranges: [number, number][] = [[0, Math.max(0, questions.length - 1)]]
  yield { kind: 'set', at: startedAt, digests: [], ranges, repeats: 1 }
  yield* events
  yield { kind: 'end', at: endedAt, stop }
}

/**
 * Writes the folder as `run` leaves it before its reports are written. Creates it. The turns are read twice; a question
 * is numbered by its first turn.
 */
export function recordRun(
  folder: string,
  { turns, manifest }: { readonly turns: Iterable<AnsweredTurn>; readonly manifest?: Partial<RunManifest> },
): void {
  const questions = new Map<string, Question>()
  for (const { question } of turns) questions.set(question.id, question)
  const numbers = new Map([...questions.keys()].map((id, index) => [id, index]))
  const calls = function* (): Generator<JournalRecord> {
    let attempt = 0
    for (const turn of turns)
      yield* callRecords({ ...turn, index: numbers.get(turn.question.id) ?? 0 }, ++attempt)
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'run.json'), JSON.stringify(makeManifest(manifest)))
  const journal = openSync(join(folder, 'journal.ndjson'), 'w')
  const end = { endedAt: START + 60_000 }
  for (const record of journalOf([...questions.values()], calls(), end))
    writeSync(journal, `${encodeRecord(record, undefined)}\n`)
  closeSync(journal)
}

// ---- Manifests and summaries

const recorded = JSON.parse(
  readFileSync(new URL('../recorded/reviews/run/run.json', import.meta.url), 'utf8'),
) as RunManifest

export const makeManifest = (more: Partial<RunManifest> = {}): RunManifest => ({
  ...recorded,
  runId: 'run-1',
  target: { ...recorded.target, name: 'staging', baseUrl: 'https://desk.example.com', organization: 'acme' },
  columns: [],
  options: { ...recorded.options, rate: 'auto', concurrency: 'auto' },
  startedAt: '2026-11-21T12:00:00.000Z',
  endedAt: '2026-11-21T12:05:00.000Z',
  ...more,
})

/** The summary of a complete run with these turns. */
export function makeSummary(turns: readonly AnsweredTurn[], more: Partial<Summary> = {}): Summary {
  const manifest = makeManifest()
  const fold = createFold()
  fold.add({ kind: 'end', at: 1, stop: { kind: 'done' } }, { journal: 0, offset: 0, length: 0 })
  const sum = (of: 'certain' | 'possible' | 'notCounted' | 'rateLimited'): number =>
    turns.reduce((total, turn) => total + turn[of], 0)
  const usage = { certain: sum('certain'), possible: sum('possible'), notCounted: sum('notCounted') }
  const model = { ...fold.finish(), usage, rateLimited: sum('rateLimited') }
  const questions = turns.map((turn): Repeats => [turn])
  const counted = countRun(questions, { manifest, model })
  return { ...summaryOf(counted, { manifest, model, notes: [] }), ...more }
}
