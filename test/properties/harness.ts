// The only file in which the properties touch the code under test: plain values in, plain values out. A
// change of a room's interface changes a function here and no property.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { countRun } from '../../src/analysis/judging/counted-run.ts'
import { summaryOf } from '../../src/analysis/judging/summary.ts'
import { gradedQuestions, type Repeats } from '../../src/analysis/figures/graded.ts'
import { realPorts, type RunOptions as LibraryOptions } from '../../src/library/index.ts'
import { readJob } from '../../src/library/job.ts'
import { sendAll } from '../../src/library/run.ts'
import { openSets } from '../../src/library/question-sets.ts'
import { foldJournalsOf } from '../../src/library/recorded-run.ts'
import { readManifest, requireRun } from '../../src/store/manifest.ts'
import { runFolder } from '../../src/store/folder.ts'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import { nthJournal, openPicker } from '../../src/journal/read.ts'
import { resultsTable } from '../../src/report/results-csv.ts'
import { renderWorkbook, sheetOf } from '../../src/report/workbook.ts'
import { renderSpreadsheet } from '../../src/report/spreadsheet.ts'
import { openThreads } from '../../src/runner/thread.ts'
import { readJournals, TORN_MARK } from '../support/journals.ts'
import { makeReply } from '../support/recorded.ts'
import { virtualEndpoint, VirtualClock } from '../support/virtual-clock.ts'

// ---- The endpoint

/** A call as the endpoint receives it. `number`: from 1, over all sessions of the run. */
export interface Call {
  readonly number: number
  readonly message: string
  readonly conversationId: string | undefined
}

/** `counted`: the call counted toward the quota, whatever the caller saw. */
export interface Reply {
  readonly result: AttemptResult
  readonly counted: boolean
}

export type Endpoint = (call: Call) => Reply

export const answer = (message: string, conversationId: string, contextSource: string): Reply => ({
  result: makeReply(contextSource, message, conversationId),
  counted: true,
})

/** One line of the endpoint's own ledger. */
export type LedgerLine = Reply & { readonly call: Call }

// ---- Runs

export type RunOptions = Partial<LibraryOptions>
/** Why a session ended, such as `done` or `budget`, and the ledger in order of arrival. */
export type Session = Awaited<ReturnType<typeof play>>

/** Writes the set beside the run folder and runs the first session to its end. */
export async function startRun(
  path: string,
  csv: string,
  endpoint: Endpoint,
  options: RunOptions = {},
): Promise<Session> {
  const file = `${path}.set.csv`
  writeFileSync(file, csv)
  const desk = { baseUrl: 'http://127.0.0.1:9', organization: 'org', giveUpAfter: '500h', out: path }
  return play({ datasets: [file], ...desk, ...options }, 0, endpoint)
}

/** Runs another session of a recorded run. `maxCalls` replaces the run's own from then on. */
export async function resumeRun(
  path: string,
  endpoint: Endpoint,
  options: RunOptions = {},
): Promise<Session> {
  const before = Math.max(0, ...attemptsOf(path).map(({ number }) => number))
  return play({ resume: path, ...options }, before, endpoint)
}

/** `before`: calls of earlier sessions. */
async function play(options: LibraryOptions, before: number, endpoint: Endpoint) {
  const clock = new VirtualClock()
  const ledger: LedgerLine[] = []
  const connect = virtualEndpoint(clock, ({ message, conversationId }) => {
    const call: Call = { number: before + ledger.length + 1, message, conversationId }
    const reply = endpoint(call)
    ledger.push({ call, ...reply })
    // Calls in flight end in another order than they were sent.
    return { ms: 10 + ((call.number * 7) % 5) * 10, result: reply.result }
  })
  const ports = { ...realPorts(), clock, random: () => 0.5, connect }
  const common = { rate: 'unlimited', concurrency: 1, apiKey: 'key-of-the-properties' }
  const job = readJob('run', { ...common, ...options }, ports)
  try {
    const [session] = (await clock.runUntil(sendAll(job))).sessions
    return { stop: session?.stop?.kind ?? 'none', ledger }
  } finally {
    await job.close()
  }
}

// ---- Journals

export const journalLines = (path: string): string[] => readJournals(path).split(/(?<=\n)/)

