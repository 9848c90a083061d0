// Our policy as a client of the simulation: its state, stepped by its functions.
import { nextSendAt, step } from '../../../src/pace/policy.ts'
import { createPaceState, type PaceState } from '../../../src/pace/state.ts'
import type { Contender } from './simulate.ts'

export interface Ours extends Contender {
  /** Returns what changed, in words, if anything did. */
  onAnswer(...answer: Parameters<Contender['onAnswer']>): string | undefined
  state: PaceState
}

/** `known`: calls per second; without it the policy searches for the rate. */
export function ours(
  random: () => number,
  { known, share = 1 }: { readonly known?: number | undefined; readonly share?: number } = {},
): Ours {
  const rate =
    known === undefined ? ({ kind: 'auto' } as const) : { kind: 'known' as const, perSecond: known }
  const client: Ours = {
    state: createPaceState({ rate, share, concurrency: 64 }),
    nextSendAt: (now, inFlight) => nextSendAt(client.state, now, inFlight),
    onSend: (at, inFlight) => {
      const call = { number: client.state.sent, at, inFlight }
      client.state = step(client.state, { kind: 'sent', call })
      return call
    },
    onAnswer: (at, call, observation) => {
      const { number } = client.state.reported
      client.state = step(client.state, { kind: 'ended', at, call, observation, random: random() })
      return client.state.reported.number === number ? undefined : client.state.reported.cause
    },
  }
  return client
}
