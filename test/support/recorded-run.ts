// Writes a run folder as `run` leaves it, without sending anything: journals for tests and benchmarks of
// their readers.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import type { Manifest, RunManifest } from '../../src/options/manifest.ts'
import type { Question } from '../../src/domain/question.ts'
import type { Stop } from '../../src/domain/stop.ts'
import { encodeRecord } from '../../src/journal/line.ts'
import { manifest as usual } from './summaries.ts'

/** The result of a turn: an answer with its context source, `timeout`, or `notSent`. */
export type TurnResult = { readonly answer: string; readonly source: string } | 'timeout' | 'notSent'

export interface RecordedTurn {
  readonly question: Question
  readonly repeat?: number
  readonly result: TurnResult
  readonly serviceMs?: number
  readonly waitMs?: number
}

export interface RecordedRun {
  /** Iterated more than once. */
  readonly turns: Iterable<RecordedTurn>
  readonly manifest?: Partial<RunManifest>
  readonly stop?: Stop
}

const AT = Date.UTC(2026, 10, 21, 12)

/** Writes the folder as a command leaves it before its reports are written. Creates it. */
export function writeRun(folder: string, manifest: Manifest, records: Iterable<JournalRecord>): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'run.json'), JSON.stringify(manifest))
  const journal = openSync(join(folder, 'journal.ndjson'), 'w')
  let lines: string[] = []
  for (const record of records) {
    if (lines.push(`${encodeRecord(record, undefined)}\n`) < 1000) continue
    writeSync(journal, lines.join(''))
    lines = []
  }
  writeSync(journal, lines.join(''))
  closeSync(journal)
}

export const recordRun = (folder: string, run: RecordedRun): void =>
  writeRun(folder, { ...usual, ...run.manifest }, recordsOf(run))

/** Questions are numbered in the order of their first turn. */
function* recordsOf({ turns, stop = { kind: 'done' } }: RecordedRun): Generator<JournalRecord> {
  yield { kind: 'session', at: AT, session: 1, harnessVersion: usual.harnessVersion }
  const numbers = new Map<string, number>()
  let repeats = 1
  for (const { question, repeat = 1 } of turns) {
    repeats = Math.max(repeats, repeat)
    if (numbers.has(question.id)) continue
    yield { kind: 'question', index: numbers.size, question }
    numbers.set(question.id, numbers.size)
  }
  yield { kind: 'set', at: AT, digests: [], ranges: [[0, numbers.size - 1]], repeats }
  let attempt = 0
  for (const { question: asked, result, repeat = 1, serviceMs = 100, waitMs = 0 } of turns) {
    if (result === 'notSent') continue
    attempt += 1
    const place = { question: numbers.get(asked.id) ?? 0, repeat, conversation: 1 }
    const outcome = result === 'timeout' ? 'timeout' : 'answered'
    yield { kind: 'intent', at: AT, attempt, ...place, conversationId: null }
    yield { kind: 'result', at: AT + serviceMs, attempt, waitMs, serviceMs, result: resultOf(result) }
    yield { kind: 'outcome', at: AT, ...place, outcome, attempt, contextLost: false }
  }
  yield { kind: 'end', at: AT + 60_000, stop }
}

function resultOf(result: Exclude<TurnResult, 'notSent'>): AttemptResult {
  if (result === 'timeout') return { kind: 'timeout', message: 'no answer within 1 s' }
  const reply = {
    conversationId: 'c',
    message: result.answer,
    status: 'success',
    contextSource: result.source,
  }
  return { kind: 'reply', httpStatus: 200, reply }
}
