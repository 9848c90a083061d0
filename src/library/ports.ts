// What the library takes from its surroundings. Tests pass their own.
import type { Clock } from '../domain/clock.ts'
import type { AssistClient, ClientOptions } from '../endpoint/client.ts'
import { realClock, timerClock } from '../runner/clock.ts'
import { Secrets } from './secrets.ts'

export interface Ports {
  readonly clock: Clock
  /** Leaves the CPU idle while it waits, as load tests need it. */
  readonly timerClock: Clock
  /** Uniform in [0, 1). */
  readonly random: () => number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly secrets: Secrets
  readonly connect: (options: ClientOptions) => Promise<AssistClient>
}

export const realPorts = (): Ports => ({
  clock: realClock,
  timerClock,
  random: Math.random,
  env: process.env,
  cwd: process.cwd(),
  secrets: new Secrets(),
  // Loaded late: commands that only read connect to nothing.
  connect: async (options) => (await import('../endpoint/client.ts')).createClient(options),
})
