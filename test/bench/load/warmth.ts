// Whether warming the generator pays: send lag and service time of the first seconds, cold and warm, rounds interleaved.
import { runScript, type BenchServer } from './processes.ts'

export interface FirstSeconds {
  readonly lagP50: number
  readonly lagP99: number
  readonly lagMax: number
  readonly serviceP99: number
}

const RATES = [5, 50, 500, 2000]
const ROUNDS = 3

export async function measureWarmth({ url }: BenchServer): Promise<void> {
  console.log(`\nThe first two seconds of a load test, milliseconds, medians of ${ROUNDS} interleaved rounds`)
  console.log('rate            lag p50     p99     max  service p99')
  for (const rate of RATES) {
    const measured = new Map<string, FirstSeconds[]>()
    for (let round = 0; round < ROUNDS; round += 1)
      for (const warmth of ['cold', 'warm']) {
        const one = await runScript<FirstSeconds>('first-seconds.ts', url, warmth, String(rate))
        measured.set(warmth, [...(measured.get(warmth) ?? []), one])
      }
    for (const [warmth, rounds] of measured) {
      const median = (pick: (one: FirstSeconds) => number): string => {
        const sorted = rounds.map(pick).sort((a, b) => a - b)
        return (sorted[Math.floor(sorted.length / 2)] ?? NaN).toFixed(2).padStart(7)
      }
      const figures = [
        median((one) => one.lagP50),
        median((one) => one.lagP99),
        median((one) => one.lagMax),
        median((one) => one.serviceP99).padStart(12),
      ]
      console.log(`${`${rate}/s ${warmth}`.padEnd(14)} ${figures.join(' ')}`)
    }
  }
}
