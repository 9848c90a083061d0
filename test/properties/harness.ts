// The one place where the properties meet the code under test: plain values in, plain values out. Whoever rebuilds a room
// rewrites the body of a function here, and no property.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { createEvaluationGatherer } from '../../src/analysis/evaluation.ts'
import { NO_CONFIG } from '../../src/cli/config.ts'
import { gradedQuestions } from '../../src/cli/graded-questions.ts'
import { indexJournal } from '../../src/cli/index-journal.ts'
import { indexParts } from '../../src/cli/merging/index-parts.ts'
import { joinJournals } from '../../src/cli/merging/join-journals.ts'
import { budgetOf, joinManifests } from '../../src/cli/merging/join-manifests.ts'
import { joinStops } from '../../src/cli/merging/join-stops.ts'
import { openParts } from '../../src/cli/merging/parts.ts'
import { loadQuestionSets } from '../../src/cli/question-sets.ts'
import { planSittings } from '../../src/cli/plan.ts'
import { planResume } from '../../src/cli/resume/resume.ts'
import { makeFolder, readManifest, runFolder, writeManifest } from '../../src/cli/run-folder.ts'
import { rangesOf } from '../../src/cli/set-record.ts'
import { planPart } from '../../src/cli/shard.ts'
import { beginSitting, sit, type Sitting } from '../../src/cli/sitting.ts'
import { resolveTargets } from '../../src/cli/targets.ts'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import type { GradedTurn } from '../../src/domain/graded-turn.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import { openPicker } from '../../src/journal/read.ts'
import { createPolicy } from '../../src/pace/create.ts'
import { createGate } from '../../src/pace/gate.ts'
import { createDirectLane } from '../../src/pace/lane.ts'
import type { Limiter } from '../../src/pace/limiter.ts'
import { renderResultsCsv } from '../../src/report/results-csv.ts'
import { runThreads } from '../../src/runner/run.ts'
import { readJournals } from '../support/journals.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

// ---- The endpoint

/** A call as the endpoint gets it. `number`: from 1, over all sessions of the run. */
export interface Call {
  readonly number: number
  readonly message: string
  readonly conversationId: string | undefined
}

/** `counted`: the organization was charged for it, whatever the caller saw. */
export type Reply =
  | {
      readonly kind: 'answer'
      readonly text: string
      readonly conversationId: string
      readonly source: string
    }
  /** 4xx: never reached the assistant. `retryAfter`: seconds. */
  | { readonly kind: 'rejected'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'broken'; readonly status: number; readonly counted: boolean }
  | { readonly kind: 'timeout'; readonly counted: boolean }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'reset'; readonly counted: boolean }
  /** 200, and not the contract's shape. */
  | { readonly kind: 'malformed' }

export type Endpoint = (call: Call) => Reply

/** One line of the endpoint's own ledger. */
export interface LedgerLine {
  readonly call: Call
  readonly reply: Reply
  readonly counted: boolean
}

const isCounted = (reply: Reply): boolean => {
  if ('counted' in reply) return reply.counted
  return reply.kind === 'answer' || reply.kind === 'malformed'
}

function toResult(reply: Reply): AttemptResult {
  switch (reply.kind) {
    case 'answer': {
      const { text: message, conversationId, source: contextSource } = reply
      const body = { conversationId, message, status: 'success', contextSource }
      return { kind: 'reply', httpStatus: 200, reply: body }
    }
    case 'rejected': {
      const headers = reply.retryAfter === undefined ? {} : { 'retry-after': String(reply.retryAfter) }
      const error = { code: `E${reply.status}`, message: 'rejected' }
      return { kind: 'rejection', httpStatus: reply.status, error, headers }
    }
    case 'broken':
      return { kind: 'rejection', httpStatus: reply.status, error: { code: 'E5XX', message: 'broken' } }
    case 'timeout':
      return { kind: 'timeout', message: 'no answer in time' }
    case 'unreachable':
      return { kind: 'network', sent: false, code: 'ECONNREFUSED', message: 'no connection' }
    case 'reset':
      return { kind: 'network', sent: true, code: 'ECONNRESET', message: 'connection lost' }
    case 'malformed':
      return { kind: 'malformed', httpStatus: 200, reason: 'no message', excerpt: '{}' }
  }
}

