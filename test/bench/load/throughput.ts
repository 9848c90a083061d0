// Requests a second and processor time a thousand requests, beside autocannon on the same server, rounds interleaved.
import { runScript, type BenchServer } from './processes.ts'

export interface Throughput {
  readonly perSecond: number
  /** Milliseconds of the generator's own process. */
  readonly cpuMsPerThousand: number
}

const CONNECTIONS = '50'
const SECONDS = '4'
const ROUNDS = 3

export async function measureThroughput({ url }: BenchServer): Promise<void> {
  const generators = {
    autocannon: async () => runScript<Throughput>('peer.ts', url, CONNECTIONS, SECONDS),
    'load, no journal': async () => runScript<Throughput>('generator.ts', url, 'no', CONNECTIONS, SECONDS),
    'load, journal': async () => runScript<Throughput>('generator.ts', url, 'yes', CONNECTIONS, SECONDS),
  }
  const measured = new Map<string, Throughput[]>()
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, run] of Object.entries(generators))
      measured.set(name, [...(measured.get(name) ?? []), await run()])
  console.log(
    `\nThroughput: ${CONNECTIONS} connections, ${SECONDS} s, medians of ${ROUNDS} interleaved rounds`,
  )
  console.log('generator          requests/s  CPU ms a thousand  of autocannon: rate, CPU')
  const [peer] = [...measured.values()].map(medians)
  for (const [name, rounds] of measured) {
    const { perSecond, cpuMsPerThousand } = medians(rounds)
    const ratios = [perSecond / (peer?.perSecond ?? 1), cpuMsPerThousand / (peer?.cpuMsPerThousand ?? 1)]
    console.log(
      `${name.padEnd(18)} ${perSecond.toFixed(0).padStart(10)} ${cpuMsPerThousand.toFixed(1).padStart(18)}  ${ratios.map((one) => one.toFixed(2)).join(', ')}`,
    )
  }
}

function medians(rounds: readonly Throughput[]): Throughput {
  const median = (values: readonly number[]): number =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
  return {
    perSecond: median(rounds.map((one) => one.perSecond)),
    cpuMsPerThousand: median(rounds.map((one) => one.cpuMsPerThousand)),
  }
}
