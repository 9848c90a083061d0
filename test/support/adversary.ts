// A whole sitting under a virtual clock against an endpoint that answers as the test says: the real runner, the real confirmations.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { nextConfirmations } from '../../src/cli/confirming/next-round.ts'
import { runFolder } from '../../src/cli/run-folder.ts'
import { setRecord } from '../../src/cli/set-record.ts'
import type { Sitting } from '../../src/cli/sitting.ts'
import type { AssistRequest, AttemptResult } from '../../src/domain/attempt.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import type { Stop } from '../../src/domain/stop.ts'
import { usageClassOf } from '../../src/domain/usage.ts'
import { encodeRecord } from '../../src/journal/line.ts'
import { createPolicy } from '../../src/pace/create.ts'
import { createGate } from '../../src/pace/gate.ts'
import { createDirectLane } from '../../src/pace/lane.ts'
import { runThreads } from '../../src/runner/run.ts'
import type { HeldThread, PlannedTurn } from '../../src/runner/thread-state.ts'
import type { CallRules } from '../../src/analysis/estimate/worst-case.ts'
import { manifest } from './summaries.ts'
import { VirtualClock } from './virtual-clock.ts'
import { sendBy } from './send-by.ts'

export interface AdversaryCall {
  readonly request: AssistRequest
  /** Number of the thread's first question, from 0; which asking of it, and which conversation of that, from 1. */
  readonly first: number
  readonly repeat: number
  readonly conversation: number
}

export interface Endured {
  /** Attempts that count, for certain or perhaps. */
  readonly counted: number
  readonly attempts: number
  readonly stop: Stop
}

export type Adversary = (call: AdversaryCall) => AttemptResult

/** `folder`: a new one, for the journal that confirmations read. */
export async function endure(
  threads: readonly HeldThread[],
  answer: Adversary,
  rules: CallRules & { readonly maxCalls?: number },
  folder: string,
): Promise<Endured> {
  mkdirSync(folder)
  const { restartOnAmbiguous, rotatingIds, confirm, passPolicy, maxCalls } = rules
  const journal = runFolder(folder).journal
  const write = (records: readonly JournalRecord[]): void => {
    appendFileSync(journal, records.map((record) => `${encodeRecord(record, undefined)}\n`).join(''))
  }
  const turns = plannedTurns(threads)
  const repeat = Math.max(...threads.map((thread) => thread.repeat))
  writeFileSync(journal, '')
  write(turns.map(({ index, question }) => ({ kind: 'question', index, question })))
  write([setRecord(turns, [], repeat)])
  const clock = new VirtualClock()
  const pace = { rate: { kind: 'unlimited' }, concurrency: 'auto' } as const
  const limiter = createGate(
    createPolicy(pace, () => 0.5),
    createDirectLane(),
    4,
    clock,
  )
  let [counted, attempts] = [0, 0]
  const ask = async (request: AssistRequest) => {
    const sentAt = clock.now()
    await clock.sleep(10)
    const [, first = 0, own = 0, conversation = 0] = (request.endUserRef ?? '').split('-').map(Number)
    const result = answer({ request, first: first - 1, repeat: own, conversation })
    attempts += 1
    if (usageClassOf(result, false) !== 'notCounted') counted += 1
    return { sentAt, endedAt: clock.now(), result }
  }
  const options = { ...manifest.options, repeat, maxCalls: maxCalls ?? null }
  const sitting = {
    turns,
    folder: runFolder(folder),
    manifest: { ...manifest, options: { ...options, gates: { ...options.gates, confirm, passPolicy } } },
  } as unknown as Sitting
  const never = new AbortController().signal
  const round = async (of: readonly HeldThread[], attemptsBefore: number): Promise<Stop> =>
    clock.runUntil(
      runThreads(
        of,
        { send: sendBy(ask), record: (record) => write([record]), limiter, clock },
        {
          runId: 'run',
          maxCalls,
          giveUpAfterMs: Infinity,
          attemptsBefore,
          rotatingIds,
          restartOnAmbiguous,
          asksAgain: 'unprocessed',
        },
        { stop: never, abandon: never },
      ),
    )
  let stop = await round(threads, 0)
  while (stop.kind === 'done') {
    const next = await nextConfirmations(sitting)
    if (next === undefined || next.threads.length === 0) break
    write(next.records)
    stop = await round(next.threads, next.attemptsBefore)
  }
  limiter.close()
  return { counted, attempts, stop }
}

function plannedTurns(threads: readonly HeldThread[]): PlannedTurn[] {
  const turns = new Map(threads.flatMap((thread) => thread.turns.map((turn) => [turn.index, turn])))
  return [...turns.values()].sort((a, b) => a.index - b.index)
}
