// Sends one call of a load test, records what came, and says what follows.
import type { AttemptReport } from '../../domain/attempt.ts'
import { observe } from '../../pace/observation.ts'
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
  ports: AttemptPorts,
  rules: LoadRules,
  wallOf: (moment: number) => number,
  abandon: AbortSignal,
): AskCall {
  const { clock } = ports
  const { runId, rotatingIds, giveUpAfterMs } = rules
  const turnRules: TurnRules = { rotatingIds, restartOnAmbiguous: false, asksAgain: 'nothing' }
  const patience = createPatience(giveUpAfterMs)

  const conclude = (call: Call, attempt: number, roomAt: number, report: AttemptReport): Asked => {
    const at = clock.wall()
    const { result, sentAt, endedAt } = report
    const { waitMs, lagMs, serviceMs, responseMs } = measure(call, roomAt, report)
    const record = { kind: 'result', at, attempt, waitMs, lagMs, serviceMs, responseMs, result } as const
    const decision = settleTurn(call.thread, ports, turnRules, record)
    const pauseMs = pauseAfter(result, at)
    const observation = observe(result, at, 0)
    // All is well, as with most: patience has nothing to say.
    if (observation.kind === 'accepted' && patience.isCalm())
      return { decision, endedAt, pauseMs, loss: undefined }
    const now = clock.now()
    patience.note({ observation, words: wordsOf(observation, result), sentAt, now })
    return { decision, endedAt, pauseMs, loss: patience.lostOver(now) }
  }

  return (call, attempt, roomAt, ended, failed) => {
    const settle = (report: AttemptReport): void => {
      let asked: Asked
      try {
        asked = conclude(call, attempt, roomAt, report)
      } catch (error) {
        failed(error)
        return
      }
      ended(asked)
    }
    try {
      const due = { arrival: call.arrival, dueAt: wallOf(call.dueAt) }
      sendTurn(call.thread, ports, { attempt, runId, abandon, due }, { ended: settle, failed })
    } catch (error) {
      failed(error)
    }
  }
}