// ---- Runs

export interface RunOptions {
  readonly repeats?: number
  readonly maxCalls?: number
  readonly concurrency?: number
  /** As in `--shard 2/3`. */
  readonly shard?: string
}

export interface Session {
  /** Why it ended: `done`, `budget`, … */
  readonly stop: string
  /** In the order in which the calls came. */
  readonly ledger: readonly LedgerLine[]
}

const ORGANIZATION = 'org'
const environment = { ASSIST_API_KEY: 'key-of-the-properties' }

const targetOf = ({ repeats, maxCalls, concurrency = 1 }: RunOptions): ReturnType<typeof resolveTargets> =>
  resolveTargets(
    {
      baseUrl: 'http://127.0.0.1:9',
      organization: ORGANIZATION,
      concurrency,
      giveUpAfter: 2 ** 40,
      ...(repeats === undefined ? {} : { repeat: repeats }),
      ...(maxCalls === undefined ? {} : { maxCalls }),
    },
    NO_CONFIG,
    environment,
  )

/** Writes the set beside the folder that the run makes, and plays its first session to its end. */
export async function startRun(
  path: string,
  csv: string,
  endpoint: Endpoint,
  options: RunOptions = {},
): Promise<Session> {
  const file = `${path}.set.csv`
  writeFileSync(file, csv)
  const set = await loadQuestionSets([file], {})
  const { questions, shard } = planPart(set.threads, options.shard)
  const clock = new VirtualClock()
  const sittings = planSittings({
    targets: targetOf(options),
    datasets: [file],
    set,
    questions,
    limiters: new Map([[ORGANIZATION, limiterOn(clock, options)]]),
    environment,
    out: path,
    shard,
    lock: () => undefined,
  })
  return play(sittings, clock, endpoint)
}

/** Plays one more session of a recorded run. A given `maxCalls` is the run's from then on. */
export async function resumeRun(
  path: string,
  endpoint: Endpoint,
  options: Pick<RunOptions, 'maxCalls' | 'concurrency'> = {},
): Promise<Session> {
  const folder = runFolder(path)
  const clock = new VirtualClock()
  const sittings = await planResume({
    runs: [{ folder, manifest: readManifest(folder) }],
    targets: targetOf(options),
    limiters: new Map([[ORGANIZATION, limiterOn(clock, options)]]),
    datasets: [],
    typed: {},
    environment,
    say: () => undefined,
  })
  return play(sittings, clock, endpoint)
}

const limiterOn = (clock: VirtualClock, { concurrency = 1 }: RunOptions): Limiter =>
  createGate(
    createPolicy({ rate: { kind: 'unlimited' }, concurrency }, () => 0.5),
    createDirectLane(),
    concurrency,
    clock,
  )

