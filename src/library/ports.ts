// What the library takes from its surroundings: clocks, randomness, the environment, the network. Tests pass
// their own.
import type { Clock } from '../domain/clock.ts'
import type { AssistClient, ClientOptions } from '../endpoint/client.ts'
import { realClock, timerClock } from '../runner/clock.ts'
import { Secrets } from './secrets.ts'

export interface Ports {
  readonly clock: Clock
  /** Of load tests: it leaves the CPU idle while it waits. */
  readonly timerClock: Clock
  /** Uniform in [0, 1). */
  readonly random: () => number
  readonly env: Readonly<Record<string, string | undefined>>
  /** Every key and password that was read. */
  readonly secrets: Secrets
  readonly connect: (options: ClientOptions) => Promise<AssistClient>
}

export const realPorts = (): Ports => ({
  clock: realClock,
  timerClock,
  random: Math.random,
  env: process.env,
  secrets: new Secrets(),
  // Loaded late: commands that only read connect to nothing.
  connect: async (options) => (await import('../endpoint/client.ts')).createClient(options),
})
