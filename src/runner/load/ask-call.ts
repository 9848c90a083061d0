// Sends one call of a load test, records what came, and says what follows.
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

/** Sends the call as attempt number `attempt`; `roomAt` as in `measure`. Throws what recording throws. */
export type AskCall = (call: Call, attempt: number, roomAt: number) => Promise<Asked>

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

  return async (call, attempt, roomAt) => {
    const { thread, arrival } = call
    const permit = call.permit ?? (retry429 ? limiter.enter() : undefined)
    let observation: Observation = { kind: 'nothing' }
    try {
      const due = { arrival, dueAt: wallOf(call.dueAt) }
      const report = await sendTurn(thread, ports, { attempt, runId, abandon, due })
      const { result, sentAt, endedAt } = report
      const at = clock.wall()
      observation = observe(result, at)
      const measured = measure(call, roomAt, report)
      const decision = settleTurn(thread, ports, turnRules, { at, attempt, ...measured, result })
      const now = clock.now()
      const excusedMs = retry429 ? limiter.state().excusedMs : 0
      patience.note({ observation, ...wordsOf(observation, result), sentAt, now }, excusedMs)
      return { decision, endedAt, pauseMs: pauseAfter(result, at), loss: patience.lostOver(now, excusedMs) }
    } finally {
      permit?.settle(observation)
    }
  }
}
