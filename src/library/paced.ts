// The schedule of a run: every turn at the pace of its limiter until the verdict is certain, and what is
// confirmed at the end.
import type { Repeats } from '../analysis/figures/graded.ts'
import { createRunCounts, type RunCounts } from '../analysis/judging/progress.ts'
import type { Clock } from '../domain/clock.ts'
import { digits, plural } from '../domain/format.ts'
import type { JournalRecord, RecordOf } from '../domain/journal.ts'
import type { Stop } from '../domain/stop.ts'
import type { RecordedOptions, RunManifest } from '../options/manifest.ts'
import { type Limiter, type PaceChange, StoreError } from '../pace/limiter.ts'
import { runThreads } from '../runner/run.ts'
import { stopOfError } from '../runner/stops.ts'
import { type AttemptPorts, openThread, type ThreadState, turnRulesOf, turnsLeft } from '../runner/thread.ts'
import { createRandomStreams } from '../stats/random.ts'
import { runFolder } from '../store/folder.ts'
import { type Job, onAbort } from './job.ts'
import { openBaseline } from './judging.ts'
import { type Ports, VERSION } from './ports.ts'
import { foldJournalsOf, type RecordedRun } from './recorded-run.ts'
import { type Schedule, Session, type SessionPlan } from './session.ts'

/** Opens the schedule; `confirming` are the conversations that an earlier session began to confirm. */
export async function openPaced(
  plan: SessionPlan<RunManifest>,
  limiter: Limiter,
  job: Job,
  recorded: Iterable<Repeats> = [],
  confirming: readonly ThreadState[] = [],
) {
  const { options, endedAt } = plan.manifest
  const decider = options.untilDecided ? await openDecider(options, recorded, job) : undefined
  const ordered = decider === undefined ? plan.threads : inDecidingOrder(plan.threads, options.seed)
  const counts = createRunCounts(ordered, options.groundedSources, decider)
  counts.expect(confirming)
  const threads = [...ordered, ...confirming]
  // A run that is only judged again ended when it ended.
  const isOver = counts.isDecided?.() === true || threads.every((thread) => turnsLeft(thread) === 0)
  const manifest = { ...plan.manifest, endedAt: isOver ? endedAt : null }
  const session = new Session({ ...plan, manifest, threads }, job)
  return { session, schedule: paced(session, limiter, counts, job) }
}

/** Tells when the verdict is certain; says which gates the run is not decided by. */
async function openDecider(options: RecordedOptions, recorded: Iterable<Repeats>, { note }: Job) {
  // Loaded late: a run that sends everything judges nothing before its end.
  const { createDecider, lateGates } = await import('../analysis/judging/decided.ts')
  const late = lateGates(options)
  if (late !== undefined) note(late)
  return createDecider(options, recorded)
}

/** Puts conversations with a `must_pass` question first, in their own order, then the others at random. */
function inDecidingOrder(threads: readonly ThreadState[], seed: number): ThreadState[] {
  const streamOf = createRandomStreams(seed)
  const keys = threads.map(({ order, turns }): [number, number] => [
    order,
    turns.some(({ question }) => question.mustPass) ? order - threads.length : streamOf(order)(),
  ])
  // Repeats of a conversation keep one rank.
  const sorted = [...new Map(keys)].sort(([, a], [, b]) => a - b)
  const ranks = new Map(sorted.map(([order], rank) => [order, rank]))
  return threads.map((thread) => ({ ...thread, order: ranks.get(thread.order) ?? thread.order }))
}