async function play(
  [sitting]: readonly Sitting[],
  clock: VirtualClock,
  endpoint: Endpoint,
): Promise<Session> {
  if (sitting === undefined) throw new Error('no run was planned')
  const ledger: LedgerLine[] = []
  let stop = 'none'
  const signals = { stop: new AbortController().signal, abandon: new AbortController().signal }
  beginSitting(sitting)
  await sit(
    sitting,
    signals,
    () => undefined,
    async ({ threads, limiter, attemptsBefore, ...rest }, ports, own) => {
      const { options, runId } = rest.manifest
      const ended = await clock.runUntil(
        runThreads(
          threads,
          {
            record: ports.record,
            limiter,
            clock,
            send: ({ message, conversationId }, _signal, { ended: answered, failed }) => {
              const sentAt = clock.now()
              const call: Call = { number: attemptsBefore + ledger.length + 1, message, conversationId }
              const reply = endpoint(call)
              ledger.push({ call, reply, counted: isCounted(reply) })
              // Calls under way end in another order than that in which they were sent.
              clock.after(10 + ((call.number * 7) % 5) * 10, () => {
                try {
                  answered({ sentAt, endedAt: clock.now(), result: toResult(reply) })
                } catch (error) {
                  failed(error)
                }
              })
            },
          },
          {
            runId,
            maxCalls: options.maxCalls ?? undefined,
            giveUpAfterMs: options.giveUpAfterMs,
            attemptsBefore,
            rotatingIds: options.rotatingIds,
            restartOnAmbiguous: options.onAmbiguous === 'restart',
            asksAgain: 'unprocessed',
          },
          own,
        ),
      )
      stop = ended.kind
      return ended
    },
  )
  return { stop, ledger }
}

// ---- Journals

/** The lines of a run's journals, each with its end. */
export const journalLines = (path: string): string[] => readJournals(path).split(/(?<=\n)/)

/** What a killed process leaves: the run's folder as it stood while it was asked, with this much of its journal. */
export function leaveRun(from: string, to: string, journal: string | Uint8Array): void {
  const { manifest, journal: file } = makeFolder(to)
  const before = JSON.parse(readFileSync(runFolder(from).manifest, 'utf8')) as Record<string, unknown>
  writeFileSync(manifest, JSON.stringify({ ...before, state: 'running', endedAt: null }))
  writeFileSync(file, journal)
}

/** Damage that came after the run had ended: one other journal, the rest as it was. */
export function copyRun(from: string, to: string, journal: string | Uint8Array): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from))
    if (!name.startsWith('journal.')) writeFileSync(join(to, name), readFileSync(join(from, name)))
  writeFileSync(runFolder(to).journal, journal)
}

/** An attempt as the journal has it. */
export interface Attempt {
  readonly number: number
  readonly message: string
  readonly repeat: number
  readonly session: number
  readonly conversationId: string | undefined
  /** `nothing`: no result is recorded; `ambiguous`: it may have been processed; `refused`: it was not, or not to any use. */
  readonly came: 'answer' | 'nothing' | 'ambiguous' | 'refused'
  /** Of an answer. */
  readonly returnedId: string | undefined
  readonly answer: string | undefined
  /** Whether what follows from it for its turn is recorded, too. */
  readonly isDecided: boolean
}

/** Every attempt in the order of its intent; of a journal without damage, but for a torn line. */
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
    if (record.kind === 'sitting') session += 1
    else if (record.kind === 'question') messages.set(record.index, record.question.message)
    else if (record.kind === 'result') add(record.attempt, whatCame(record.result))
    else if (record.kind === 'outcome') add(record.attempt, { isDecided: true })
    else if (record.kind === 'intent')
      attempts.set(record.attempt, {
        number: record.attempt,
        message: messages.get(record.question) ?? '',
        repeat: record.repeat,
        session,
        conversationId: record.conversationId ?? undefined,
        came: 'nothing',
        returnedId: undefined,
        answer: undefined,
        isDecided: false,
      })
  }
  return [...attempts.values()]
}

function whatCame(result: AttemptResult): Pick<Attempt, 'came' | 'returnedId' | 'answer'> {
  if (result.kind === 'reply')
    return { came: 'answer', returnedId: result.reply.conversationId, answer: result.reply.message }
  const isAmbiguous =
    result.kind === 'timeout' ||
    (result.kind === 'network' && result.sent) ||
    (result.kind === 'rejection' && result.httpStatus >= 500)
  return { came: isAmbiguous ? 'ambiguous' : 'refused', returnedId: undefined, answer: undefined }
}

// ---- What is made of a run

