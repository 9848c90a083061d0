// Carries a search for the limit out: sends what it asks for when it asks for it, records, and tells it what came.
import type { Clock } from '../../domain/clock.ts'
import { wasRefused } from '../../domain/limit.ts'
import type { Stop } from '../../domain/stop.ts'
import { observe } from '../../pace/observation.ts'
import { askTurn, settleTurn, type AttemptPorts } from '../attempt.ts'
import type { TurnRules } from '../decide.ts'
import { openArrival, type Conversation } from '../load/timetable.ts'
import { firstTurn } from '../thread-state.ts'
import { toMicroseconds, createPatience, interruption, stopOfError, wordsOf } from '../stops.ts'
import type { RunnerOptions, RunnerSignals } from '../run.ts'
import type { LimitFinder } from './finder.ts'
import type { WhyDone } from './seek.ts'

export interface SearchRules extends Pick<RunnerOptions, 'runId' | 'giveUpAfterMs' | 'rotatingIds'> {
  readonly budget: number
  readonly maxMs: number
}

/** So many calls in a row that say nothing of the limit: nothing will be learned. */
const MOST_LOST_IN_A_ROW = 8
/** Where judging has taken longer, answers have come meanwhile that should be seen before a step is taken. */
const STALL_MS = 5

/**
 * Call k asks the first turn of thread k modulo their number, in a conversation of its own; nothing is asked again. Resolves
 * when nothing is under way any more: `done` where the limit is known, or none was met.
 */
export async function runSearch(
  finder: LimitFinder,
  threads: readonly Conversation[],
  ports: AttemptPorts,
  rules: SearchRules,
  signals: RunnerSignals,
): Promise<Stop> {
  const { clock } = ports
  const [startedAt, wallAtStart] = [clock.now(), clock.wall()]
  /** One anchor: what lies between two records is what the monotonic clock says. */
  const wallOf = (moment: number): number => toMicroseconds(wallAtStart + moment - startedAt)
  const anchored: Clock = {
    now: () => clock.now(),
    wall: () => wallOf(clock.now()),
    after: (ms, run) => clock.after(ms, run),
  }
  const askPorts = { ...ports, clock: anchored }
  const turnRules: TurnRules = {
    rotatingIds: rules.rotatingIds,
    restartOnAmbiguous: false,
    asksAgain: 'nothing',
  }
  const patience = createPatience(rules.giveUpAfterMs)
  const first = threads.map(({ order, turns }): Conversation => ({ order, turns: [firstTurn({ turns })] }))
  const sending = new Set<Promise<void>>()
  let attempts = 0
  let lost = { inARow: 0, since: 0 }
  const over = new AbortController()
  let [stop, wake]: [Stop | undefined, () => void] = [undefined, () => undefined]
  let refusedAny = false

  const end = (reason: Stop): void => {
    stop ??= reason
    over.abort()
    wake()
  }
  const ask = async (attempt: number, dueAt: number): Promise<void> => {
    const arrival = attempt - 1
    const thread = openArrival(first, arrival)
    const call = finder.onSend(clock.now())
    const due = { arrival, dueAt: wallOf(dueAt) }
    const { abandon } = signals
    const { result, sentAt, endedAt } = await askTurn(thread, askPorts, {
      attempt,
      runId: rules.runId,
      abandon,
      due,
    })
    const at = wallOf(endedAt)
    const decision = settleTurn(thread, askPorts, turnRules, {
      kind: 'result',
      at,
      attempt,
      waitMs: 0,
      lagMs: toMicroseconds(Math.max(0, sentAt - dueAt)),
      serviceMs: toMicroseconds(endedAt - sentAt),
      responseMs: toMicroseconds(endedAt - dueAt),
      result,
    })
    const [observation, refused] = [observe(result, at), wasRefused(result)]
    const words = wordsOf(observation, result)
    if (refused === undefined) {
      finder.onLost(call)
      lost = { inARow: lost.inARow + 1, since: lost.inARow === 0 ? sentAt : lost.since }
    } else {
      const named = observation.kind === 'rateLimited' ? observation.namedMs : undefined
      finder.onResult(call, endedAt, refused, named, sentAt)
      lost = { inARow: 0, since: 0 }
      refusedAny ||= refused
    }
    const now = clock.now()
    patience.note({ observation, words, sentAt, now })
    const loss = patience.lostOver(now)
    if (decision.kind === 'keyRefused') end(decision)
    else if (loss !== undefined) end(loss)
    else if (lost.inARow >= MOST_LOST_IN_A_ROW)
      end({ kind: 'gaveUp', over: 'failures', last: words, afterMs: now - lost.since })
  }
  const send = (dueAt: number): void => {
    attempts += 1
    const asked = ask(attempts, dueAt)
      .catch((error: unknown) => end(stopOfError(error)))
      .finally(() => {
        sending.delete(asked)
        wake()
      })
    sending.add(asked)
  }
  const pause = async (ms: number): Promise<void> => {
    let cancel: () => void = () => undefined
    await new Promise<void>((resolve) => {
      wake = resolve
      cancel = clock.after(ms, resolve)
    })
    cancel()
    wake = () => undefined
  }

  const search = async (): Promise<WhyDone | undefined> => {
    let armedFor = Infinity
    while (!over.signal.aborted) {
      const now = clock.now()
      const step = finder.next(now)
      if (step.kind === 'done') return step.why
      if (clock.now() - now > STALL_MS) {
        armedFor = Infinity
        await pause(0)
      } else if (step.kind === 'send') {
        send(Math.min(armedFor, now))
        armedFor = Infinity
      } else {
        armedFor = step.until
        await pause(Math.max(0, step.until - now))
      }
    }
    return undefined
  }

  const onStop = (): void => end(interruption(signals.stop))
  signals.stop.addEventListener('abort', onStop)
  if (signals.stop.aborted) onStop()
  const why = await search()
  // What is paid for is waited for.
  await Promise.all(sending)
  signals.stop.removeEventListener('abort', onStop)
  return stop ?? stopOf(why, refusedAny, rules)
}

/** A refusal may come after nothing seemed to be refused: then the budget has ended before more was known. */
function stopOf(why: WhyDone | undefined, refusedAny: boolean, { budget, maxMs }: SearchRules): Stop {
  if (why === 'time') return { kind: 'timeUp', maxMs }
  if (why === 'budget' || (why === 'unmet' && refusedAny)) return { kind: 'budget', maxCalls: budget }
  return { kind: 'done' }
}