/**
 * Writes what a killed process leaves: the run folder as it was during the run, with this part of its
 * journals, read as one.
 */
export function copyKilledRun(from: string, to: string, journals: string): void {
  mkdirSync(to, { recursive: true })
  const { manifest, journal: file } = runFolder(to)
  const before = JSON.parse(readFileSync(runFolder(from).manifest, 'utf8')) as Record<string, unknown>
  writeFileSync(manifest, JSON.stringify({ ...before, state: 'running', endedAt: null }))
  for (const [index, journal] of journals.split(TORN_MARK).entries())
    writeFileSync(nthJournal(file, index + 1), journal)
}

/** Copies a finished run with another journal, as if it was damaged later. */
export function copyDamagedRun(from: string, to: string, journal: string | Uint8Array): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from))
    if (!name.startsWith('journal.')) writeFileSync(join(to, name), readFileSync(join(from, name)))
  writeFileSync(runFolder(to).journal, journal)
}

export interface Attempt {
  readonly number: number
  readonly message: string
  readonly repeat: number
  readonly session: number
  readonly conversationId: string | undefined
  /**
   * `nothing`: no result is recorded; `ambiguous`: perhaps processed; `refused`: not processed, or without a
   * usable answer.
   */
  readonly result: 'answer' | 'nothing' | 'ambiguous' | 'refused'
  /** `conversationId` of an answer. */
  readonly returnedId: string | undefined
  readonly answer: string | undefined
  /** Whether the outcome that follows from it is recorded, too. */
  readonly isDecided: boolean
}

/** `t1` for the question `t1.2`. */
export const threadOf = (message: string): string => /t\d+(?=\.)/.exec(message)?.[0] ?? message

/** Every attempt in the order of its intent. The journal may have torn lines, but no other damage. */
export function attemptsOf(path: string): Attempt[] {
  const messages = new Map<number, string>()
  const attempts = new Map<number, Attempt>()
  let session = 0
  const add = (number: number | undefined, more: Partial<Attempt>): void => {
    const attempt = number === undefined ? undefined : attempts.get(number)
    if (attempt !== undefined) attempts.set(attempt.number, { ...attempt, ...more })
  }
  for (const line of journalLines(path)) {
    if (!line.endsWith('}\n')) continue
    const record = JSON.parse(line) as JournalRecord
    if (record.kind === 'session') session += 1
    else if (record.kind === 'question') messages.set(record.index, record.question.message)
    else if (record.kind === 'result') add(record.attempt, resultFields(record.result))
    else if (record.kind === 'outcome') add(record.attempt, { isDecided: true })
    else if (record.kind === 'intent')
      attempts.set(record.attempt, {
        number: record.attempt,
        message: messages.get(record.question) ?? '',
        repeat: record.repeat,
        session,
        conversationId: record.conversationId ?? undefined,
        result: 'nothing',
        returnedId: undefined,
        answer: undefined,
        isDecided: false,
      })
  }
  return [...attempts.values()]
}

function resultFields(result: AttemptResult): Pick<Attempt, 'result' | 'returnedId' | 'answer'> {
  if (result.kind === 'reply')
    return { result: 'answer', returnedId: result.reply.conversationId, answer: result.reply.message }
  const isAmbiguous =
    result.kind === 'timeout' ||
    (result.kind === 'network' && result.sent) ||
    (result.kind === 'rejection' && result.httpStatus >= 500)
  return { result: isAmbiguous ? 'ambiguous' : 'refused', returnedId: undefined, answer: undefined }
}

/**
 * Turns that were sent again although their answer was recorded and the conversation has not become ambiguous
 * since.
 */