function paced(session: Session<RunManifest>, limiter: Limiter, counts: RunCounts, job: Job): Schedule {
  const { manifest, threads, clock, attemptsBefore } = session.plan
  const { note } = session.events
  const { runId, options } = manifest
  const rules = {
    ...turnRulesOf(options),
    runId,
    giveUpAfterMs: options.giveUpAfter,
    attemptsBefore,
    maxCalls: options.maxCalls ?? undefined,
    isDecided: counts.isDecided,
  }
  const sendAll = async (ports: AttemptPorts, stop: AbortSignal): Promise<Stop> => {
    const wire = { ...ports, limiter, note }
    const sent = await runThreads(threads, wire, rules, stop)
    if (sent.kind !== 'done' || options.confirm === 0) return sent
    session.flush()
    const again = await openConfirmations(session, job)
    for (const record of again.records) session.record(record)
    counts.expect(again.threads)
    const last = { ...rules, attemptsBefore: again.attempts, isDecided: undefined }
    // With the conversations that are over, which show that the endpoint is there.
    const end = await runThreads([...threads, ...again.threads], wire, last, stop)
    // Every question has its outcome: what could not be confirmed stands as it is.
    return end.kind === 'budget' ? { kind: 'done' } : end
  }
  return {
    pace: limiter.state().pace,
    count: counts.add,
    progress: (at) => {
      const waitMs = limiter.state().nextAt - clock.now()
      return { ...counts.progress(), ...(waitMs > 0 && waitMs < Infinity && { nextAt: at + waitMs }) }
    },
    send: async (ports, stop) => {
      let isAdvised = false
      const stopListening = limiter.onChange((change) => {
        if (change.advice !== undefined && !isAdvised) note(change.advice)
        isAdvised ||= change.advice !== undefined
        session.guard(() => session.record(paceRecord(change, clock)))
      })
      onAbort(limiter.lost, (error) => {
        // Redis says why; any other error is ours.
        if (!(error instanceof StoreError)) session.end(stopOfError(error))
        else session.end({ kind: 'limiterLost', reason: `${error.message}; sending stopped` })
      })
      const { maxDuration: maxMs } = options
      const cancel =
        maxMs === null
          ? undefined
          : clock.after(maxMs, () => session.end({ kind: 'timeUp', maxMs, option: '--max-duration' }))
      return sendAll(ports, stop).finally(() => {
        cancel?.()
        stopListening()
      })
    },
  }
}

function paceRecord({ pace, policy, pause, cause, processes }: PaceChange, clock: Clock): JournalRecord {
  const [now, wall] = [clock.now(), clock.wall()]
  const isPaused = pause !== undefined && pause.until > now
  return {
    kind: 'pace',
    at: wall,
    pace,
    ...(isPaused ? { pausedUntil: Math.round(wall + pause.until - now) } : {}),
    cause,
    ...(policy === undefined ? {} : { policy }),
    ...(processes === undefined ? {} : { processes }),
  }
}

/** Finds what to send again, no conversation twice; `records` are to be written before it is sent. */
async function openConfirmations(
  { plan: { recording, manifest, threads, clock } }: Session<RunManifest>,
  { ports, note }: Job,
) {
  const { confirm, baseline } = manifest.options
  const run = await foldJournalsOf(runFolder(recording.path), manifest)
  const { confirming, attempts } = run.model
  const sent = new Set(confirming.map(({ index }) => index))
  const failed = new Set(await failedIn(run, ports))
  const opened = threads.flatMap((thread) => {
    if (thread.repeat !== 1 || thread.turns.some(({ index }) => sent.has(index))) return []
    const questions = thread.turns.flatMap(({ index }) => (failed.has(index) ? [index] : []))
    return questions.length === 0 ? [] : [{ thread, questions }]
  })
  if (opened.length > 0) {
    const what =
      baseline === null
        ? 'must_pass questions that failed'
        : 'questions that newly fail or lost their grounding'
    const count = digits(opened.reduce((sum, { questions }) => sum + questions.length, 0))
    const calls = confirm * opened.reduce((sum, { thread }) => sum + thread.turns.length, 0)
    note(`--confirm: ${what}: ${count}; their conversations are sent again, ${plural(calls, 'call')}`)
  }
  return {
    attempts,
    threads: opened.flatMap(({ thread: { order, turns } }) =>
      Array.from({ length: confirm }, (_, index) => openThread(order, turns, index + 2)),
    ),
    records: opened.map(({ thread, questions }): RecordOf<'confirm'> => {
      const question = thread.turns[0].index
      return { kind: 'confirm', at: clock.wall(), question, repeat: 1, as: 2, times: confirm, questions }
    }),
  }
}

async function failedIn(run: RecordedRun, ports: Ports): Promise<readonly number[]> {
  // Loaded late: what judges would delay the first call.
  const { failedMustPass, failedSince, gradedQuestions } = await import('../analysis/figures/graded.ts')
  const { compareWithBaseline } = await import('../analysis/comparing/judged-run.ts')
  const { options } = run.manifest
  const baseline = await openBaseline(run, { ports })
  try {
    if (baseline?.kind !== 'readable')
      return failedMustPass(gradedQuestions(run.model, run.pick, options), options.passPolicy)
    const judging = { reviews: undefined, harnessVersion: VERSION }
    return failedSince(compareWithBaseline(baseline.run, run, judging).rows)
  } finally {
    run.close()
    baseline?.close()
  }
}
