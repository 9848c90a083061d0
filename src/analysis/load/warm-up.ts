// What fell due in a load test's warm-up: counted apart, so that a cold start is seen and not averaged in.
import type { LoadReport } from '../../domain/load/load-report.ts'
import { HdrCounts } from './hdr-counts.ts'

export interface WarmUp {
  arrive(isDropped: boolean): void
  call(): void
  answer(serviceMs: number, responseMs: number): void
  finish(): LoadReport['warmUp']
}

export function createWarmUp(): WarmUp {
  const [service, response] = [new HdrCounts(2), new HdrCounts(2)]
  let [threads, dropped, calls] = [0, 0, 0]
  return {
    arrive: (isDropped) => {
      threads += 1
      if (isDropped) dropped += 1
    },
    call: () => {
      calls += 1
    },
    answer: (serviceMs, responseMs) => {
      service.record(serviceMs)
      response.record(responseMs)
    },
    finish: () => ({
      threads,
      dropped,
      calls,
      answered: service.count,
      serviceMs: service.latency(),
      responseMs: response.latency(),
    }),
  }
}