/** A row of `results.csv`, by its columns. */
export type Row = Readonly<Record<string, string>>

export interface Reading {
  readonly rows: readonly Row[]
  /** `results.csv` itself. */
  readonly csv: string
  /** Calls: `min` to `max` is what the organization was charged for. */
  readonly account: { readonly attempts: number; readonly min: number; readonly max: number }
  /** Every figure that neither the clock nor the run's own id makes another. */
  readonly figures: unknown
  /** What a reader is told of: damage among it. */
  readonly warnings: readonly string[]
}

/** Throws where the run cannot be reported. */
export async function readRun(path: string): Promise<Reading> {
  const folder = runFolder(path)
  const manifest = readManifest(folder)
  const { index, notes } = await indexJournal(folder)
  const picker = openPicker(folder.journal)
  try {
    const { questions } = gradedQuestions(index, picker.pick, manifest.options.gates.passPolicy)
    const evaluation = createEvaluationGatherer(manifest, index, notes)
    const graded: GradedTurn[] = []
    for (const asked of questions()) {
      evaluation.add(asked)
      graded.push(...asked.repeats)
    }
    const { summary } = evaluation.finish()
    const csv = [...renderResultsCsv(graded, manifest.columns, manifest.options.groundedSources)].join('')
    const { turns, contextSource, status, coverage, expectations, errors, quota, tags, verdict, exitCode } =
      summary
    const { flaky, gaps, wrongAnswers } = summary
    const tagFigures = Object.entries(tags).map(([tag, one]) => [
      tag,
      one.turns,
      one.coverage,
      one.expectations,
    ])
    return {
      rows: parse<Record<string, string>>(csv, { columns: true }),
      csv,
      account: { attempts: quota.attempts, min: quota.min, max: quota.max },
      figures: {
        turns,
        contextSource,
        status,
        coverage,
        expectations,
        errors,
        quota,
        verdict,
        exitCode,
        flaky,
        gaps,
        wrongAnswers,
        tagFigures,
      },
      warnings: summary.warnings,
    }
  } finally {
    picker.close()
  }
}

/** Joins the shards' folders into a new one. Throws where they are not the whole of one run. */
export async function mergeRuns(paths: readonly string[], out: string): Promise<void> {
  const { parts, numbers, notes } = await indexParts(openParts(paths))
  const attempts = parts.reduce((sum, part) => sum + part.attempts, 0)
  const stop = joinStops(parts, { attempts, maxCalls: budgetOf(parts) })
  const manifest = joinManifests(parts, out, stop, notes)
  const folder = makeFolder(out)
  const digests = manifest.datasets.map(({ digest }) => digest)
  const ranges = rangesOf(numbers.map((index) => ({ index })))
  await joinJournals(folder.journal, {
    parts,
    set: { digests, ranges, repeats: manifest.options.repeat },
    stop,
  })
  writeManifest(folder, manifest)
}

// ---- Sets

/** What a question says, without where in which file it stands. */
export interface PlainQuestion {
  readonly id: string
  readonly turn: number
  readonly message: string
  readonly endUserRef: string | undefined
  readonly tags: readonly string[]
  readonly mustPass: boolean
  readonly expect: unknown
  /** The set's own columns. */
  readonly cells: Readonly<Record<string, string>>
}

export interface PlainThread {
  readonly name: string
  readonly turns: readonly PlainQuestion[]
}

/** Throws where the set is faulty. */
export async function readSet(file: string): Promise<{ threads: PlainThread[]; columns: readonly string[] }> {
  const set = await loadQuestionSets([file], {})
  const threads = set.threads.map(({ name, turns }) => ({
    name,
    turns: turns.map(({ id, turn, message, endUserRef, tags, mustPass, expect, cells }) => ({
      id,
      turn,
      message,
      endUserRef,
      tags,
      mustPass,
      expect,
      cells,
    })),
  }))
  return { threads, columns: set.columns }
}
