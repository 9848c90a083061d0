// Our policy as a client of the simulation: its state, stepped by its functions.
import { nextSendAt, onResult, onSend } from '../../../src/pace/policy.ts'
import { createPaceState, type PaceState } from '../../../src/pace/state.ts'
import type { Contender } from './simulate.ts'

export interface Ours extends Contender {
  onAnswer(...answer: Parameters<Contender['onAnswer']>): string | undefined
  readonly state: PaceState
}

/** `known`: calls per second; without it the policy searches for the rate. */
export function ours(
  random: () => number,
  { known, share = 1 }: { readonly known?: number | undefined; readonly share?: number } = {},
): Ours {
  const rate =
    known === undefined ? ({ kind: 'auto' } as const) : { kind: 'known' as const, perSecond: known }
  const state = createPaceState({ rate, share, concurrency: 64 })
  return {
    state,
    nextSendAt: (now, inFlight) => nextSendAt(state, now, inFlight),
    onSend: (now, inFlight) => onSend(state, now, inFlight),
    onAnswer: (now, sending, observation) => onResult(state, now, sending, observation, random),
  }
}
