// A simulated run in virtual time: one that asks, or several on the same limit.
import { Heap } from '../../../src/runner/heap.ts'
import { createParty, type Contender, type Event, type Load } from './party.ts'
import type { Server } from './servers.ts'

export interface Outcome {
  /** Until the last answer, milliseconds; Infinity where not all came. */
  readonly makespan: number
  readonly attempts: number
  readonly refused: number
  /** Calls answered when the first of all the parties was done. */
  readonly doneAtFirst: number
}

const JITTER_MS = 20
const LONGEST_MS = 40 * 24 * 3_600_000
const MOST_STEPS = 5_000_000

export function simulate(policy: Contender, server: Server, load: Load, jitterMs?: number): Outcome {
  const [outcome] = simulateTogether([{ policy, load }], server, jitterMs)
  if (outcome === undefined) throw new Error('one party, one outcome')
  return outcome
}

/** A clairvoyant that may burst: sends whenever the server would admit a call, over a network without delay. */
export function simulateClairvoyant(server: Server, load: Load): Outcome {
  // As the first number drawn below: windows of the clock do not begin when we do.
  let phase = 0
  const random = (): number => {
    const drawn = load.random()
    if (phase === 0) phase = drawn * 3_600_000
    return drawn
  }
  const policy: Contender = {
    nextSendAt: (now) => {
      const at = server.nextAt(now + phase) - phase
      // Sums of large times: what is due within a microsecond is due.
      return at <= now + 1e-3 ? now : at
    },
    onSend: (at, inFlight) => ({ number: 0, at, inFlight }),
    onAnswer: () => undefined,
  }
  return simulate(policy, server, { ...load, random }, 0)
}

export function simulateTogether(
  asking: readonly { readonly policy: Contender; readonly load: Load }[],
  server: Server,
  jitterMs = JITTER_MS,
): Outcome[] {
  const events = new Heap<Event>((one, other) => one.at < other.at)
  // Windows of the clock do not begin when we do.
  const phase = (asking[0]?.load.random() ?? 0) * 3_600_000
  const world = { server, events, phase, jitterMs }
  const parties = asking.map(({ policy, load }) => createParty(policy, load, world))
  let now = 0
  let doneAtFirst: number[] | undefined

  const stepAt = (wakeAt: number): boolean => {
    const next = events.first()
    if (next === undefined && wakeAt === Infinity) throw new Error('the simulation is stuck')
    if (next !== undefined && next.at <= wakeAt) {
      events.pop()
      now = Math.max(now, next.at)
      next.run()
    } else now = wakeAt
    return now <= LONGEST_MS
  }

  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    let wakeAt = Infinity
    let hasSent = false
    for (const party of parties) {
      const at = party.nextSendAt(now)
      if (at <= now) {
        party.sendOne(now)
        hasSent = true
      } else wakeAt = Math.min(wakeAt, at)
    }
    if (hasSent) continue
    if (parties.some(({ isDone }) => isDone)) {
      doneAtFirst ??= parties.map(({ seen }) => seen.done)
      if (parties.every(({ isDone }) => isDone)) break
    }
    if (!stepAt(wakeAt)) break
  }
  return parties.map(({ seen, isDone }, place) => ({
    makespan: isDone ? seen.lastAnswer : Infinity,
    attempts: seen.attempts,
    refused: seen.refused,
    doneAtFirst: doneAtFirst?.[place] ?? seen.done,
  }))
}
