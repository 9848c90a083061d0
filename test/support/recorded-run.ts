// A run folder as `run` leaves one, written without asking anybody: journals for tests and benchmarks of what reads them.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import type { Manifest } from '../../src/domain/manifest.ts'
import type { Question } from '../../src/domain/question.ts'
import type { Stop } from '../../src/domain/stop.ts'
import { encodeRecord } from '../../src/journal/line.ts'
import { manifest } from './summaries.ts'

/** An answer and its source; `timeout`, or `notAsked`. */
export type Came = { readonly answer: string; readonly source: string } | 'timeout' | 'notAsked'

export interface RecordedTurn {
  readonly question: Question
  readonly repeat?: number
  readonly came: Came
  readonly serviceMs?: number
  readonly waitMs?: number
}

export interface RecordedRun {
  /** Gone through more than once. */
  readonly turns: Iterable<RecordedTurn>
  readonly manifest?: Partial<Manifest>
  readonly stop?: Stop
}

const AT = Date.UTC(2026, 10, 21, 12)

/** Questions are numbered in the order in which they first come. Makes the folder. */
export function recordRun(
  folder: string,
  { turns, manifest: more = {}, stop = { kind: 'done' } }: RecordedRun,
): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ ...manifest, ...more }))
  const journal = openSync(join(folder, 'journal.ndjson'), 'w')
  let lines: string[] = []
  const write = (record: JournalRecord): void => {
    lines.push(`${encodeRecord(record, undefined)}\n`)
    if (lines.length >= 1000) flush()
  }
  const flush = (): void => {
    writeSync(journal, lines.join(''))
    lines = []
  }
  write({ kind: 'sitting', at: AT, sitting: 1, harnessVersion: manifest.harnessVersion })
  const numbers = new Map<string, number>()
  for (const { question } of turns) {
    if (numbers.has(question.id)) continue
    write({ kind: 'question', index: numbers.size, question })
    numbers.set(question.id, numbers.size)
  }
  let repeats = 1
  for (const { repeat = 1 } of turns) repeats = Math.max(repeats, repeat)
  write({ kind: 'set', at: AT, digests: [], ranges: [[0, numbers.size - 1]], repeats })
  let attempt = 0
  const ask = (turn: RecordedTurn, came: Exclude<Came, 'notAsked'>, repeat: number): void => {
    const { question: asked, serviceMs = 100, waitMs = 0 } = turn
    const question = numbers.get(asked.id) ?? 0
    attempt += 1
    write({ kind: 'intent', at: AT, attempt, question, repeat, conversation: 1, conversationId: null })
    write({ kind: 'result', at: AT + serviceMs, attempt, waitMs, serviceMs, result: resultOf(came) })
    const outcome = came === 'timeout' ? 'timeout' : 'answered'
    const decided = { kind: 'outcome', conversation: 1, contextLost: false } as const
    write({ ...decided, at: AT, question, repeat, outcome, attempt })
  }
  for (const turn of turns) if (turn.came !== 'notAsked') ask(turn, turn.came, turn.repeat ?? 1)
  write({ kind: 'end', at: AT + 60_000, stop })
  flush()
  closeSync(journal)
}

function resultOf(came: Exclude<Came, 'notAsked'>): AttemptResult {
  if (came === 'timeout') return { kind: 'timeout', message: 'no answer within 1 s' }
  const reply = { conversationId: 'c', message: came.answer, status: 'success', contextSource: came.source }
  return { kind: 'reply', httpStatus: 200, reply }
}
