// A limiter behind a network, in virtual time: what becomes of each call, and when we hear of it.
import type { CallSeen } from '../../../src/domain/limit.ts'
import type { Server } from '../../bench/pacing/servers.ts'

export interface Network {
  /** One way, milliseconds: never less than `leastMs`, at most `jitterMs` more. */
  readonly leastMs: number
  readonly jitterMs: number
  /** Answer times: lognormal. */
  readonly medianMs: number
  readonly sigma: number
  readonly random: () => number
}

export interface World {
  readonly wallAtZero: number
  /** A call sent now: when it arrives. Arrivals are handled in their order by `arrive`. */
  readonly arrivesAt: (now: number) => number
  readonly arrive: (sentMs: number, at: number) => CallSeen
  readonly finish: (at: number) => void
}

/** `wallAtZero`: windows of the clock do not begin when we do. */
export function makeWorld(server: Server, network: Network, wallAtZero: number): World {
  const { leastMs, jitterMs, medianMs, sigma, random } = network
  const oneWay = (): number => leastMs + random() * jitterMs
  const answerMs = (): number => {
    // Box and Muller.
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return medianMs * Math.exp(sigma * normal)
  }
  return {
    wallAtZero,
    arrivesAt: (now) => now + oneWay(),
    arrive: (sentMs, at) => {
      const { admitted, headers } = server.arrive(at + wallAtZero)
      const endedMs = at + (admitted ? answerMs() : 0) + oneWay()
      const seconds = Number(headers['retry-after'])
      return {
        sentMs,
        endedMs,
        refused: !admitted,
        ...(Number.isFinite(seconds) && !admitted ? { namedMs: seconds * 1000 } : {}),
      }
    },
    finish: (at) => server.finish(at + wallAtZero),
  }
}