export function resentWithoutCause(attempts: readonly Attempt[]): Attempt[] {
  const threads = new Map<string, { answered: Set<string>; session: number; isDoubtful: boolean }>()
  return attempts.filter((attempt) => {
    const { message, repeat, session, result, conversationId, returnedId, isDecided } = attempt
    const name = `${threadOf(message)} ${repeat}`
    const thread = threads.get(name) ?? { answered: new Set(), session, isDoubtful: false }
    threads.set(name, thread)
    const isAgain = thread.answered.has(message)
    const isWithoutCause = isAgain && !thread.isDoubtful
    if (isAgain) {
      thread.answered.clear()
      thread.isDoubtful = false
    }
    if (result === 'answer') thread.answered.add(message)
    if (result === 'ambiguous' || result === 'nothing') thread.isDoubtful = true
    // The endpoint seems to have lost this conversation of an earlier session.
    const isForgotten = result === 'answer' && conversationId !== undefined && conversationId !== returnedId
    if (isForgotten && (session > thread.session || !isDecided)) thread.isDoubtful = true
    if (result === 'answer') thread.session = session
    return isWithoutCause
  })
}

/**
 * Attempts that continue a thread although its last turn is ambiguous: perhaps processed, but without a
 * recorded answer.
 */
export function continuedAfterAmbiguous(attempts: readonly Attempt[]): Attempt[] {
  const last = new Map<string, Attempt>()
  return attempts.filter((attempt) => {
    const name = `${threadOf(attempt.message)} ${attempt.repeat}`
    const before = last.get(name)
    last.set(name, attempt)
    const isDoubtful = before?.result === 'nothing' || before?.result === 'ambiguous'
    return isDoubtful && (attempt.conversationId !== undefined || !attempt.message.endsWith('.1'))
  })
}

// ---- Reports

export type Row = Readonly<Record<string, string>>

export type Reading = Awaited<ReturnType<typeof readRun>>

/** Throws if the run cannot be reported. */
export async function readRun(path: string) {
  return withGraded(path, ({ graded, manifest, model, notes }) => {
    const summary = summaryOf(countRun(graded, { manifest, model }), { manifest, model, notes })
    const { quota, tags, warnings, run: _, latencyMs: _1, failureLatencyMs: _2, ...rest } = summary
    const { waitMs: _3, pacing: _4, ...figures } = rest
    const tagFigures = Object.entries(tags).map(([tag, { turns, coverage, expectations }]) => {
      return { tag, turns, coverage, expectations }
    })
    return {
      rows: parse<Row>(csvOf(graded, manifest), { columns: true }),
      /** Calls: between `min` and `max` counted toward the quota. */
      account: { attempts: quota.attempts, min: quota.min, max: quota.max },
      /** Every figure that does not depend on the clock or the run's id. */
      figures: { ...figures, quota, tagFigures },
      verdict: summary,
      warnings: warnings.map(({ text }) => text),
    }
  })
}

/** The text of `results.csv`, and the bytes of `results.xlsx`. */
export const readResults = async (path: string) =>
  withGraded(path, ({ graded, manifest }) => ({
    csv: csvOf(graded, manifest),
    workbook: Buffer.concat([...renderWorkbook([sheetOf('Results', tableOf(graded, manifest))])]),
  }))

type Recorded = Awaited<ReturnType<typeof foldJournalsOf>> & {
  readonly manifest: ReturnType<typeof requireRun>
  readonly graded: Repeats[]
}

async function withGraded<T>(path: string, use: (recorded: Recorded) => T): Promise<T> {
  const folder = runFolder(path)
  const manifest = requireRun(readManifest(folder), path, '')
  const folded = await foldJournalsOf(folder, manifest)
  const picker = openPicker(folder.journal)
  try {
    const graded = [...gradedQuestions(folded.model, picker.pick, manifest.options)]
    return use({ ...folded, manifest, graded })
  } finally {
    picker.close()
  }
}

const tableOf = (graded: Recorded['graded'], { columns, options, target }: Recorded['manifest']) =>
  resultsTable(graded.flat(), {
    columns,
    groundedSources: options.groundedSources,
    isSandbox: target.sandbox,
  })

const csvOf = (graded: Recorded['graded'], manifest: Recorded['manifest']): string =>
  [...renderSpreadsheet(tableOf(graded, manifest))].join('')

// ---- Sets

/** The questions without their file and line. Throws if the set has faults. */
export async function readSet(file: string) {
  const { set, turns: sent } = await openSets([file], {}, { note: () => undefined, ports: realPorts() })
  const threads = openThreads(sent, 1).map(({ turns }) =>
    turns.map(({ question: { file: _file, line: _line, ...question } }) => question),
  )
  return { threads, columns: set.columns }
}
