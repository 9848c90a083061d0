// Sends one call of a load test, records what came, and says what follows.
import type { AttemptReport } from '../../domain/attempt.ts'
import type { LoadOptions } from '../../domain/load/load-options.ts'
import type { Limiter } from '../../pace/limiter.ts'
import { observe, type Observation } from '../../pace/observation.ts'
import { sendTurn, settleTurn, type AttemptPorts } from '../attempt.ts'
import type { Decision, TurnRules } from '../decide.ts'
import { createPatience, type Loss } from '../patience.ts'
import type { RunnerOptions } from '../run.ts'
import { wordsOf } from '../stops.ts'
import { measure, type Call } from './call.ts'
import { pauseAfter } from './pause.ts'

export type LoadRules = Pick<RunnerOptions, 'runId' | 'maxCalls' | 'giveUpAfterMs' | 'rotatingIds'>

export interface Asked {
  readonly decision: Decision
  readonly endedAt: number
  /** How long the user pauses at least before another thread, milliseconds; 0 after an answer. */
  readonly pauseMs: number
  /** What patience was lost over by now, if it was. */
  readonly loss: Loss | undefined
}

/**
 * Sends the call as attempt number `attempt`; `roomAt` as in `measure`. One of the two is called, once: `failed` with what
 * recording throws.
 */
export type AskCall = (
  call: Call,
  attempt: number,
  roomAt: number,
  ended: (asked: Asked) => void,
  failed: (error: unknown) => void,
) => void

/** `wallOf`: a moment of the clock as milliseconds since the epoch. */
export function createAskCall(
  ports: AttemptPorts & { readonly limiter: Limiter },
  { retry429 }: LoadOptions,
  rules: LoadRules,
  wallOf: (moment: number) => number,
  abandon: AbortSignal,
): AskCall {
  const { clock, limiter } = ports
  const { runId, rotatingIds, giveUpAfterMs } = rules
  const turnRules: TurnRules = {
    rotatingIds,
    restartOnAmbiguous: false,
    asksAgain: retry429 ? 'refusals' : 'nothing',
  }
  const patience = createPatience(giveUpAfterMs)

  const conclude = (
    call: Call,
    attempt: number,
    roomAt: number,
    report: AttemptReport,
    at: number,
    observation: Observation,
  ): Asked => {
    const { result, sentAt, endedAt } = report
    const { waitMs, lagMs, serviceMs, responseMs } = measure(call, roomAt, report)
    const record = { kind: 'result', at, attempt, waitMs, lagMs, serviceMs, responseMs, result } as const
    const decision = settleTurn(call.thread, ports, turnRules, record)
    const pauseMs = pauseAfter(result, at)
    // All is well, as with most: neither limiter nor patience has anything to say.
    if (observation.kind === 'accepted' && patience.isCalm())
      return { decision, endedAt, pauseMs, loss: undefined }
    const now = clock.now()
    const excusedMs = retry429 ? limiter.state().excusedMs : 0
    patience.note({ observation, ...wordsOf(observation, result), sentAt, now }, excusedMs)
    return { decision, endedAt, pauseMs, loss: patience.lostOver(now, excusedMs) }
  }

  return (call, attempt, roomAt, ended, failed) => {
    const { thread, arrival } = call
    const permit = call.permit ?? (retry429 ? limiter.enter() : undefined)
    const fail = (error: unknown): void => {
      permit?.settle(NOTHING)
      failed(error)
    }
    const settle = (report: AttemptReport): void => {
      const at = clock.wall()
      const lateMs = permit === undefined ? 0 : report.sentAt - permit.grantedAt
      const observation = observe(report.result, at, lateMs)
      let asked: Asked
      try {
        asked = conclude(call, attempt, roomAt, report, at, observation)
      } catch (error) {
        permit?.settle(observation)
        failed(error)
        return
      }
      permit?.settle(observation)
      ended(asked)
    }
    try {
      const due = { arrival, dueAt: wallOf(call.dueAt) }
      sendTurn(thread, ports, { attempt, runId, abandon, due }, { ended: settle, failed: fail })
    } catch (error) {
      fail(error)
    }
  }
}

const NOTHING: Observation = { kind: 'nothing' }
